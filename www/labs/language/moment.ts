// What a link carries of the language lab: the text that the network had written, and its prompt.

import type { LanguageView } from "../../generated/protocol";
import type { LabMoment } from "../../ui/lab-moment";

/** The characters of a sample that are drawn at most. */
const MAX_CHARACTERS = 2_000;

/** A sample of more tokens than this after its prompt shows what the network can do. */
const FEW_TOKENS = 120;

export const moment: LabMoment<LanguageView> = {
  rate: 30,
  frames: 1,
  // A new sample begins with its prompt alone.
  isReady: ({ sample }) => sample.done || sample.pieces.length > sample.promptPieces + FEW_TOKENS,
  // Each byte is a character, and all of them are drawn as one text.
  isDrawable: ({ bytes, frameSize }) => frameSize === 1 && bytes.length <= MAX_CHARACTERS,
  shownWords: "the prompt",
  shown: ({ prompt }) => prompt || null,
};

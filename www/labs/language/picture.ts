// The language lab in small: what the network writes, character by character.

import type { LanguageView } from "../../generated/protocol";
import type { Picture } from "../../ui/small-picture/picture";

export { default as recording } from "./recording.json";

/** Size of the letters, and the height of a line, in CSS pixels. */
const LETTER_SIZE = 17;
const LINE_HEIGHT = 26;
/** Distance of the text from the edges, as a fraction of the height. */
const MARGIN = 0.13;
/** The margin in CSS pixels is at least this. */
const MIN_MARGIN = 20;
/** The cursor after the last letter, in CSS pixels: its distance and its width. Its height is in sizes of a letter. */
const CURSOR = { gap: 3, width: 2, height: 1.1 };

export const picture: Picture<LanguageView> = {
  /** The sample so far, as characters up to U+00FF. A recording has a frame for each of them. */
  encode({ sample }) {
    return Uint8Array.from(sample.text, (character) => {
      const code = character.codePointAt(0) as number;
      return code <= 0xff ? code : "?".charCodeAt(0);
    });
  },
  transitionSeconds: 0,
  text: true,
  words: "a text that the network writes",
  paint({ context, width, height, palette }, { bytes }, position) {
    const margin = Math.max(MIN_MARGIN, MARGIN * height);
    // Characters that cannot be seen are blanks.
    const characters = String.fromCharCode(...bytes.subarray(0, Math.floor(position) + 1));
    const text = characters.replace(/[^\x21-\x7e¡-ÿ]+/g, " ");
    context.font = `${LETTER_SIZE}px ${palette.serif}`;
    context.textBaseline = "middle";
    const lines = wrapText(text, (part) => context.measureText(part).width <= width - 2 * margin);
    // If not all lines fit, the last ones are shown.
    const maxLines = Math.max(1, Math.floor((height - 2 * margin) / LINE_HEIGHT));
    const shown = lines.slice(-maxLines);
    const top = (height - maxLines * LINE_HEIGHT) / 2 + LINE_HEIGHT / 2;
    context.fillStyle = palette.ink;
    shown.forEach((line, i) => context.fillText(line, margin, top + i * LINE_HEIGHT));
    const last = shown.length - 1;
    context.fillStyle = palette.learn;
    const x = margin + context.measureText(shown[last] as string).width + CURSOR.gap;
    const cursorHeight = CURSOR.height * LETTER_SIZE;
    context.fillRect(x, top + last * LINE_HEIGHT - cursorHeight / 2, CURSOR.width, cursorHeight);
  },
};

/** The lines of a text, which breaks at blanks, or within a word that is too long for a line. */
function wrapText(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  let line = "";
  /** Adds a part to the line, or begins the next one with it. */
  const add = (part: string) => {
    if (fits(line + part.trimEnd())) line += part;
    else {
      lines.push(line);
      line = part;
    }
  };
  for (const word of text.split(/(?<= )/)) for (const part of fits(word.trimEnd()) ? [word] : word) add(part);
  return [...lines, line];
}

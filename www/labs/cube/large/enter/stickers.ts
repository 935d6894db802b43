// The 54 stickers of a cube that a visitor enters, as a string of letters: one letter per sticker, face by face in the
// order U R F D L B. The letter is the name of the face whose colour the sticker has, or `BLANK`.

import { quoted } from "../../../../core/values";
import { sentenceStart } from "../../../../core/format";
import { FACES } from "../../space";
import { colourName, FACE_NAMES } from "../../colours";

/** Number of stickers of the cube, and of a face. */
export const STICKER_COUNT = 54;
export const STICKERS_PER_FACE = 9;
/** The letter of a sticker whose colour has not been entered. */
export const BLANK = "-";

/** The index in `FACES` of the face that a sticker is on. */
export function faceOf(sticker: number): number {
  return Math.floor(sticker / STICKERS_PER_FACE);
}

/** The index of the centre among the nine stickers of a face, which are counted row by row. */
const CENTRE_INDEX = 4;

/** Whether a sticker is the centre of its face. Turns do not move centres, so they name the faces. */
export function isCentre(sticker: number): boolean {
  return sticker % STICKERS_PER_FACE === CENTRE_INDEX;
}

/** The stickers of a cube of which only the centres have a colour. */
export function blankStickers(): string {
  return Array.from({ length: STICKER_COUNT }, (_, i) => (isCentre(i) ? FACES[faceOf(i)] : BLANK)).join("");
}

/** A copy of the stickers in which one has another colour. Centres are not changed. */
export function painted(stickers: string, sticker: number, letter: string): string {
  if (isCentre(sticker)) return stickers;
  return stickers.slice(0, sticker) + letter + stickers.slice(sticker + 1);
}

/** The number of stickers that have the colour of this letter. */
export function countOf(stickers: string, letter: string): number {
  return [...stickers].filter((each) => each === letter).length;
}

/** The position and the colour of a sticker in words: "Front, row 1, column 2: white". */
export function describeSticker(stickers: string, sticker: number): string {
  const letter = stickers[sticker] as string;
  const colour = letter === BLANK ? "no colour" : colourName(letter);
  const face = sentenceStart(FACE_NAMES[faceOf(sticker)] as string);
  if (isCentre(sticker)) return `${face}, centre: ${colour}`;
  const place = sticker % STICKERS_PER_FACE;
  return `${face}, row ${Math.floor(place / 3) + 1}, column ${(place % 3) + 1}: ${colour}`;
}

/**
 * Reads the stickers from a text of 54 letters, face by face in the order U R F D L B. Any six letters may stand for
 * the colours, such as W R G Y O B: the letter of a centre stands for the colour of its face. If the text cannot be
 * read, `problem` is a sentence that says why.
 */
export function readStickers(text: string): { stickers: string } | { problem: string } {
  const letters = [...text.replace(/\s/g, "").toUpperCase()];
  if (letters.length !== STICKER_COUNT)
    return { problem: `The cube has ${STICKER_COUNT} stickers; this text has ${letters.length} letters.` };
  const centres = letters.filter((_, i) => isCentre(i));
  const repeated = centres.find((letter, i) => centres.indexOf(letter) !== i);
  if (repeated) return { problem: `Two centres have the letter ${quoted(repeated)}, but all six centres must differ.` };
  const unknown = letters.find((letter) => !centres.includes(letter));
  if (unknown)
    return { problem: `${quoted(unknown)} is not the letter of any centre; those are ${centres.join(" ")}.` };
  return { stickers: letters.map((letter) => FACES[centres.indexOf(letter)]).join("") };
}

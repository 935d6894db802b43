// The 54 stickers of a cube while they are entered: names, counts, and the text of 54 letters. A sticker that has no
// colour yet is `BLANK`.

import { quoted } from "../../../../core/values";
import { sentenceStart } from "../../../../core/format";
import { FACES } from "../../space";
import { colourName, FACE_NAMES } from "../../colours";

/** The stickers of the cube, and of a face. */
export const STICKERS = 54;
const PER_FACE = 9;
/** Stands for the colour of a sticker that has not been entered. */
export const BLANK = "-";

/** The face of a sticker, as an index in `FACES`. */
export function faceOf(sticker: number): number {
  return Math.floor(sticker / PER_FACE);
}

/** Whether a sticker is the centre of its face. Centres never move, so they name the faces. */
export function isCentre(sticker: number): boolean {
  return sticker % PER_FACE === 4;
}

/** Stickers of which only the centres have a colour. */
export function blankStickers(): string {
  return Array.from({ length: STICKERS }, (_, i) => (isCentre(i) ? FACES[faceOf(i)] : BLANK)).join("");
}

/** The stickers with one of them in another colour. Centres stay as they are. */
export function painted(stickers: string, sticker: number, letter: string): string {
  if (isCentre(sticker)) return stickers;
  return stickers.slice(0, sticker) + letter + stickers.slice(sticker + 1);
}

/** How many stickers have a colour. */
export function countOf(stickers: string, letter: string): number {
  return [...stickers].filter((each) => each === letter).length;
}

/** A sticker and its colour in words: "Front, row 1, column 2: white". */
export function describeSticker(stickers: string, sticker: number): string {
  const letter = stickers[sticker] as string;
  const colour = letter === BLANK ? "no colour" : colourName(letter);
  const face = sentenceStart(FACE_NAMES[faceOf(sticker)] as string);
  if (isCentre(sticker)) return `${face}, centre: ${colour}`;
  const place = sticker % PER_FACE;
  return `${face}, row ${Math.floor(place / 3) + 1}, column ${(place % 3) + 1}: ${colour}`;
}

/**
 * Reads 54 letters, face by face in the order U R F D L B. The letters may be any six: the centres say which letter is
 * which face. `problem` is a sentence that says what is wrong.
 */
export function readStickers(text: string): { stickers: string } | { problem: string } {
  const letters = [...text.replace(/\s/g, "").toUpperCase()];
  if (letters.length !== STICKERS)
    return { problem: `The cube has ${STICKERS} stickers; this text has ${letters.length} letters.` };
  const centres = letters.filter((_, i) => isCentre(i));
  const twice = centres.find((letter, i) => centres.indexOf(letter) !== i);
  if (twice) return { problem: `Two centres are ${quoted(twice)}; every centre has a colour of its own.` };
  const unknown = letters.find((letter) => !centres.includes(letter));
  if (unknown) return { problem: `${quoted(unknown)} is no colour here; the centres are ${centres.join(" ")}.` };
  return { stickers: letters.map((letter) => FACES[centres.indexOf(letter)]).join("") };
}

// The colours of the stickers, and the words for them and for the faces. The lab names a colour by the letter of the face
// that has it on the solved cube (U for white), as turns such as B2 name faces. Visitors read its name or its initial.

/**
 * Each colour by its letter, as a hex code and by its name. They can be told apart with red-green and with blue-yellow
 * colour blindness. Without any colour vision red and blue look alike; then the initials on the stickers help.
 */
export const COLOURS: Record<string, { hex: string; name: string }> = {
  U: { hex: "#f4f6f2", name: "white" },
  R: { hex: "#981130", name: "red" },
  F: { hex: "#128d5e", name: "green" },
  D: { hex: "#ffd81c", name: "yellow" },
  L: { hex: "#ff8d1c", name: "orange" },
  B: { hex: "#1d45c2", name: "blue" },
};

/** The names of the faces, in the usual order of their letters: U R F D L B. */
export const FACE_NAMES = ["up", "right", "front", "down", "left", "back"];

/** The name of the colour of a face's letter. Any other character, such as that of a blank sticker, stays. */
export function colourName(letter: string): string {
  return COLOURS[letter]?.name ?? letter;
}

/** The first letter of the name of a colour, which is written on stickers: W for white. */
export function colourInitial(letter: string): string {
  return COLOURS[letter] ? colourName(letter).charAt(0).toUpperCase() : letter;
}

/** The colour with this initial, by its letter; undefined if there is none. */
export function colourOfInitial(initial: string): string | undefined {
  return Object.keys(COLOURS).find((letter) => colourInitial(letter) === initial);
}

/** A sentence of the lab with names in place of letters of colours and pieces: `UFR` becomes “white-green-red”. */
export function nameColours(sentence: string): string {
  return sentence.replace(/\b[URFDLB]{1,3}\b/g, (letters) => [...letters].map(colourName).join("-"));
}

/** The colours of all faces, for screen readers. `stickers` are the letters of colours, face by face. */
export function describeFaces(stickers: string): string {
  const perFace = stickers.length / FACE_NAMES.length;
  return FACE_NAMES.map((face, f) => {
    const letters = [...stickers.slice(perFace * f, perFace * (f + 1))];
    return `${face}: ${letters.map(colourName).join(" ")}`;
  }).join("; ");
}

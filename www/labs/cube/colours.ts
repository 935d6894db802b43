// The colours of the stickers, and the words for them and for the faces. In the lab, and in turns such as B2, a letter
// names the face that has the colour on the solved cube; to visitors a colour is named by its name.

/**
 * Each colour by its letter, as a hex code and by its name. They can be told apart with any kind of colour blindness.
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

/** The name of a colour, by its letter. A place without a colour has another character, which stands for itself. */
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

/** A sentence of the lab in which colours and pieces, such as `UFR`, are named by letters, with the colours' names. */
export function nameColours(sentence: string): string {
  return sentence.replace(/\b[URFDLB]{1,3}\b/g, (letters) => [...letters].map(colourName).join("-"));
}

/** The colours of all faces, for screen readers. `stickers` are letters, face by face. */
export function describeFaces(stickers: string): string {
  const perFace = stickers.length / FACE_NAMES.length;
  return FACE_NAMES.map((face, f) => {
    const letters = [...stickers.slice(perFace * f, perFace * (f + 1))];
    return `${face}: ${letters.map(colourName).join(" ")}`;
  }).join("; ");
}

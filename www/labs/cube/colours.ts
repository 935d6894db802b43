// The colours of the stickers, and the words for them and for the faces. A colour is named by the letter of its face on
// the solved cube.

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

/** The colours of all faces, for screen readers. `stickers` are letters, face by face. */
export function describeFaces(stickers: string): string {
  const perFace = stickers.length / FACE_NAMES.length;
  return FACE_NAMES.map((face, f) => {
    const letters = [...stickers.slice(perFace * f, perFace * (f + 1))];
    return `${face}: ${letters.map(colourName).join(" ")}`;
  }).join("; ");
}

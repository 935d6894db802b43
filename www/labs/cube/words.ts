// The faces and the colours of the cube in words. A colour is named by the letter of its face on the solved cube.

const NAMES: Record<string, string> = { U: "white", R: "red", F: "green", D: "yellow", L: "orange", B: "blue" };

/** The names of the faces, in the order of `FACES`. */
export const FACE_NAMES = ["up", "right", "front", "down", "left", "back"];

/** The name of a colour, by its letter. */
export function colourName(letter: string): string {
  return NAMES[letter] ?? letter;
}

/** The colours of all faces, for screen readers. */
export function describeFaces(stickers: string): string {
  const perFace = stickers.length / FACE_NAMES.length;
  return FACE_NAMES.map((face, f) => {
    const letters = [...stickers.slice(perFace * f, perFace * (f + 1))];
    return `${face}: ${letters.map(colourName).join(" ")}`;
  }).join("; ");
}

// The net of the cube: its six faces unfolded, with a letter on each sticker, beside the stage. It serves colour-blind
// visitors, and screen readers through its label. Coordinates are SVG units.

import { svg } from "../../core/dom";
import { letterColour, describeFaces, flatColour } from "./sticker-colours";

/** Column and row of each face in the net, in the order U R F D L B. */
const FACE_CELLS: [column: number, row: number][] = [
  [1, 0],
  [2, 1],
  [1, 1],
  [1, 2],
  [0, 1],
  [3, 1],
];
/** Distance of neighbouring stickers, side of a sticker, and gap between two faces. */
const PITCH = 22;
const SIDE = 20;
const GAP = 5;
const STICKERS = 24;
/** Four faces side by side and three on top of each other, of two stickers each. */
const [WIDTH, HEIGHT] = [8 * PITCH + 3 * GAP, 6 * PITCH + 2 * GAP];

export class Net {
  readonly element = svg("svg", { class: "net", role: "img", viewBox: `0 0 ${WIDTH} ${HEIGHT}` });
  #squares: SVGRectElement[] = [];
  #letters: SVGTextElement[] = [];
  /** The stickers that are drawn. */
  #drawn = "";

  constructor() {
    for (let i = 0; i < STICKERS; i++) {
      const [column, row] = FACE_CELLS[Math.floor(i / 4)] as [number, number];
      // Four stickers to a face, row by row.
      const x = column * (2 * PITCH + GAP) + (i % 2) * PITCH + 1;
      const y = row * (2 * PITCH + GAP) + (i % 4 < 2 ? 0 : PITCH) + 1;
      const square = svg("rect", { x, y, width: SIDE, height: SIDE, rx: 4 });
      const letter = svg("text", { x: x + SIDE / 2, y: y + SIDE / 2, dy: "0.36em", "text-anchor": "middle" });
      this.#squares.push(square);
      this.#letters.push(letter);
      this.element.append(square, letter);
    }
  }

  /** `stickers` are the letters of all stickers, face by face and row by row. */
  draw(stickers: string): void {
    if (stickers === this.#drawn) return;
    this.#drawn = stickers;
    [...stickers].forEach((letter, i) => {
      this.#squares[i]?.setAttribute("fill", flatColour(letter));
      const text = this.#letters[i] as SVGTextElement;
      text.setAttribute("fill", letterColour(letter));
      text.textContent = letter;
    });
    this.element.setAttribute("aria-label", `The cube unfolded. ${describeFaces(stickers)}`);
  }
}

// The net of the cube: its six faces unfolded, with the initial of its colour on each sticker. It serves colour-blind
// visitors, and screen readers through its label. Coordinates are SVG units.

import { svg } from "../../core/dom";
import { geometryOf, type Size } from "./space";
import { letterColour, flatColour } from "./sticker-colours";
import { colourInitial, describeFaces } from "./colours";

/** Column and row of each face in the net, in the order U R F D L B. */
const FACE_CELLS: [column: number, row: number][] = [
  [1, 0],
  [2, 1],
  [1, 1],
  [1, 2],
  [0, 1],
  [3, 1],
];
/** Side of a face, gap between two faces, and gap between two stickers. */
const FACE_SIZE = 44;
const FACE_GAP = 5;
const STICKER_GAP = 2;
/** Four faces side by side and three on top of each other. */
const [WIDTH, HEIGHT] = [4 * FACE_SIZE + 3 * FACE_GAP, 3 * FACE_SIZE + 2 * FACE_GAP];

export class Net {
  readonly element = svg("svg", { class: "net", role: "img", viewBox: `0 0 ${WIDTH} ${HEIGHT}` });
  #squares: SVGRectElement[] = [];
  #letters: SVGTextElement[] = [];
  /** The stickers that are drawn. */
  #drawn = "";

  constructor(size: Size = 2) {
    const pitch = FACE_SIZE / size;
    const side = pitch - STICKER_GAP;
    this.element.classList.add(`net-${size}`);
    for (const [i] of geometryOf(size).stickers.entries()) {
      const [column, row] = FACE_CELLS[Math.floor(i / size ** 2)] as [number, number];
      // The stickers of a face, row by row.
      const x = column * (FACE_SIZE + FACE_GAP) + (i % size) * pitch + STICKER_GAP / 2;
      const y = row * (FACE_SIZE + FACE_GAP) + Math.floor((i % size ** 2) / size) * pitch + STICKER_GAP / 2;
      const square = svg("rect", { x, y, width: side, height: side, rx: side / 5, fill: "none" });
      const letter = svg("text", { x: x + side / 2, y: y + side / 2, dy: "0.36em", "text-anchor": "middle" });
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
      text.textContent = colourInitial(letter);
    });
    this.element.setAttribute("aria-label", `The cube unfolded. ${describeFaces(stickers)}`);
  }
}

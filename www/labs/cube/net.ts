// The cube unfolded, with letters: for small screens, for colour-blind eyes, and in words for those who do not see it.

import { svg } from "../../core/dom";
import { inkOn, inWords, plain } from "./sticker-colours";

/** Column and row of each face, in faces. */
const PLACES: [number, number][] = [
  [1, 0],
  [2, 1],
  [1, 1],
  [1, 2],
  [0, 1],
  [3, 1],
];
const STEP = 22;
const SIDE = 20;
const GAP = 5;
const [WIDTH, HEIGHT] = [8 * STEP + 3 * GAP, 6 * STEP + 2 * GAP];

export class Net {
  readonly element = svg("svg", { class: "net", role: "img", viewBox: `0 0 ${WIDTH} ${HEIGHT}` });
  #squares: SVGRectElement[] = [];
  #letters: SVGTextElement[] = [];
  #drawn = "";

  constructor() {
    for (let i = 0; i < 24; i++) {
      const [column, row] = PLACES[Math.floor(i / 4)] as [number, number];
      const x = column * (2 * STEP + GAP) + (i % 2) * STEP + 1;
      const y = row * (2 * STEP + GAP) + (i % 4 < 2 ? 0 : STEP) + 1;
      const square = svg("rect", { x, y, width: SIDE, height: SIDE, rx: 4 });
      const letter = svg("text", { x: x + SIDE / 2, y: y + SIDE / 2, dy: "0.36em", "text-anchor": "middle" });
      this.#squares.push(square);
      this.#letters.push(letter);
      this.element.append(square, letter);
    }
  }

  draw(stickers: string): void {
    if (stickers === this.#drawn) return;
    this.#drawn = stickers;
    [...stickers].forEach((letter, i) => {
      this.#squares[i]?.setAttribute("fill", plain(letter));
      const text = this.#letters[i] as SVGTextElement;
      text.setAttribute("fill", inkOn(letter));
      text.textContent = letter;
    });
    this.element.setAttribute("aria-label", `The cube unfolded. ${inWords(stickers)}`);
  }
}

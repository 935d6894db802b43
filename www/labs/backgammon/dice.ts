// The dice on the board, in the half on the right of the side that rolled them. Dice already played are faded.
// Measures are in units of the board (see board-layout.ts).

import { svg } from "../../core/dom";
import { reducedMotion } from "../../core/theme";
import type { BoardLayout } from "./board-layout";
import { SOUTH, type Side } from "./position";

const DIE_SIZE = 42;
const CORNER_RADIUS = 9;
const PIP_RADIUS = 4.1;
const PIP_SPACING = 11;
/** `PIPS[n]` are the positions of the pips of the number n, in steps of `PIP_SPACING` from the centre. */
const PIPS: [number, number][][] = [
  [],
  [[0, 0]],
  [
    [-1, -1],
    [1, 1],
  ],
  [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
];

export class DicePair {
  readonly element = svg("g", { class: "dice" });
  /** Identifies the roll that is shown. */
  #shownKey = "";
  /** The numbers to play: two, or four after a double. */
  #numbers: number[] = [];

  /** Shows a roll, the larger number first; zeros show no dice. With `animateAfterMs` it is thrown after that time. */
  show(layout: BoardLayout, side: Side, dice: readonly [number, number], animateAfterMs?: number): void {
    const key = `${layout.rotated} ${side} ${dice.join()}`;
    if (key === this.#shownKey && animateAfterMs === undefined) return;
    this.#shownKey = key;
    const [high, low] = dice;
    this.#numbers = high === low ? [high, high, high, high] : [high, low];
    if (high === 0) this.#numbers = [];
    this.element.replaceChildren(
      ...this.#numbers.map((number, i) => {
        const { x, y } = layout.die(side, i, this.#numbers.length);
        const die = svg(
          "g",
          { class: side === SOUTH ? "die south" : "die north" },
          svg("rect", { x: -DIE_SIZE / 2, y: -DIE_SIZE / 2, width: DIE_SIZE, height: DIE_SIZE, rx: CORNER_RADIUS }),
          ...(PIPS[number] ?? []).map(([a, b]) =>
            svg("circle", { cx: a * PIP_SPACING, cy: b * PIP_SPACING, r: PIP_RADIUS }),
          ),
        );
        die.style.transform = `translate(${x}px, ${y}px)`;
        if (animateAfterMs !== undefined && !reducedMotion()) {
          const from = `translate(${x}px, ${y - 14}px) rotate(${i % 2 === 0 ? -70 : 60}deg) scale(0.7)`;
          die.animate([{ transform: from, opacity: 0 }, {}], {
            duration: 280,
            delay: animateAfterMs + i * 40,
            easing: "cubic-bezier(0.2, 1.2, 0.4, 1)",
            fill: "backwards",
          });
        }
        return die;
      }),
    );
  }

  /** Fades the dice that the given moves have used. Bearing off may use a larger number than the distance. */
  fadePlayed(moves: readonly { from: number; to: number }[]): void {
    const unused = this.#numbers.map((number, i) => ({ number, i }));
    const spent = new Set<number>();
    for (const { from, to } of moves) {
      const exact = unused.findIndex(({ number }) => number === from - to);
      const larger = unused.findIndex(({ number }) => number > from - to);
      const [used] = unused.splice(Math.max(0, exact >= 0 ? exact : larger), 1);
      if (used) spent.add(used.i);
    }
    [...this.element.children].forEach((die, i) => die.classList.toggle("spent", spent.has(i)));
  }
}

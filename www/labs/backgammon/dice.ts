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
/** A thrown die falls from this height while it turns by these degrees, the second die the other way. */
const THROW_HEIGHT = 14;
const THROW_DEGREES = [-70, 60] as const;
/** Duration of a throw, and how much later the next die is thrown. */
const THROW_MS = 280;
const NEXT_DIE_MS = 40;
/** `PIPS[n]` are the positions [x, y] of the pips of the number n, in steps of `PIP_SPACING` from the centre. */
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
  /** The roll that is shown, as text; it is drawn again only if it changes. */
  #shownKey = "";
  /** The numbers to play: two, or four after a double. */
  #numbers: number[] = [];

  /** Shows a roll in this order; zeros show no dice. With `animateAfterMs` it is thrown after that time. */
  show(layout: BoardLayout, side: Side, dice: readonly [number, number], animateAfterMs?: number): void {
    const key = `${layout.rotated} ${side} ${dice.join()}`;
    if (key === this.#shownKey && animateAfterMs === undefined) return;
    this.#shownKey = key;
    const [first, second] = dice;
    this.#numbers = first === second ? [first, first, first, first] : [first, second];
    if (first === 0) this.#numbers = [];
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
          const degrees = THROW_DEGREES[i % 2] as number;
          const from = `translate(${x}px, ${y - THROW_HEIGHT}px) rotate(${degrees}deg) scale(0.7)`;
          die.animate([{ transform: from, opacity: 0 }, {}], {
            duration: THROW_MS,
            delay: animateAfterMs + i * NEXT_DIE_MS,
            easing: "cubic-bezier(0.2, 1.2, 0.4, 1)",
            fill: "backwards",
          });
        }
        return die;
      }),
    );
  }

  /**
   * Fades the dice that the given moves have used: for each move a die with its distance, or, for a checker that was
   * borne off with a larger number than its distance, a larger die.
   */
  fadePlayed(moves: readonly { from: number; to: number }[]): void {
    const unused = this.#numbers.map((number, i) => ({ number, i }));
    /** Indices of the used dice. */
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

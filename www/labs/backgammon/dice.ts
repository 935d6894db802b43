// The dice on the board, on the half of the side that rolled them. Dice already played are faded.

import { svg } from "../../core/dom";
import { reducedMotion } from "../../core/theme";
import type { BoardLayout } from "./board-layout";
import type { Side } from "./position";

const SIZE = 42;
const PIP = 11;
/** Positions of the pips, in steps of `PIP` from the centre. */
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
  #shown = "";
  #numbers: number[] = [];

  /** Shows a roll. A `fresh` one is animated after `wait` milliseconds. */
  show(layout: BoardLayout, side: Side, dice: readonly [number, number], fresh: boolean, wait: number): void {
    const key = `${layout.turned} ${side} ${dice.join()}`;
    if (key === this.#shown && !fresh) return;
    this.#shown = key;
    const [high, low] = dice;
    this.#numbers = high === low ? [high, high, high, high] : [high, low];
    if (high === 0) this.#numbers = [];
    this.element.replaceChildren(
      ...this.#numbers.map((number, i) => {
        const { x, y } = layout.die(side, i, this.#numbers.length);
        const die = svg(
          "g",
          { class: side === 0 ? "die south" : "die north" },
          svg("rect", { x: -SIZE / 2, y: -SIZE / 2, width: SIZE, height: SIZE, rx: 9 }),
          ...(PIPS[number] ?? []).map(([a, b]) => svg("circle", { cx: a * PIP, cy: b * PIP, r: 4.1 })),
        );
        die.style.transform = `translate(${x}px, ${y}px)`;
        if (fresh && !reducedMotion()) {
          const from = `translate(${x}px, ${y - 14}px) rotate(${i % 2 === 0 ? -70 : 60}deg) scale(0.7)`;
          die.animate([{ transform: from, opacity: 0 }, {}], {
            duration: 280,
            delay: wait + i * 40,
            easing: "cubic-bezier(0.2, 1.2, 0.4, 1)",
            fill: "backwards",
          });
        }
        return die;
      }),
    );
  }

  /** Fades the dice that the given moves have used. Bearing off may use a larger die than the distance. */
  fadePlayed(moves: readonly { from: number; to: number }[]): void {
    const left = this.#numbers.map((number, i) => ({ number, i }));
    const spent = new Set<number>();
    for (const { from, to } of moves) {
      const exact = left.findIndex(({ number }) => number === from - to);
      const larger = left.findIndex(({ number }) => number > from - to);
      const [used] = left.splice(Math.max(0, exact >= 0 ? exact : larger), 1);
      if (used) spent.add(used.i);
    }
    [...this.element.children].forEach((die, i) => die.classList.toggle("spent", spent.has(i)));
  }
}

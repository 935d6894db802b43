// The predicted result as one bar: south's wins from the left, its losses from the right, each divided into single
// games, gammons and backgammons.

import { el, write } from "../../core/dom";
import { formatPercent, formatPoints, playerName } from "./wording";
import type { BackgammonPlayers } from "../../generated/protocol";

/** The parts from left to right: class, name, and probability computed from the six numbers of an outlook. */
const PARTS: [string, string, (o: ArrayLike<number>) => number][] = [
  ["won three", "backgammon", (o) => at(o, 2)],
  ["won two", "gammon", (o) => at(o, 1) - at(o, 2)],
  ["won one", "single game", (o) => at(o, 0) - at(o, 1)],
  ["lost one", "single game", (o) => 1 - at(o, 0) - at(o, 3)],
  ["lost two", "gammon", (o) => at(o, 3) - at(o, 4)],
  ["lost three", "backgammon", (o) => at(o, 4)],
];

function at(numbers: ArrayLike<number>, i: number): number {
  return numbers[i] ?? 0;
}

export class Outlook {
  readonly element: HTMLElement;
  #parts = PARTS.map(([name]) => el("span", { class: `outlook-part ${name}` }));
  #south = figures();
  #north = figures();
  #equity = el("b", { class: "num outlook-equity" });

  constructor() {
    this.element = el(
      "figure",
      { class: "outlook" },
      el(
        "figcaption",
        {},
        this.#south.element,
        el("span", { class: "outlook-middle", title: "Equity of the lower side, in points" }, this.#equity),
        this.#north.element,
      ),
      el("div", { class: "outlook-bar", "aria-hidden": "true" }, ...this.#parts),
    );
  }

  draw(players: BackgammonPlayers, outlook: ArrayLike<number>): void {
    PARTS.forEach(([, name, share], i) => {
      const part = this.#parts[i] as HTMLElement;
      const size = Math.max(0, share(outlook));
      part.style.flexGrow = size.toFixed(4);
      part.title = `${name} ${formatPercent(size)}`;
    });
    const you = playerName(players, 0) === "You";
    this.#south.draw(you ? "You win" : "Light wins", at(outlook, 0), at(outlook, 1), at(outlook, 2));
    this.#north.draw(you ? "It wins" : "Dark wins", 1 - at(outlook, 0), at(outlook, 3), at(outlook, 4));
    write(this.#equity, formatPoints(at(outlook, 5)));
  }
}

/** The figures of one side. */
function figures() {
  const who = el("span", {});
  const win = el("b", { class: "num" });
  const gammon = el("span", { class: "num" });
  const backgammon = el("span", { class: "num" });
  const more = el("span", { class: "quiet" }, "gammon ", gammon, " backgammon ", backgammon);
  return {
    element: el("span", { class: "outlook-side" }, el("span", { class: "outlook-win" }, who, " ", win), more),
    draw(name: string, won: number, gammons: number, backgammons: number) {
      write(who, name);
      write(win, formatPercent(won));
      write(gammon, formatPercent(gammons));
      write(backgammon, formatPercent(backgammons));
    },
  };
}

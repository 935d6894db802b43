// The predicted result of the game as one bar: south's wins from the left, its losses from the right, each divided into
// single games, gammons (double) and backgammons (triple). The same parts stand above it in numbers, each beside its
// colour in the bar, and add up to the wins of their side. South is the lower side.

import { el, write } from "../../core/dom";
import { formatShare } from "../../core/format";
import { term } from "../../ui/term";
import { NORTH, SOUTH } from "./position";
import { describeLead, percentOf, winner, winParts } from "./wording";
import type { BackgammonPlayers } from "../../generated/protocol";

/**
 * Indices of an outlook's six numbers: five probabilities for south, and south's equity (the expected points per game).
 * The probability of a win includes that of a gammon, which includes that of a backgammon.
 */
const [WIN, WIN_GAMMON, WIN_BACKGAMMON, LOSE_GAMMON, LOSE_BACKGAMMON] = [0, 1, 2, 3, 4];
export const EQUITY_INDEX = 5;

/** The parts of the bar from left to right: CSS classes, name, and the probability computed from an outlook `p`. */
const BAR_PARTS: [className: string, name: string, probability: (p: ArrayLike<number>) => number][] = [
  ["won three", "backgammon (counts triple)", (p) => get(p, WIN_BACKGAMMON)],
  ["won two", "gammon (counts double)", (p) => get(p, WIN_GAMMON) - get(p, WIN_BACKGAMMON)],
  ["won one", "single game", (p) => get(p, WIN) - get(p, WIN_GAMMON)],
  ["lost one", "single game", (p) => 1 - get(p, WIN) - get(p, LOSE_GAMMON)],
  ["lost two", "gammon (counts double)", (p) => get(p, LOSE_GAMMON) - get(p, LOSE_BACKGAMMON)],
  ["lost three", "backgammon (counts triple)", (p) => get(p, LOSE_BACKGAMMON)],
];

/** A number of an outlook. None is missing; the type of an array element allows that. */
function get(numbers: ArrayLike<number>, i: number): number {
  return numbers[i] ?? 0;
}

export class Outlook {
  readonly element: HTMLElement;
  #parts = BAR_PARTS.map(([className]) => el("span", { class: `outlook-part ${className}` }));
  #south = createSideElements("won");
  #north = createSideElements("lost");
  #equity = el("b", { class: "num outlook-equity" });
  #leader = el("span", {});

  constructor() {
    this.element = el(
      "figure",
      { class: "outlook" },
      el(
        "figcaption",
        {},
        this.#south.element,
        el(
          "span",
          { class: "outlook-middle" },
          el("span", { class: "quiet" }, "estimated ", term("equity", "equity"), ": "),
          this.#leader,
          " ",
          this.#equity,
          " points a game",
        ),
        this.#north.element,
      ),
      el("div", { class: "outlook-bar", "aria-hidden": "true" }, ...this.#parts),
    );
  }

  draw(players: BackgammonPlayers, outlook: ArrayLike<number>): void {
    BAR_PARTS.forEach(([, name, probability], i) => {
      const part = this.#parts[i] as HTMLElement;
      // A network may predict more gammons than wins.
      const share = Math.max(0, probability(outlook));
      part.style.flexGrow = share.toFixed(4);
      part.title = `${name} ${formatShare(share)}`;
    });
    const [win, lose] = [get(outlook, WIN), 1 - get(outlook, WIN)];
    this.#south.draw(winner(players, SOUTH), win, get(outlook, WIN_GAMMON), get(outlook, WIN_BACKGAMMON));
    this.#north.draw(winner(players, NORTH), lose, get(outlook, LOSE_GAMMON), get(outlook, LOSE_BACKGAMMON));
    const [leader, points] = describeLead(players, get(outlook, EQUITY_INDEX));
    write(this.#leader, leader);
    write(this.#equity, points);
  }
}

/**
 * The probability that a side wins, and its parts: single games, gammons and backgammons. `tint` is theirs in the bar.
 */
function createSideElements(tint: "won" | "lost") {
  // A colour, its number and what it means stay in one line.
  const kind = (part: string, ...words: (HTMLElement | string)[]) =>
    el("span", { class: "outlook-kind" }, el("span", { class: `outlook-key ${tint} ${part}` }), ...words);
  const who = el("span", {});
  const win = el("b", { class: "num" });
  const [single, gammon, backgammon] = [0, 1, 2].map(() => el("span", { class: "num" })) as [
    HTMLElement,
    HTMLElement,
    HTMLElement,
  ];
  const more = el(
    "span",
    { class: "quiet" },
    kind("one", single, " single,"),
    " ",
    kind("two", gammon, " ", term("gammon", "gammon"), ","),
    " ",
    kind("three", backgammon, " ", term("backgammon", "backgammon")),
  );
  return {
    element: el("span", { class: "outlook-side" }, el("span", {}, el("b", {}, who, " ", win), ":"), more),
    draw(label: string, won: number, gammons: number, backgammons: number) {
      write(who, label);
      write(win, `${percentOf(won)}%`);
      winParts(won, gammons, backgammons).forEach((part, i) =>
        write([single, gammon, backgammon][i] as HTMLElement, `${part}%`),
      );
    },
  };
}

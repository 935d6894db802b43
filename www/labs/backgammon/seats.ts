// The two name plates above the board. Each shows a player, the pip count (how far its checkers still have to move in
// total) and the score so far.

import { el, write } from "../../core/dom";
import { formatInteger } from "../../core/format";
import { term } from "../../ui/term";
import { pipCount, SIDES, type Position } from "./position";
import type { BackgammonStage } from "../../generated/protocol";
import { playerName } from "./wording";

export class Seats {
  readonly element: HTMLElement;
  #plates = [createPlate("south"), createPlate("north")] as const;

  constructor() {
    const [south, north] = this.#plates;
    this.element = el("div", { class: "seats" }, south.element, north.element);
  }

  /** `result` is 0 until the game is over. After that no side is marked as the one to move. */
  draw({ players, side: sideToMove, result, score }: BackgammonStage, position: Position): void {
    for (const side of SIDES) {
      const { element, name, pips, score: points } = this.#plates[side];
      write(name, playerName(players, side));
      write(pips, formatInteger(pipCount(position, side)));
      write(points, formatInteger(score[side]));
      element.classList.toggle("on-roll", result === 0 && sideToMove === side);
    }
  }
}

function createPlate(side: "south" | "north") {
  const name = el("b", { class: "seat-name" });
  const pips = el("b", { class: "num" });
  const score = el("b", { class: "num" });
  const element = el(
    "div",
    { class: `seat ${side}` },
    el("span", { class: "seat-disc", "aria-hidden": "true" }),
    name,
    el("span", { class: "seat-figure" }, term("pip count", "pip count"), " ", pips),
    el("span", { class: "seat-figure", title: "Points won in this series of games on the board" }, "points ", score),
  );
  return { element, name, pips, score };
}

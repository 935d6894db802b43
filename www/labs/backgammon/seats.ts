// The two plates above the board: player, pip count and points won.

import { el, write } from "../../core/dom";
import { formatInteger } from "../../core/format";
import { pipCount, type Position, type Side } from "./position";
import type { BackgammonStage } from "../../generated/protocol";
import { playerName } from "./wording";

export class Seats {
  readonly element: HTMLElement;
  #plates = [plate("south"), plate("north")] as const;

  constructor() {
    const [south, north] = this.#plates;
    this.element = el("div", { class: "seats" }, south.element, north.element);
  }

  draw({ players, side, result, score }: BackgammonStage, at: Position): void {
    this.#plates.forEach((each, i) => {
      const own = i as Side;
      write(each.name, playerName(players, own));
      write(each.pips, formatInteger(pipCount(at, own)));
      write(each.score, formatInteger(score[own]));
      each.element.classList.toggle("on-roll", result === 0 && side === own);
    });
  }
}

function plate(side: "south" | "north") {
  const name = el("b", { class: "seat-name" });
  const pips = el("b", { class: "num" });
  const score = el("b", { class: "num" });
  const element = el(
    "div",
    { class: `seat ${side}` },
    el("span", { class: "seat-disc", "aria-hidden": "true" }),
    name,
    el("span", { class: "seat-figure", title: "Pip count: how far its checkers still have to move" }, pips, " pips"),
    el("span", { class: "seat-figure", title: "Points won in this series of games" }, score, " won"),
  );
  return { element, name, pips, score };
}

// The game as a list of turns in standard notation. A turn that was an error shows its cost: how much equity (expected
// points per game) it gave away against the best play. Choosing a turn shows the board before it (a review).

import { el, listen, write } from "../../core/dom";
import { PASS, type RecordedTurn } from "./game-record";
import { NORTH } from "./position";
import { describeError, formatLoss } from "./wording";

interface Row {
  element: HTMLButtonElement;
  dice: HTMLElement;
  play: HTMLElement;
  cost: HTMLElement;
}

export class MoveList {
  readonly element: HTMLElement;
  #list = el("ol", { class: "moves" });
  #empty = el("p", { class: "quiet moves-none", text: "No turn has been played yet." });
  #rows: Row[] = [];
  /** What the list shows, as text; it is drawn again only if it changes. */
  #drawnKey = "";

  constructor(readonly review: (turn: number) => void) {
    this.element = el(
      "figure",
      { class: "game" },
      el(
        "figcaption",
        {},
        el("span", { text: "Game record" }),
        el("span", { class: "quiet", text: "click a turn to review it" }),
      ),
      el("div", { class: "moves-box" }, this.#empty, this.#list),
    );
  }

  /** `costs` has one entry per turn. `reviewed` is the index of the turn that is shown on the board, if any. */
  draw(record: RecordedTurn[], costs: ArrayLike<number>, reviewed: number | null): void {
    const key = `${record.length} ${record.at(-1)?.notation} ${record[0]?.side} ${reviewed}`;
    if (key === this.#drawnKey) return;
    this.#drawnKey = key;
    this.#empty.hidden = record.length > 0;
    // South's turns stand in the first column. If north starts, the first cell stays empty.
    const northStarts = record[0]?.side === NORTH;
    while (this.#rows.length < record.length) this.#rows.push(this.#row(this.#rows.length));
    while (this.#rows.length > record.length) this.#rows.pop()?.element.parentElement?.remove();
    record.forEach(({ dice, notation }, i) => {
      const { element, dice: numbers, play, cost } = this.#rows[i] as Row;
      const equityLost = costs[i] ?? 0;
      const error = describeError(equityLost);
      write(numbers, dice.join(""));
      write(play, notation === PASS ? "no play" : notation);
      write(cost, error === "" ? "" : formatLoss(equityLost));
      cost.className = `num move-cost ${error.replace(" ", "-")}`;
      element.title = error === "" ? "" : `A ${error} play`;
      element.setAttribute("aria-pressed", String(reviewed === i));
    });
    (this.#rows[0]?.element.parentElement as HTMLElement | undefined)?.classList.toggle("second", northStarts);
    // The latest turn stays in sight.
    const box = this.#list.parentElement as HTMLElement;
    if (reviewed === null) box.scrollTop = box.scrollHeight;
  }

  #row(i: number): Row {
    const [dice, play, cost] = [
      el("span", { class: "num move-dice" }),
      el("span", { class: "move-play" }),
      el("span", { class: "num move-cost" }),
    ];
    const element = el("button", { type: "button", class: "move" }, dice, play, cost);
    listen(element, { click: () => this.review(i) });
    this.#list.append(el("li", {}, element));
    return { element, dice, play, cost };
  }
}

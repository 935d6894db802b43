// The game record: a column for each side, with its turns: dice, and the play in standard notation. A turn that was an
// error shows its equity loss: how much lower its equity (expected points per game) is than that of the best play.
// Clicking a turn reviews it: the board then shows the position before its play.

import { el, listen, write } from "../../core/dom";
import { term } from "../../ui/term";
import type { BackgammonPlayers } from "../../generated/protocol";
import { PASS, type RecordedTurn } from "./game-record";
import { NORTH, SIDES } from "./position";
import { describeError, formatLoss, playerName } from "./wording";

interface Row {
  element: HTMLButtonElement;
  /** Whose turn it was, for screen readers, which do not see the column. */
  side: HTMLElement;
  dice: HTMLElement;
  play: HTMLElement;
  equityLoss: HTMLElement;
}

export class MoveList {
  readonly element: HTMLElement;
  #list = el("ol", { class: "moves" });
  #empty = el("p", { class: "quiet moves-none", text: "No turn has been played yet." });
  #rows: Row[] = [];
  /** The heads of the columns: whose they are, and that of the losses. */
  #heads = SIDES.map((side) => {
    const [name, loss] = [el("b", {}), el("span", { class: "move-loss", text: "points lost" })];
    const head = el("span", { class: "moves-head" }, name, ": dice, ", term("play", "play notation"), loss);
    return { side, name, loss, head };
  });
  /** All that was drawn last, as text. The list is drawn again only when it changes. */
  #drawnKey = "";

  constructor(readonly onReview: (turn: number) => void) {
    this.element = el(
      "figure",
      { class: "game" },
      el(
        "figcaption",
        {},
        el("span", { text: "Game record" }),
        el("span", { class: "quiet", text: "press a turn to review it" }),
      ),
      el(
        "div",
        { class: "moves-box" },
        el("p", { class: "moves-heads quiet" }, ...this.#heads.map(({ head }) => head)),
        this.#empty,
        this.#list,
      ),
    );
  }

  /**
   * `equityLosses` has one entry per turn, NaN while its loss is unknown. `reviewed` is the index of the turn under
   * review, if any.
   */
  draw(
    players: BackgammonPlayers,
    record: RecordedTurn[],
    equityLosses: ArrayLike<number>,
    reviewed: number | null,
  ): void {
    const key = JSON.stringify([players, record, Array.from(equityLosses), reviewed]);
    if (key === this.#drawnKey) return;
    this.#drawnKey = key;
    this.#empty.hidden = record.length > 0;
    for (const { side, name, loss } of this.#heads) {
      write(name, playerName(players, side));
      loss.hidden = !record.some((turn, i) => turn.side === side && describeError(equityLosses[i] ?? NaN) !== "");
    }
    while (this.#rows.length < record.length) this.#addRow();
    while (this.#rows.length > record.length) this.#rows.pop()?.element.parentElement?.remove();
    record.forEach(({ side, dice, notation }, i) => {
      const row = this.#rows[i] as Row;
      const equityLoss = equityLosses[i] ?? NaN;
      const error = describeError(equityLoss);
      write(row.side, `${playerName(players, side)}: `);
      write(row.dice, dice.join("-"));
      write(row.play, notation === PASS ? "no legal play" : notation);
      write(row.equityLoss, error === "" ? "" : formatLoss(equityLoss));
      row.equityLoss.className = `num move-loss ${error.replace(" ", "-")}`;
      row.element.title =
        error === ""
          ? ""
          : `A ${error} play: it lost ${formatLoss(equityLoss).replace("−", "")} points a game on average`;
      row.element.setAttribute("aria-pressed", String(reviewed === i));
    });
    // The sides take turns, South's in the first column. If North starts, the first cell is left empty.
    const firstCell = this.#rows[0]?.element.parentElement as HTMLElement | undefined;
    firstCell?.classList.toggle("second-column", record[0]?.side === NORTH);
    // The latest turn stays in view unless a turn is under review.
    const box = this.#list.parentElement as HTMLElement;
    if (reviewed === null) box.scrollTop = box.scrollHeight;
  }

  #addRow(): void {
    const i = this.#rows.length;
    const [side, dice, play, equityLoss] = [
      el("span", { class: "unseen" }),
      el("span", { class: "num move-dice" }),
      el("span", { class: "move-play" }),
      el("span", { class: "num move-loss" }),
    ];
    const element = el("button", { type: "button", class: "move" }, side, dice, play, equityLoss);
    listen(element, { click: () => this.onReview(i) });
    this.#list.append(el("li", {}, element));
    this.#rows.push({ element, side, dice, play, equityLoss });
  }
}

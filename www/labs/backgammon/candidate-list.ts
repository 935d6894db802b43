// The list of the candidate plays of the side on roll, ordered by that side's equity, the expected result in points per
// game, as the agent judges it without looking ahead. If a search runs beside it, each play also has its share of the
// visits, as a number and as a bar; it may prefer another play. Pointing at a play shows it on the board.

import { el, listen, write } from "../../core/dom";
import { formatCount, formatInteger, formatShare } from "../../core/format";
import { term } from "../../ui/term";
import { NORTH, type Side } from "./position";
import { formatLoss, formatPoints, lower, playerName } from "./wording";
import type { BackgammonCandidate, BackgammonStage } from "../../generated/protocol";

/** How many plays are listed at most. */
const MAX_ROWS = 5;
/** Without a search, a play's bar is full for the best play and empty for one that loses this much equity. */
const EMPTY_BAR_COST = 0.3;
const VISITS_HELP =
  "How often a small tree search (MCTS), which looks ahead, tried this play. The list is in the order of equity, judged without looking ahead, so the longest bar may stand lower";

export class CandidateList {
  readonly element: HTMLElement;
  #rows = Array.from({ length: MAX_ROWS }, (_, i) => createRow(i));
  #count = el("span", { class: "quiet num" });
  #list: HTMLElement;
  /** For whom the plays are. */
  #whose = el("span", {});
  #title = el("span", {}, this.#whose, ", highest ", term("equity", "equity"), " first");
  #visitsHead = el("span", { text: "share of search (bar)", title: VISITS_HELP });
  #head = el(
    "p",
    { class: "candidate-text candidate-head quiet" },
    // The numbers at the board are those of the side below.
    el("span", {}, term("play", "play notation"), ", numbered from its side"),
    this.#visitsHead,
    el("span", {}, term("equity", "equity"), " ↓"),
  );
  #veilText = el("span", {});
  #veil = el("button", { type: "button", class: "veil" }, this.#veilText, " ", el("kbd", { text: "H" }));
  /** The index of the row that is under the pointer or has the focus. */
  #pointed: number | null = null;

  /** `pointedChanged` is called when the pointer enters or leaves a row, `reveal` to show the hidden list. */
  constructor(pointedChanged: () => void, reveal: () => void) {
    this.#rows.forEach(({ element }, i) => {
      const point = (row: number | null) => () => {
        this.#pointed = row;
        pointedChanged();
      };
      listen(element, {
        pointerenter: point(i),
        focus: point(i),
        pointerleave: point(null),
        blur: point(null),
      });
    });
    listen(this.#veil, { click: reveal });
    this.#list = el("ol", { class: "candidates" }, ...this.#rows.map(({ element }) => element));
    this.element = el(
      "figure",
      { class: "candidates-figure" },
      el("figcaption", {}, this.#title, this.#count),
      this.#head,
      el("div", { class: "candidates-box" }, this.#list, this.#veil),
    );
  }

  /** The index of the play that is pointed at. */
  get pointed(): number | null {
    return this.#pointed;
  }

  /**
   * `hidden` covers the list with a button, until the visitor asks for a hint. `result` is 0 until the game is over.
   */
  draw({ players, side, dice, candidates, plays, simulations, result }: BackgammonStage, hidden: boolean): void {
    this.element.classList.toggle("candidates-hidden", hidden);
    this.#list.inert = hidden;
    this.#veil.hidden = !hidden;
    write(this.#veilText, `Show ${lower(playerName(players, NORTH))}'s best plays`);
    const count = candidates.length === 0 ? "no legal play" : formatCount(plays, "play");
    // Before the roll there are no plays.
    write(this.#count, result !== 0 || dice[0] === 0 ? "" : count);
    this.#count.title = simulations > 0 ? `${formatInteger(simulations)} simulations` : "";
    this.#head.hidden = candidates.length === 0;
    this.#visitsHead.hidden = simulations === 0;
    const name = lower(playerName(players, side as Side));
    write(this.#whose, `Best plays for ${name}`);
    const best = candidates[0]?.equity ?? 0;
    this.#rows.forEach((row, i) => row.draw(candidates[i] ?? null, best, simulations > 0));
  }
}

/** The elements of row `i` of the list. */
function createRow(i: number) {
  const name = el("span", { class: "candidate-name" });
  const visits = el("span", {
    class: "num candidate-visits quiet",
    title: VISITS_HELP,
  });
  const value = el("span", { class: "num candidate-value" });
  const bar = el("span", { class: "candidate-bar" });
  const element = el(
    "li",
    { class: "candidate", tabindex: 0 },
    el("span", { class: "candidate-text" }, name, visits, value),
    el("span", { class: "candidate-track" }, bar),
  );
  return {
    element,
    /** Shows a candidate, or nothing. `best` is the equity of the best play. */
    draw(candidate: BackgammonCandidate | null, best: number, searched: boolean) {
      element.classList.toggle("none", candidate === null);
      if (!candidate) {
        for (const part of [name, visits, value]) write(part, "");
        bar.style.transform = "scaleX(0)";
        return;
      }
      write(name, candidate.notation);
      write(visits, searched ? formatShare(candidate.visits) : "");
      write(value, formatPoints(candidate.equity));
      const loss = i === 0 ? "" : `${formatLoss(best - candidate.equity, 3)} against the best play; `;
      value.title = `Equity: points a game on average; ${loss}win probability ${formatShare(candidate.outcomes[0] ?? NaN)}`;
      const share = searched ? candidate.visits : 1 - (best - candidate.equity) / EMPTY_BAR_COST;
      bar.style.transform = `scaleX(${Math.max(0, Math.min(1, share)).toFixed(3)})`;
    },
  };
}

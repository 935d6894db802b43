// Two lines below the board: the state of the game, and the cost of the visitor's last play.

import { el, listen, write } from "../../core/dom";
import { PASS, type RecordedTurn } from "./game-record";
import type { BackgammonReview, BackgammonStage } from "../../generated/protocol";
import type { Turn } from "./turn";
import { describeError, describeResult, formatLoss, playerName } from "./wording";
import type { Side } from "./position";

export class StatusText {
  readonly element: HTMLElement;
  #now = el("p", { class: "status-now", role: "status" });
  #verdict = el("p", { class: "status-verdict" });
  #words = el("span", {});
  #show = el("button", { type: "button", class: "link", text: "Show" });
  #return = el("button", { type: "button", class: "link", text: "Back to the game" });
  #text = el("span", {});
  /** The place chosen by keys, for those who do not see the board. */
  #pointed = el("p", { class: "unseen", "aria-live": "assertive" });
  #reviewed: BackgammonReview | null = null;

  constructor(look: (turn: number | null) => void) {
    this.#now.append(this.#text, " ", this.#return);
    this.#verdict.append(this.#words, " ", this.#show);
    listen(this.#show, { click: () => this.#reviewed && look(this.#reviewed.turn) });
    listen(this.#return, { click: () => look(null) });
    this.element = el("div", { class: "status-text" }, this.#now, this.#verdict, this.#pointed);
  }

  draw(
    stage: BackgammonStage,
    turn: Turn | null,
    game: RecordedTurn[],
    reviewed: number | null,
    pointed: string,
  ): void {
    write(this.#pointed, pointed);
    this.#return.hidden = reviewed === null;
    write(this.#text, reviewed === null ? describeNow(stage, turn) : describeEarlier(stage, game, reviewed));
    this.#reviewed = stage.review;
    write(this.#words, stage.review ? describeVerdict(stage.review) : "");
    this.#verdict.className = `status-verdict ${describeError(stage.review?.cost ?? 0).replace(" ", "-")}`;
    this.#verdict.hidden = stage.players === "watch";
    this.#show.hidden =
      stage.review === null || reviewed === stage.review.turn || describeError(stage.review.cost) === "";
  }
}

export function describeNow(stage: BackgammonStage, turn: Turn | null): string {
  const { players, side, dice, candidates, result } = stage;
  if (result !== 0) return `${describeResult(players, result)}.`;
  const who = playerName(players, side as Side);
  const roll = dice[0] === dice[1] ? `double ${dice[0]}` : `${dice[0]} and ${dice[1]}`;
  if (turn?.done) return "Done, or take it back?";
  return `${who} rolled ${roll}${candidates.length === 0 ? " and cannot move" : ""}.`;
}

function describeEarlier({ players }: BackgammonStage, game: RecordedTurn[], reviewed: number): string {
  const recorded = game[reviewed];
  if (!recorded) return "";
  const played = recorded.notation === PASS ? "could not move" : `played ${recorded.notation}`;
  return `Turn ${reviewed + 1}: ${playerName(players, recorded.side)} rolled ${recorded.dice.join(" ")} and ${played}.`;
}

/** The evaluation of a play in one sentence. */
function describeVerdict({ played, best, cost, rank, of }: BackgammonReview): string {
  if (of === 1) return `Your ${played} was the only legal play.`;
  if (rank === 1) return `Your ${played} was the best of ${of} plays.`;
  if (describeError(cost) === "") return `Your ${played} was as good as the best.`;
  return `Your ${played} cost you ${formatLoss(cost).replace("−", "")}. Better: ${best}.`;
}

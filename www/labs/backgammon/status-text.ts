// The text below the board: the state of the game, and an assessment (review) of the visitor's last play. The cost of a play
// is the equity (expected points per game) that it gave away against the best play.

import { el, listen, write } from "../../core/dom";
import { formatCount } from "../../core/format";
import { PASS, type RecordedTurn } from "./game-record";
import type { BackgammonPlayers, BackgammonReview, BackgammonStage } from "../../generated/protocol";
import type { Turn } from "./turn";
import { describeError, describeResult, formatLoss, playerName } from "./wording";
import { NORTH, type Side } from "./position";

export class StatusText {
  readonly element: HTMLElement;
  #now = el("p", { class: "status-now", role: "status" });
  #verdict = el("p", { class: "status-verdict" });
  #verdictText = el("span", {});
  #problem = el("p", { class: "status-problem", role: "alert" });
  #show = el("button", { type: "button", class: "link", text: "Show" });
  #return = el("button", { type: "button", class: "link", text: "Back to the game" });
  #nowText = el("span", {});
  /** What was played last, for screen readers. The board and the record show it. */
  #playText = el("span", { class: "unseen" });
  /** What the visitor has just done with a checker, for screen readers. */
  #moveText = el("p", { class: "unseen", "aria-live": "assertive" });
  #review: BackgammonReview | null = null;

  /** `reviewTurn` shows an earlier turn on the board, or the present one for null. */
  constructor(reviewTurn: (turn: number | null) => void) {
    this.#now.append(this.#nowText, " ", this.#playText, this.#return);
    this.#verdict.append(this.#verdictText, " ", this.#show);
    listen(this.#show, { click: () => this.#review && reviewTurn(this.#review.turn) });
    listen(this.#return, { click: () => reviewTurn(null) });
    this.element = el("div", { class: "status-text" }, this.#now, this.#problem, this.#verdict, this.#moveText);
  }

  /** Says what went wrong; an empty text ends that. */
  showProblem(text: string): void {
    write(this.#problem, text);
  }

  /**
   * `now` is the state of the game, `reviewed` the index of the turn that is shown on the board, if any, and `move`
   * what the visitor has just done with a checker.
   */
  draw(stage: BackgammonStage, now: string, record: RecordedTurn[], reviewed: number | null, move: string): void {
    write(this.#moveText, move);
    this.#return.hidden = reviewed === null;
    write(this.#nowText, reviewed === null ? now : describeEarlier(stage, record, reviewed));
    write(this.#playText, reviewed === null ? describeLastPlay(stage, record) : "");
    this.#review = stage.review;
    write(this.#verdictText, stage.review ? describeVerdict(stage.review, stage.players) : "");
    // How bad an error is, is a CSS class too: doubtful, bad or very-bad.
    this.#verdict.className = `status-verdict ${describeError(stage.review?.cost ?? 0).replace(" ", "-")}`;
    this.#verdict.hidden = stage.players === "watch";
    this.#show.hidden =
      stage.review === null || reviewed === stage.review.turn || describeError(stage.review.cost) === "";
  }
}

const HOW_TO_MOVE = "You are light: move from point 24 down to 1. Press a checker with a ring, then a dashed circle.";

/** The state of the game in a sentence or two. */
export function describeNow(stage: BackgammonStage, turn: Turn | null): string {
  const { players, side, dice, candidates, result, awaits, turn: turns } = stage;
  const isFirst = turns < 2; // of each side

  if (result !== 0) return `${describeResult(players, result)}: ${formatCount(Math.abs(result), "point")}.`;
  const name = playerName(players, side as Side);
  const roll = dice[0] === dice[1] ? `double ${dice[0]}` : `${dice[0]} and ${dice[1]}`;
  if (turn?.done) return "Press the dice or Enter to finish the turn, or undo it.";
  const rolled = `${name} rolled ${roll}${candidates.length === 0 ? " and cannot move" : ""}.`;
  // In the first turn of a game, a visitor may not know what to do.
  return isFirst && awaits ? `${rolled} ${HOW_TO_MOVE}` : rolled;
}

/** The play of the last turn in a game of the visitor. In a watched game, turns may follow each other too fast. */
export function describeLastPlay({ players }: BackgammonStage, record: RecordedTurn[]): string {
  const last = record.at(-1);
  return last && players !== "watch" ? `${playerName(players, last.side)} ${describePlayed(last)}.` : "";
}

function describePlayed({ notation }: RecordedTurn): string {
  return notation === PASS ? "could not move" : `played ${notation}`;
}

/** An earlier turn in one sentence. */
function describeEarlier({ players }: BackgammonStage, record: RecordedTurn[], reviewed: number): string {
  const recorded = record[reviewed];
  if (!recorded) return "";
  return `Turn ${reviewed + 1}: ${playerName(players, recorded.side)} rolled ${recorded.dice.join(" ")} and ${describePlayed(recorded)}.`;
}

/**
 * What the opponent's network thinks of the visitor's last play: its rank among the `of` legal plays, or its cost and
 * the best play.
 */
export function describeVerdict(
  { played, best, cost, rank, of }: Pick<BackgammonReview, "played" | "best" | "cost" | "rank" | "of">,
  players: BackgammonPlayers,
): string {
  if (of === 1) return `Your ${played} was the only legal play.`;
  const judge = playerName(players, NORTH);
  if (rank === 1) return `${judge} thinks your ${played} was the best of ${of} legal plays.`;
  if (describeError(cost) === "") return `${judge} thinks your ${played} was about as good as the best play.`;
  const lost = formatLoss(cost).replace("−", "");
  return `${judge} thinks your ${played} cost ${lost} points a game on average. It would have played ${best}.`;
}

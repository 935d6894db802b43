// Sentences about a match that was analysed. Sides are called by the names of the players.

import type {
  BackgammonAnalysedDecision,
  BackgammonAnalysedGame,
  BackgammonAnalysedMatch,
  BackgammonPlayerReport,
} from "../../../generated/protocol";
import { formatShare } from "../../../core/format";
import { PASS } from "../game-record";
import { describeError, formatLoss, formatPoints } from "../wording";

/** A decision in the list of decisions: the play, or what was done with the cube. */
export function shortDecision({ notations, cubeReview, cube, unplayed }: BackgammonAnalysedDecision): string {
  if (unplayed) return "not played";
  if (!cubeReview) return notations[0] === PASS ? "no legal play" : notations[0];
  const { chosen } = cubeReview;
  return { roll: "no double", double: `doubles to ${2 * cube}`, take: "takes", pass: "passes", beaver: "beavers" }[
    chosen
  ];
}

/** What a player did, in a sentence. */
export function describeDecision(match: BackgammonAnalysedMatch, decision: BackgammonAnalysedDecision): string {
  const { player, game, turn, dice, notations, cubeReview, cube, unplayed, plays } = decision;
  const name = match.players[player];
  const where = `Game ${game + 1}, turn ${turn + 1}: ${name}`;
  if (cubeReview) {
    const doubled = `doubled to ${2 * cube}`;
    const done = { roll: "rolled without doubling", double: doubled, take: "took", pass: "passed", beaver: "beavered" };
    return `${where} ${done[cubeReview.chosen]}.`;
  }
  const rolled = `${where} rolled ${dice.join("-")}`;
  if (unplayed) return `${rolled}, but the file does not say how it was played.`;
  if (notations[0] === PASS) return `${rolled} and could not move.`;
  return `${rolled} and played ${notations[0]}${plays === 1 ? ", the only legal play" : ""}.`;
}

/** What a decision cost and what was better; empty if there was no choice. */
export function describeVerdict(decision: BackgammonAnalysedDecision): string {
  const { cost, notations, cubeReview, plays, unplayed } = decision;
  if (unplayed || (!cubeReview && plays <= 1)) return "";
  const error = describeError(cost);
  if (error !== "") return `It lost ${formatLoss(cost).replace("−", "")} (${error}). ${describeReason(decision)}`;
  if (cubeReview)
    return cubeReview.chosen === cubeReview.best ? "That was right." : "That was about as good as the best action.";
  return notations[0] === notations[1]
    ? `That was the best of ${plays} legal plays.`
    : `That was about as good as the best play, ${notations[1]}.`;
}

/** Whether a decision is an answer to a double. */
export function isAnswer({ cubeReview }: BackgammonAnalysedDecision): boolean {
  return cubeReview !== null && ["take", "pass", "beaver"].includes(cubeReview.chosen);
}

/**
 * The equities of a play and of the best play, or of the actions of a cube decision. The equities of a cube decision
 * are those of the player on roll: if the decision is an answer, that is the opponent, who has doubled.
 */
export function describeEquities(match: BackgammonAnalysedMatch, decision: BackgammonAnalysedDecision): string {
  const {
    player,
    equities: [played, best],
    cubeEquities,
  } = decision;
  const label = `Equity for ${match.players[isAnswer(decision) ? 1 - player : player]}`;
  if (cubeEquities) {
    const [noDouble, take, pass] = [cubeEquities.noDouble, cubeEquities.doubleTake, cubeEquities.doublePass].map(
      (equity) => formatPoints(equity),
    );
    return `${label}: no double ${noDouble}, double and take ${take}, double and pass ${pass}.`;
  }
  return played === best
    ? `${label}: ${formatPoints(played)}.`
    : `${label}: ${formatPoints(played)}, best ${formatPoints(best)}.`;
}

/**
 * GNU Backgammon calls a roll with more luck than this (in equity) lucky, or very lucky; with more bad luck than this,
 * unlucky or very unlucky.
 */
const [MIN_LUCK, MIN_GREAT_LUCK] = [0.3, 0.6];

/** How lucky a roll was; empty for a cube decision. */
export function describeLuck({ luck }: BackgammonAnalysedDecision): string {
  if (luck === null) return "";
  const [size, sign] = [Math.abs(luck), luck > 0 ? "lucky" : "unlucky"];
  const word = size > MIN_GREAT_LUCK ? ` (very ${sign})` : size > MIN_LUCK ? ` (${sign})` : "";
  return `Luck of the roll: ${formatPoints(luck, 2)}${word}.`;
}

/** The error rate, as it also stands in the match's file. */
export function formatErrorRate({ errorRate }: BackgammonPlayerReport): string {
  return errorRate?.toFixed(1) ?? "–";
}

/** "Ada against Ben, match to 3 points". */
export function describeMatchFile({ players, length }: BackgammonAnalysedMatch): string {
  const points = `match to ${length} point${length === 1 ? "" : "s"}`;
  return `${players.join(" against ")}, ${length === 0 ? "money session" : points}`;
}

/** The heading of a game: its number, the score at its start, and its result. */
export function describeGame(match: BackgammonAnalysedMatch, game: BackgammonAnalysedGame, i: number): string {
  const crawford = game.crawford ? ", Crawford game" : "";
  const won = `${match.players[game.winner ?? 0]} wins ${game.points} point${game.points === 1 ? "" : "s"}`;
  return `Game ${i + 1} at ${game.score.join("–")}${crawford}: ${game.winner === null ? "not finished" : won}`;
}

/** The index of the next error after decision `from`, or before it for a `step` of -1; null if there is none. */
export function nextError(decisions: BackgammonAnalysedDecision[], from: number, step: 1 | -1): number | null {
  for (let i = from + step; i >= 0 && i < decisions.length; i += step)
    if (describeError(decisions[i]?.cost ?? 0) !== "") return i;
  return null;
}

/** Outcome probabilities: to win, to win a gammon, to lose a gammon. */
const [WIN, WIN_GAMMON, LOSE_GAMMON] = [0, 1, 3];
/** A smaller change of a chance is not worth a word. */
const MIN_CHANGE = 0.01;

/** The best action of a cube decision, in a sentence about what was better. */
const BETTER_TEXTS = {
  roll: "to roll without doubling",
  double: "to double",
  take: "to take",
  pass: "to pass",
  beaver: "to beaver",
};

/** What was better and why, by the chances before and after. */
export function describeReason({ notations, cubeReview, outcomes: [after, best] }: BackgammonAnalysedDecision): string {
  if (cubeReview) return `Better: ${BETTER_TEXTS[cubeReview.best]}, with the chances below.`;
  const change = (index: number) => (best[index] ?? 0) - (after[index] ?? 0);
  const points = (index: number) => formatShare(Math.abs(change(index)));
  const said = (index: number, more: string, less: string) =>
    Math.abs(change(index)) < MIN_CHANGE ? [] : [`${points(index)} ${change(index) > 0 ? more : less}`];
  const reasons = [
    ...said(WIN, "more wins", "fewer wins"),
    ...said(WIN_GAMMON, "more gammons won", "fewer gammons won"),
    ...said(LOSE_GAMMON, "more gammons lost", "fewer gammons lost"),
  ];
  const why = reasons.length === 0 ? "" : `: ${reasons.join(", ")}`;
  return `Better: ${notations[1]}${why}.`;
}

// A card of the trainer: a decision in which somebody made an error, with how it was judged and when it comes back.

import type {
  BackgammonAnalysedDecision,
  BackgammonAnalysedMatch,
  BackgammonMoneyRules,
} from "../../../generated/protocol";
import { isAmount, isNumber, isObject } from "../../../core/unknown";
import { isAnswer } from "../match-file/words";
import { PLACE_COUNT } from "../position";
import { describeError } from "../wording";
import { kindOf, KINDS, type Kind } from "./kind";
import { newSchedule, type Schedule } from "./schedule";

export interface Card extends Schedule {
  /** The same for the same decision, whoever made it. */
  id: string;
  kind: Kind;
  decision: BackgammonAnalysedDecision;
  /** The names of both players. */
  players: [string, string];
  /** Points that win the match; 0 for a money session. */
  length: number;
  crawford: boolean;
  /** The plies of lookahead with which the decision was judged. */
  plies: number;
  /** The rules of a money session; null in a match. */
  moneyRules: BackgammonMoneyRules | null;
}

/** The rules of cards that were kept before they had rules. */
const OLD_RULES: BackgammonMoneyRules = { jacoby: true, beavers: false };

/** Decimals of the numbers that are kept of a decision. */
const DECIMALS = 4;

/** Cards for the errors of a match: of one player, or of both for null. */
export function cardsOf(match: BackgammonAnalysedMatch, plies: number, player: number | null, now: number): Card[] {
  const { players, length, games, decisions } = match;
  const moneyRules = match.moneyRules ?? null;
  const isError = ({ cost, unplayed, cubeReview, player: who }: BackgammonAnalysedDecision) =>
    describeError(cost) !== "" &&
    !unplayed &&
    (player === null || who === player) &&
    // What a beaver would have cost is not among the equities of a cube decision.
    cubeReview?.chosen !== "beaver" &&
    cubeReview?.best !== "beaver";
  return decisions.filter(isError).map((whole) => {
    const decision = rounded(whole);
    const crawford = games[decision.game]?.crawford ?? false;
    const id = idOf(decision, length, crawford, moneyRules);
    const stakes = { players, length, crawford, plies };
    return { id, kind: kindOf(decision), decision, ...stakes, ...newSchedule(now), moneyRules };
  });
}

/** Names a decision by all that a player knows of it. */
function idOf(
  decision: BackgammonAnalysedDecision,
  length: number,
  crawford: boolean,
  moneyRules: BackgammonMoneyRules | null,
): string {
  const { board, player, dice, cube, owner, score, cubeReview } = decision;
  const question = cubeReview ? (isAnswer(decision) ? "answer" : "double") : [...dice].sort().join("");
  const { jacoby, beavers } = moneyRules ?? OLD_RULES;
  const money = `money${jacoby ? "" : ",no Jacoby"}${beavers ? ",beavers" : ""}`;
  const away = length === 0 ? money : `${length - score[0]}-${length - score[1]}${crawford ? "c" : ""}`;
  return [board.join(","), player, question, cube, owner ?? "", away].join(";");
}

/** A decision with numbers of few decimals, which take less room. */
function rounded(decision: BackgammonAnalysedDecision): BackgammonAnalysedDecision {
  const text = JSON.stringify(decision, (_, value: unknown) =>
    typeof value === "number" ? Number(value.toFixed(DECIMALS)) : value,
  );
  return JSON.parse(text) as BackgammonAnalysedDecision;
}

/** Reads a card from outside, such as from the browser's storage; null if it is none. */
export function readCard(value: unknown): Card | null {
  if (!isObject(value)) return null;
  const { id, kind, decision, players, length, crawford, plies, box, due, moneyRules = OLD_RULES } = value;
  if (typeof id !== "string" || !KINDS.includes(kind as Kind) || !isDecision(decision)) return null;
  const [first, second] = Array.isArray(players) ? (players as unknown[]) : [];
  if (typeof first !== "string" || typeof second !== "string") return null;
  if (!isAmount(length) || !isAmount(plies) || !isAmount(box) || !isNumber(due)) return null;
  if (length === 0 && !isRules(moneyRules)) return null;
  return {
    id,
    kind: kind as Kind,
    decision,
    players: [first, second],
    length,
    crawford: crawford === true,
    plies,
    box,
    due,
    moneyRules: length === 0 ? (moneyRules as BackgammonMoneyRules) : null,
  };
}

const isRules = (value: unknown): boolean =>
  isObject(value) && typeof value["jacoby"] === "boolean" && typeof value["beavers"] === "boolean";

/** The equities of a cube decision: of no double, of a double that is taken, and of one that is passed. */
const EQUITIES = ["noDouble", "doubleTake", "doublePass"];

/** Whether a cube decision and the best one are answers to the same question. */
function isReview(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { chosen, best } = value;
  return [
    ["roll", "double"],
    ["take", "pass"],
  ].some((both) => both.includes(chosen as string) && both.includes(best as string));
}

function isDecision(value: unknown): value is BackgammonAnalysedDecision {
  if (!isObject(value)) return false;
  const { board, dice, player, cube, owner, score, cost, game, turn, notations, moves, equities, outcomes } = value;
  const { cubeReview, cubeEquities } = value;
  const numbers = (list: unknown, count: number) =>
    Array.isArray(list) && list.length === count && list.every((entry) => isNumber(entry));
  const pair = (list: unknown, isEntry: (entry: unknown) => boolean) =>
    Array.isArray(list) && list.length === 2 && list.every(isEntry);
  return (
    numbers(board, PLACE_COUNT) &&
    numbers(dice, 2) &&
    numbers(score, 2) &&
    numbers(equities, 2) &&
    [cube, cost, game, turn].every(isAmount) &&
    (player === 0 || player === 1) &&
    (owner === null || owner === 0 || owner === 1) &&
    pair(notations, (entry) => typeof entry === "string") &&
    pair(moves, (entry) => Array.isArray(entry) && entry.every((number) => isNumber(number))) &&
    // The probabilities of a win, gammon and backgammon, and of a lost gammon and backgammon.
    pair(outcomes, (entry) => numbers(entry, 5)) &&
    (cubeReview === null ||
      (isReview(cubeReview) && isObject(cubeEquities) && EQUITIES.every((e) => isNumber(cubeEquities[e]))))
  );
}

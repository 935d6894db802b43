// What a visitor can choose on a card: some of the legal plays, or the actions of a cube decision, each with what it
// costs.

import type {
  BackgammonAnalysedDecision,
  BackgammonCubeChoice,
  BackgammonListedPlay,
} from "../../../generated/protocol";
import { isAnswer } from "../match-file/words";
import { describeError } from "../wording";
import type { Card } from "./card";

export interface Option {
  label: string;
  /** Equity lost beside the best option; 0 for the best. */
  cost: number;
  isBest: boolean;
  /** Whether this was chosen in the match. */
  isPlayed: boolean;
  /** The chances of wins, gammons and backgammons after a play; null for a cube action. */
  outcomes: Outcomes | null;
}

type Outcomes = BackgammonAnalysedDecision["outcomes"][0];

/** What is used of a play that the tool `plays` lists. */
export type JudgedPlay = Pick<BackgammonListedPlay, "play" | "equity" | "plies" | "outcomes">;

/** How many plays are offered at most. */
const MAX_PLAYS = 6;

/** Whether a choice counts as right: it is no error, not even a doubtful one. */
export const isRight = ({ cost }: Option): boolean => describeError(cost) === "";

/** Equities that differ by less are equal. */
const ROUNDING_TOLERANCE = 1e-9;

/**
 * The plays that are offered: the best ones, and the one that was played. They are ordered by their labels, which
 * tells nothing. `plays` are all legal plays with the best first. Without them, or if the played or the best one was judged
 * with fewer plies than the card's, only these two are offered.
 */
export function playOptions({ decision, plies }: Card, plays: readonly JudgedPlay[] | null): Option[] {
  // Both lists of the decision have the played one first, then the best.
  const [played, best] = decision.notations;
  // Plays that are far behind were judged with less lookahead, so their equities cannot be compared.
  const judged = plays?.filter((each) => each.plies === plies) ?? [];
  const [first] = judged;
  const own = judged.find(({ play }) => play === played);
  const analysed = judged.find(({ play }) => play === best);
  if (!first || !own || !analysed) {
    return byLabel([
      { label: played, cost: decision.cost, isBest: false, isPlayed: true, outcomes: decision.outcomes[0] },
      { label: best, cost: 0, isBest: true, isPlayed: false, outcomes: decision.outcomes[1] },
    ]);
  }
  // Of equal plays the best is the one that the analysis named.
  const winner = first.equity - analysed.equity < ROUNDING_TOLERANCE ? analysed : first;
  const shown = [...new Set([winner, ...judged])].slice(0, MAX_PLAYS);
  if (!shown.includes(own)) shown[shown.length - 1] = own;
  return byLabel(
    shown.map((each) => ({
      label: each.play,
      cost: Math.max(0, winner.equity - each.equity),
      isBest: each === winner,
      isPlayed: each === own,
      outcomes: each.outcomes,
    })),
  );
}

function byLabel(options: Option[]): Option[] {
  return options.sort((a, b) => b.label.localeCompare(a.label, "en", { numeric: true }));
}

const CUBE_LABELS: Record<BackgammonCubeChoice, string> = {
  roll: "No double",
  double: "Double",
  take: "Take",
  pass: "Pass",
  beaver: "Beaver",
};

/** The actions of a cube decision. Decisions about beavers make no cards. */
export function cubeOptions({ decision }: Card): Option[] {
  const { cubeReview, cubeEquities } = decision;
  if (!cubeReview || !cubeEquities) return [];
  // The equities are those of the side on roll. The opponent answers a double with what is worst for that side.
  const { noDouble, doubleTake, doublePass } = cubeEquities;
  const values: [BackgammonCubeChoice, number][] = isAnswer(decision)
    ? [
        ["take", -doubleTake],
        ["pass", -doublePass],
      ]
    : [
        ["roll", noDouble],
        ["double", Math.min(doubleTake, doublePass)],
      ];
  const best = Math.max(...values.map(([, value]) => value));
  return values.map(([choice, value]) => ({
    label: CUBE_LABELS[choice],
    // The analysis takes beavers into account, which the value of a double does not know of.
    cost: choice === cubeReview.best ? 0 : choice === cubeReview.chosen ? decision.cost : best - value,
    isBest: choice === cubeReview.best,
    isPlayed: choice === cubeReview.chosen,
    outcomes: null,
  }));
}

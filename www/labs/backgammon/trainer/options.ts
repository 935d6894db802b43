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
  /** The chances after a play, as in the outlook. */
  outcomes: Outcomes | null;
}

type Outcomes = BackgammonAnalysedDecision["outcomes"][0];

/** What is used of a play that the tool `plays` lists. */
export type JudgedPlay = Pick<BackgammonListedPlay, "play" | "equity" | "plies" | "outcomes">;

/** How many plays are offered at most. */
const MAX_PLAYS = 6;

/** Whether a choice counts as right: it is no error, not even a doubtful one. */
export const isRight = ({ cost }: Option): boolean => describeError(cost) === "";

/**
 * The plays that are offered: the best ones, and the one that was played. Their order tells nothing. `plays` are all
 * legal plays with the best first; without them only the best and the played one are known.
 */
export function playOptions({ decision, plies }: Card, plays: readonly JudgedPlay[] | null): Option[] {
  const [played, best] = decision.notations;
  if (!plays?.some(({ play }) => play === played) || !plays.some(({ play }) => play === best)) {
    return inOrder([
      { label: played, cost: decision.cost, isBest: false, isPlayed: true, outcomes: decision.outcomes[0] },
      { label: best, cost: 0, isBest: true, isPlayed: false, outcomes: decision.outcomes[1] },
    ]);
  }
  // Plays that are far behind were judged with less lookahead, so their equities cannot be compared.
  const judged = plays.filter((each) => each.plies === plies);
  const first = judged[0];
  const shown = judged.slice(0, MAX_PLAYS);
  const own = judged.find(({ play }) => play === played);
  if (own && !shown.includes(own)) shown[shown.length - 1] = own;
  const options: Option[] = shown.map(({ play, equity, outcomes }) => ({
    label: play,
    cost: Math.max(0, (first?.equity ?? equity) - equity),
    isBest: play === first?.play,
    isPlayed: play === played,
    outcomes,
  }));
  if (!own)
    options.push({ label: played, cost: decision.cost, isBest: false, isPlayed: true, outcomes: decision.outcomes[0] });
  return inOrder(options);
}

function inOrder(options: Option[]): Option[] {
  return options.sort((a, b) => b.label.localeCompare(a.label, "en", { numeric: true }));
}

const CUBE_LABELS: Record<BackgammonCubeChoice, string> = {
  roll: "No double",
  double: "Double",
  take: "Take",
  pass: "Pass",
  beaver: "Beaver",
};

/** The actions of a cube decision. */
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
    cost: best - value,
    isBest: choice === cubeReview.best,
    isPlayed: choice === cubeReview.chosen,
    outcomes: null,
  }));
}

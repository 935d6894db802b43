// The words of the table of openings.

import { ERRORS_IN_95_PERCENT } from "../look-ahead/words";
import { formatLoss, formatPoints } from "../wording";
import type { Decision, Opening, RankedPlay, Roll, ScoreName } from "./table";

/** The scores in the order of the buttons. */
export const SCORE_NAMES: [name: ScoreName, text: string, title: string][] = [
  [
    "money",
    "Money",
    "A game that counts for itself, such as one for money: a gammon counts two points, a backgammon three",
  ],
  [
    "go",
    "Gammon-go",
    "The side that rolls first needs two points to win the match, the other one: only its gammons count",
  ],
  [
    "save",
    "Gammon-save",
    "The side that rolls first needs one point to win the match, the other two: it must not lose a gammon",
  ],
  ["dmp", "Double match point", "Both sides need one point to win the match: gammons count nothing"],
];

export const nameOf = (roll: Roll): string => roll.join("-");

/** What is asked: how a roll is played, and after what. */
export function describeQuestion(opening: Opening | null, roll: Roll): string {
  if (!opening) return `First roll ${nameOf(roll)}`;
  return `Reply with ${nameOf(roll)}, after ${nameOf(opening.roll)}: ${opening.play}`;
}

/** What the game counts for, seen from the side that rolls, which sits below. */
export function describeScore(score: ScoreName, isReply: boolean): string {
  if (score === "money") return "Equity in points a game, without the doubling cube.";
  if (score === "dmp") return "Both sides need one point, so only winning counts. A win counts +1, a loss −1.";
  // A reply is made by the other side.
  return (score === "go") !== isReply
    ? "Light needs two points, Dark one, and the cube may not be used (Crawford game). A gammon wins the match for Light and counts +3, a game +1, a loss −1."
    : "Light needs one point, Dark two, and the cube may not be used (Crawford game). A gammon wins the match for Dark and counts −3, a lost game −1, a win +1.";
}

/** Equity and what a play is behind, each with half a 95 % confidence interval. */
export function describePlay(
  { equity, error }: Decision,
  { behind, error: ofDifference }: RankedPlay,
  isBest: boolean,
) {
  const margin = (standardError: number) => `± ${(ERRORS_IN_95_PERCENT * standardError).toFixed(3)}`;
  return isBest
    ? { equity: formatPoints(equity), behind: margin(error) }
    : { equity: formatPoints(equity - behind), behind: `${formatLoss(behind, 3)} ${margin(ofDifference)}` };
}

/** How sure the order of the first plays is. */
export function describeLead({ plays }: Decision): string {
  const [best, ...others] = plays;
  if (!best) return "";
  if (others.length === 0)
    return `${best.play} is the only play within 0.08 points of the best, so it is compared with none.`;
  const close = others.filter(({ behind, error }) => behind <= ERRORS_IN_95_PERCENT * error).map(({ play }) => play);
  if (close.length === 0) return `${best.play} is ahead by more than the margin of error.`;
  return `Too close to call: ${[best.play, ...close].join(", ")}. They differ by less than the margin of error.`;
}

/** How the table was made. */
export function describeTable({ plays }: Decision): string {
  const games = Math.max(...plays.map((play) => play.games));
  return (
    `By rollouts of the expert's network: it played up to ${games} games from each play for seven rolls and valued what came out, with the luck of the rolls subtracted. ` +
    "Plays are listed that it found within 0.08 points of the best, looking one turn ahead. " +
    "± is half a 95 % confidence interval. The side that rolls sits below, with the light checkers."
  );
}

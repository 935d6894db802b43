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
    "The side that rolls first needs two points to win the match, the other side needs one: a gammon helps only the first",
  ],
  [
    "save",
    "Gammon-save",
    "The side that rolls first needs one point to win the match, the other side needs two: the first must not lose a gammon",
  ],
  ["dmp", "Double match point", "Both sides need one point to win the match: gammons count nothing"],
];

export const nameOf = (roll: Roll): string => roll.join("-");

/** What is asked: how a roll is played, and after what. */
export function describeQuestion(opening: Opening | null, roll: Roll): string {
  // In the usual rules each side rolls one die, and equal ones are rolled again.
  const stands = roll[0] === roll[1] ? ", by rules that let a double stand (usually it is rolled again)" : "";
  if (!opening) return `First roll ${nameOf(roll)}${stands}`;
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

const marginOfError = (standardError: number) => `± ${(ERRORS_IN_95_PERCENT * standardError).toFixed(3)}`;

/** The equity of a play, and how far it is behind the best, with half a 95 % confidence interval. */
export function describePlay({ equity }: Decision, { behind, standardError }: RankedPlay, isBest: boolean) {
  return isBest
    ? { equity: formatPoints(equity), behind: "best" }
    : { equity: formatPoints(equity - behind), behind: `${formatLoss(behind, 3)} ${marginOfError(standardError)}` };
}

/** The most plays of a decision that are listed, and how much worse at one ply they may be. */
function listed(score: ScoreName, isReply: boolean): { plays: string; margin: number } {
  if (!isReply) return { plays: "six", margin: 0.08 };
  return score === "money" ? { plays: "four", margin: 0.08 } : { plays: "three", margin: 0.06 };
}

/** How sure the order of the first plays is. */
export function describeLead({ plays }: Decision, score: ScoreName, isReply: boolean): string {
  const [best, ...others] = plays;
  if (!best) return "";
  if (others.length === 0)
    return `${best.play} is clearly best: looking one turn ahead, every other play is more than ${listed(score, isReply).margin} points worse, so none was rolled out.`;
  const close = others
    .filter(({ behind, standardError }) => behind <= ERRORS_IN_95_PERCENT * standardError)
    .map(({ play }) => play);
  if (close.length === 0) return `${best.play} is ahead by more than the margin of error.`;
  return `Too close to call: ${[best.play, ...close].join(", ")}. Each is behind the first by less than its margin of error.`;
}

/** How the plays of a roll were judged. */
export function describeTable({ plays, standardError }: Decision, score: ScoreName, isReply: boolean): string {
  const { plays: most, margin } = listed(score, isReply);
  const games = Math.max(...plays.map((play) => play.games));
  return (
    `By rollouts: the expert's network played up to ${games} games from each play for ${isReply ? "five" : "seven"} rolls and then valued the position; the luck of the rolls is subtracted. ` +
    `At most ${most} plays were rolled out: those that, looking one turn ahead, seemed at most ${margin} points worse than the best. A rollout may find them further behind. ` +
    `The equity of the best is known to ${marginOfError(standardError)}; ± is half a 95 % confidence interval. ` +
    "A play such as 8/5 6/5 moves a checker from point 8 to point 5 and one from 6 to 5. The side that rolls sits below, with the light checkers."
  );
}

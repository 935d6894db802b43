// Sentences about a match or a money session with the doubling cube. The visitor is south.

import type { BackgammonCubeReview, BackgammonMatch, BackgammonStage } from "../../../generated/protocol";
import { NORTH, OFF, readPosition, SOUTH, type Side } from "../position";
import { describeError, describeResult, formatLoss, lower, playerName, winner as describeWinner } from "../wording";

/** Whether the visitor has to decide about the cube. */
export function asksVisitor({ step, actor }: BackgammonMatch): boolean {
  return actor === SOUTH && (step === "doubleOrRoll" || step === "answer");
}

/** Whether the game is over, and perhaps the match. */
export function isGameOver({ step }: BackgammonMatch): boolean {
  return step === "nextGame" || step === "over";
}

export function formatPointCount(points: number): string {
  return points === 1 ? "1 point" : `${points} points`;
}

/** What a loss of 1, 2 or 3 points is called. */
export const LOSS_NAMES = ["", "Single game", "Gammon", "Backgammon"];

/** The points without the cube that the visitor can resign. With a checker off nobody loses a gammon. */
export function possibleLosses({ board, matchPlay }: BackgammonStage): number[] {
  const hasCheckerOff = (readPosition(board)[SOUTH][OFF] ?? 0) > 0;
  return hasCheckerOff || gammonsCountSingle(matchPlay) ? [1] : [1, 2, 3];
}

/** Whether gammons count as single games by the Jacoby rule, because the cube has not been turned. */
function gammonsCountSingle(matchPlay: BackgammonMatch | null): boolean {
  return matchPlay?.length === 0 && matchPlay.cube === 1;
}

/** What the opponent wins if the visitor resigns, and when that is declined. */
export function describeResignation(stage: BackgammonStage, loss: number): string {
  const points = formatPointCount((stage.matchPlay?.cube ?? 1) * loss);
  const wins = `${playerName(stage.players, NORTH)} wins ${points}.`;
  return loss === possibleLosses(stage).at(-1) ? wins : `${wins} It declines if it expects to win more.`;
}

/** What is played for and how far it is: "Match to 5 points. You need 3, the agent needs 5." */
export function describeScore({ players, score, matchPlay }: BackgammonStage): string {
  if (!matchPlay) return "";
  const { length, beavers, crawford, cube, owner } = matchPlay;
  const other = playerName(players, NORTH);
  const whose = cube === 1 ? "" : ` Cube at ${cube}, ${owner === SOUTH ? "yours" : `${lower(other)}'s`}.`;
  if (length === 0) {
    const won = `You have won ${score[SOUTH]}, ${lower(other)} ${score[NORTH]}.`;
    return `Money session with the Jacoby rule${beavers ? " and beavers" : ""}. ${won}${whose}`;
  }
  const need = (side: Side) => Math.max(0, length - score[side]);
  const away = `You need ${need(SOUTH)}, ${lower(other)} needs ${need(NORTH)}.`;
  const single = length === 1 ? " Nobody doubles, because a single game wins the match." : "";
  const rule = crawford ? " Crawford game: nobody may double." : single;
  return `Match to ${formatPointCount(length)}. ${away}${rule}${whose}`;
}

/** What somebody has to decide, or how the game ended; empty while a roll is played. */
export function describeMatch(stage: BackgammonStage): string {
  const { players, matchPlay, score } = stage;
  if (!matchPlay) return "";
  const { step, actor, cube, winner, beavers } = matchPlay;
  const name = playerName(players, NORTH);
  const doubles = cube === 1 ? "double" : "redouble";
  switch (step) {
    case "play":
      return "";
    case "doubleOrRoll":
      return actor === SOUTH ? `Your turn: roll, or ${doubles} to ${2 * cube} first.` : `${name} looks at the cube.`;
    case "answer":
      if (actor === SOUTH) {
        const question = beavers ? "Do you take, pass or beaver?" : "Do you take or pass?";
        return `${name} ${doubles}s to ${2 * cube}. ${question}`;
      }
      return `You ${doubles} to ${2 * cube}. ${name} decides.`;
    case "nextGame":
      return `${describeGameEnd(stage)}.`;
    case "over": {
      const [more, fewer] = [Math.max(...score), Math.min(...score)];
      return `${describeGameEnd(stage)}. ${describeWinner(players, winner as Side)} the match ${more} to ${fewer}.`;
    }
  }
}

/** How a game ended: "You win a gammon: 4 points". */
export function describeGameEnd({ players, result, matchPlay }: BackgammonStage): string {
  const points = formatPointCount(matchPlay?.points ?? 0);
  const name = playerName(players, NORTH);
  if (matchPlay?.resigned) return `You resign: ${lower(name)} wins ${points}`;
  if (!matchPlay?.passed) return `${describeResult(players, result)}: ${points}`;
  return result > 0 ? `${name} passes: you win ${points}` : `You pass: ${lower(name)} wins ${points}`;
}

/** The same in a few words, or who won the match; empty outside a match. */
export function describeShortResult({ players, result, matchPlay }: BackgammonStage): string {
  if (!matchPlay) return "";
  const won = matchPlay.winner === null ? formatPointCount(matchPlay.points) : "the match";
  return `${describeWinner(players, result > 0 ? SOUTH : NORTH)} ${won}`;
}

/** What the agent has just done with the cube, from two views of a game; empty if nothing. */
export function describeAnswer(before: BackgammonStage, now: BackgammonStage): string {
  const [previous, matchPlay] = [before.matchPlay, now.matchPlay];
  if (!previous || !matchPlay || previous.step !== "answer" || previous.actor === SOUTH) return "";
  if (now.game !== before.game || matchPlay.step !== "play") return "";
  const beaver = matchPlay.cube > 2 * previous.cube;
  const name = playerName(now.players, NORTH);
  return `${name} ${beaver ? "beavers" : "takes"}: the cube is at ${matchPlay.cube}, on its side.`;
}

/** What the visitor's last cube decision cost. A roll without a double is mentioned only if it was an error. */
export function describeCubeReview({ chosen, best, cost }: BackgammonCubeReview): string {
  const error = describeError(cost);
  if (error === "") {
    return chosen === "roll" ? "" : `Your ${chosen} was ${cost === 0 ? "right" : "about as good as anything"}.`;
  }
  const done = chosen === "roll" ? "Not doubling" : `Your ${chosen}`;
  return `${done} cost you ${formatLoss(cost).replace("−", "")} in equity. Better: ${best === "roll" ? "just roll" : best}.`;
}

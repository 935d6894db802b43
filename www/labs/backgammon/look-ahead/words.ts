// The position on the board as an XGID, and the words for what a tool says about it.

import type { BackgammonStage } from "../../../generated/protocol";
import { atPlies } from "../match-file/plies";
import { readPosition, type Side } from "../position";
import { writeXgid } from "../set-up/xgid";
import { formatPoints, lower, playerName } from "../wording";

/** What can be asked: plies of lookahead, or a rollout. */
export type Question = 0 | 1 | 2 | "rollout";

/** A line of a result: a play, or what to do with the cube. */
export interface Line {
  play: string;
  /** Equity for the side on roll; null for a cube decision. */
  equity: number | null;
  /** The standard error of a rollout; null without one. */
  error: number | null;
}

/** The result of a rollout: the best play first, or the position alone. */
export interface RolloutResult {
  games: number;
  candidates: { play: string | null; equity: number; error: number }[];
}

/** About so many standard errors on each side hold 95 of 100 results. */
export const ERRORS_IN_95_PERCENT = 1.96;

/** The position on the board with what the game is played for. */
export function positionOf(stage: BackgammonStage): string {
  const { board, side, dice, matchPlay, score } = stage;
  const setUp = { position: readPosition(board), side: side as Side, dice: dice[0] > 0 ? dice : null };
  return writeXgid(setUp, matchPlay ? { ...matchPlay, score } : null);
}

/** Whether the game on the board has a cube. */
export const hasCube = ({ matchPlay }: BackgammonStage): boolean => matchPlay !== null;

/** The head of the column with equities: whether the cube is in them, where there is one. */
export function describeEquity(stage: BackgammonStage, question: Question): string {
  // A rollout knows neither the cube nor the score.
  if (question === "rollout")
    return `equity${hasCube(stage) ? " for money without the cube" : ""} ± margin of error (95%)`;
  return hasCube(stage) ? "equity with the cube" : "equity";
}

/** What a result is about. `games` are those of a rollout. */
export function describeResult(stage: BackgammonStage, question: Question, games: number | null): string {
  const name = lower(playerName(stage.players, stage.side as Side));
  if (question === "rollout") return `Equity for ${name} after ${games ?? 0} games each, with its margin of error:`;
  const depth = atPlies(question);
  return stage.dice[0] === 0 ? `Cube decision of ${name} ${depth}:` : `Best plays for ${name} ${depth}:`;
}

/** A line as the texts of its two columns. */
export function describeLine({ play, equity, error }: Line): [play: string, value: string] {
  if (equity === null) return [play, ""];
  const margin = error === null ? "" : ` ± ${(ERRORS_IN_95_PERCENT * error).toFixed(3)}`;
  return [play || "this position", `${formatPoints(equity)}${margin}`];
}

// The rules of a race on a cube: the same scrambled cube for both, and turns are counted, not time.

import { formatCount } from "../../../core/format";
import type { CubeMetric } from "../../../generated/protocol";
import { randomMoves } from "../auto-play";
import { randomTurns } from "../large/scramble";
import { FACES, solvedState, turn, type Move, type Size } from "../space";

/** The turns of a scramble at first. */
export const FIRST_SCRAMBLE = 3;
/** The most turns of a scramble. 14 quarter turns lead to the farthest states of the 2x2x2; 20 mix the 3x3x3 well. */
export const MAX_SCRAMBLE: Record<Size, number> = { 2: 14, 3: 20 };
/** The attempt of an agent on the 2x2x2, which turns without a search, is ended after this many turns. */
export const MAX_AGENT_TURNS = 40;

const BOTH = "Both get the same scrambled cube. Whoever solves it in fewer turns wins; time does not count.";
export const RULES: Record<Size, string> = {
  2: `${BOTH} The agent stops after ${MAX_AGENT_TURNS} turns, or when it goes in circles.`,
  3: `${BOTH} The agent searches up to about 25,000 positions before its first turn.`,
};
export const HALF_TURNS: Record<CubeMetric, string> = {
  quarter: "A half turn counts as two turns.",
  half: "A half turn counts as one turn.",
};

/** The number of turns that a move counts for; none for a rotation of the whole cube. */
export function turnsOf({ end, quarters }: Move, metric: CubeMetric): number {
  if (end === 0) return 0;
  return metric === "quarter" ? Math.abs(quarters) : 1;
}

/** Whether a quarter turn repeats the one before, so that both are a half turn: keys can only turn quarters. */
export const isSecondQuarter = (before: Move | null, { axis, end, quarters }: Move): boolean =>
  Math.abs(quarters) === 1 && before?.axis === axis && before.end === end && before.quarters === quarters;

/** Whether each face has one colour, however the cube is held. */
export function isSolved(stickers: string): boolean {
  const perFace = stickers.length / FACES.length;
  return [...FACES].every((_, face) => new Set(stickers.slice(face * perFace, (face + 1) * perFace)).size === 1);
}

/** The stickers after so many random turns that do not undo each other. */
export function scrambled(turns: number, metric: CubeMetric, random = Math.random, size: Size = 2): string {
  const moves = size === 2 ? randomMoves : randomTurns;
  for (;;) {
    const { stickers } = moves(turns, metric, random).reduce(turn, solvedState(size));
    // A few turns may happen to lead back to the solved cube.
    if (!isSolved(stickers)) return stickers;
  }
}

/** How one side did. */
export interface Result {
  turns: number;
  solved: boolean;
  /** Whether this side looks for a whole solution before its first turn. */
  searches?: boolean;
}

export function words({ turns, solved, searches = false }: Result): string {
  if (!solved && searches) return "found no solution";
  return `${solved ? "solved in" : "not solved after"} ${formatCount(turns, "turn")}`;
}

/** How far a scrambled cube is from solved. */
export interface Length {
  turns: number;
  /** Whether it is the length of a shortest solution; else there is one of this length, and maybe a shorter one. */
  isShortest: boolean;
}

/** Who has won, in words with both results and how short a solution can be. */
export function verdict(you: Result, agent: Result, { turns, isShortest }: Length): string {
  const rank = ({ turns, solved }: Result) => (solved ? -turns : -Infinity);
  const [yours, its] = [rank(you), rank(agent)];
  const tied = you.solved ? "A draw." : "Neither has solved it.";
  const who = yours > its ? "You win." : yours < its ? "The agent wins." : tied;
  return `${who} You: ${words(you)}. The agent: ${words(agent)}. It can be solved in ${formatCount(turns, "turn")}${isShortest ? "" : " or fewer"}.`;
}

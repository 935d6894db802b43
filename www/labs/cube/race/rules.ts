// The rules of a race on the 2×2×2: the same scrambled cube for both, and turns are counted, not time.

import { formatCount } from "../../../core/format";
import type { CubeMetric } from "../../../generated/protocol";
import { randomMoves } from "../auto-play";
import { FACES, SOLVED, STICKER_UPS, turn, type CubeState, type Move } from "../space";

/** The number of turns of a scramble: at first, and at most. */
export const FIRST_SCRAMBLE = 3;
export const MAX_SCRAMBLE = 14;
/** The agent's attempt is ended after this many turns. */
export const MAX_AGENT_TURNS = 40;

export const RULE = `Both get the same scrambled cube. Whoever solves it in fewer turns wins; time does not count. The agent stops after ${MAX_AGENT_TURNS} turns, or when it goes in circles.`;
export const HALF_TURNS: Record<CubeMetric, string> = {
  quarter: "A half turn counts as two turns.",
  half: "A half turn counts as one turn.",
};

/** The number of turns that a move counts for; none for a rotation of the whole cube. */
export function turnsOf({ end, quarters }: Move, metric: CubeMetric): number {
  if (end === 0) return 0;
  return metric === "quarter" ? Math.abs(quarters) : 1;
}

/** Whether a move and the one before it are the two quarters of a half turn, which keys make one by one. */
export const isSecondQuarter = (before: Move | null, { axis, end, quarters }: Move): boolean =>
  Math.abs(quarters) === 1 && before?.axis === axis && before.end === end && before.quarters === quarters;

/** Whether each face has one colour, however the cube is held. */
export function isSolved(stickers: string): boolean {
  const size = stickers.length / FACES.length;
  return [...FACES].every((_, face) => new Set(stickers.slice(face * size, (face + 1) * size)).size === 1);
}

/** The stickers after so many random turns that do not undo each other. */
export function scrambled(turns: number, metric: CubeMetric, random = Math.random): string {
  for (;;) {
    const solved: CubeState = { stickers: SOLVED, ups: STICKER_UPS };
    const { stickers } = randomMoves(turns, metric, random).reduce(turn, solved);
    // A few turns may happen to lead back to the solved cube.
    if (!isSolved(stickers)) return stickers;
  }
}

/** How one side did. */
export interface Result {
  turns: number;
  solved: boolean;
}

export const words = ({ turns, solved }: Result): string =>
  solved ? `solved in ${formatCount(turns, "turn")}` : `not solved after ${formatCount(turns, "turn")}`;

/** Who has won, in words with both results and the length of the shortest solution. */
export function verdict(you: Result, agent: Result, shortest: number): string {
  const rank = ({ turns, solved }: Result) => (solved ? -turns : -Infinity);
  const [yours, its] = [rank(you), rank(agent)];
  const tied = you.solved ? "A draw." : "Neither has solved it.";
  const who = yours > its ? "You win." : yours < its ? "The agent wins." : tied;
  return `${who} You: ${words(you)}. The agent: ${words(agent)}. It can be solved in ${formatCount(shortest, "turn")}.`;
}

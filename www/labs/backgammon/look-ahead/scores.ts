// What to do with the cube at every score of a match, up to seven points away: the positions to ask about, and what
// the answers mean.

import { SOUTH } from "../position";
import { writeXgid, type SetUp } from "../set-up/xgid";

/** The most points that a side is away from winning the match. */
export const MAX_AWAY = 7;

/** Points that the side on roll, and the other one, is away. */
export type Score = readonly [own: number, other: number];

/** All scores, row by row: the side on roll is 1 away in the first row, the other one in the first column. */
export const SCORES: readonly Score[] = Array.from({ length: MAX_AWAY }, (_, row) =>
  Array.from({ length: MAX_AWAY }, (_, column): Score => [row + 1, column + 1]),
).flat();

/** What to do. Null where the rules of the match allow no double, or it could win nothing. */
export type Advice = "noDouble" | "take" | "pass" | "tooGood" | null;

/** The letter of each advice in the table, and what it means. */
export const ADVICE: Record<NonNullable<Advice>, { short: string; long: string }> = {
  noDouble: { short: "N", long: "no double" },
  take: { short: "T", long: "double, and take" },
  pass: { short: "P", long: "double, and pass" },
  tooGood: { short: "G", long: "too good to double: play on for a gammon, which counts twice" },
};

/**
 * The position before the roll, at this score with a cube in the middle. A side that is one away is so after the
 * Crawford game, in which nobody may double.
 */
export function positionAt({ position, side }: SetUp, [own, other]: Score): string {
  const [ownPoints, otherPoints] = [MAX_AWAY - own, MAX_AWAY - other];
  const score = side === SOUTH ? ([ownPoints, otherPoints] as const) : ([otherPoints, ownPoints] as const);
  const stakes = { cube: 1, owner: null, score, length: MAX_AWAY, crawford: false, beavers: false };
  return writeXgid({ position, side, dice: null }, stakes);
}

/** The advice in the answer of the tool `cube`. */
export function adviceOf(analysis: unknown): Advice {
  const { action, response } = (analysis ?? {}) as { action?: unknown; response?: unknown };
  if (action === "double") return response === "pass" ? "pass" : "take";
  if (action === "too good") return "tooGood";
  return action === "no double" ? "noDouble" : null;
}

// What to do with the cube at a score of a match, in the answer of the tool `scores`.

import type { BackgammonScoreDecision } from "../../../generated/protocol";

/** The most points that a side is away from winning the match. */
export const MAX_AWAY = 7;

/** What to do. Null where the rules of the match allow no double, or it could win nothing. */
export type Advice = "noDouble" | "take" | "pass" | "tooGood" | null;

/** The letter of each advice in the table, and what it means. */
export const ADVICE: Record<NonNullable<Advice>, { short: string; long: string }> = {
  noDouble: { short: "N", long: "no double" },
  take: { short: "T", long: "double, and take" },
  pass: { short: "P", long: "double, and pass" },
  tooGood: { short: "G", long: "too good to double: play on for a gammon, which counts twice" },
};

/** The advice of a decision. */
export function adviceOf({ action, response }: Pick<BackgammonScoreDecision, "action" | "response">): Advice {
  if (action === "double") return response === "pass" ? "pass" : "take";
  if (action === "too good") return "tooGood";
  return action === "no double" ? "noDouble" : null;
}

/** The number of the table's cell for a score: row by row, from one point away. */
export const cellOf = (away: readonly [number, number]): number => (away[0] - 1) * MAX_AWAY + away[1] - 1;

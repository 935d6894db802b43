// The curves of recorded runs: every preset that has some, over many seeds (tests/golden/curves).

import { readFileSync, readdirSync } from "node:fs";
import type { Goal } from "../../www/generated/protocol";

/**
 * A file of curves. A run has a row for each of `units`: `values` has one list for each of `metrics`, with null where
 * nothing was measured. `reached` is the unit at which the goal was reached, `end` the last unit.
 */
export interface RecordedCurves {
  lab: string;
  preset: string;
  goal: Pick<Goal, "metric" | "target" | "exact" | "best">;
  metrics: string[];
  runs: { seed: number; reached: number | null; end: number; units: number[]; values: (number | null)[][] }[];
}

const folder = new URL("../golden/curves/", import.meta.url);

export const allCurves = readdirSync(folder).map(
  (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as RecordedCurves,
);

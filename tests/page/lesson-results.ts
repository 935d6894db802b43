// What runs of a lesson have measured, for tests.

import type { RunOutcome, SeedsResult } from "../../www/lessons/measures";

/** A run whose metric was this at the end. `reached` is the unit in which a test reached the goal. */
export const outcome = (seed: number, reached: number | null, last: number, least = last): RunOutcome => ({
  seed,
  units: 40,
  reached,
  first: 0,
  last,
  least,
  most: last,
  metrics: { entropy: seed },
});

/** Four runs, three of which reached their goal. */
export const RESULT: SeedsResult = {
  kind: "seeds",
  metric: "examReturn",
  target: 490,
  complete: true,
  settings: {},
  seeds: [outcome(0, 12, 495), outcome(1, null, 100, 50), outcome(2, 20, 500), outcome(3, 14, 492)].map((each) => ({
    ...each,
    curve: { units: [1], values: [each.last ?? 0] },
  })),
};

// The cube at every score: the table's cells, and advice.

import assert from "node:assert/strict";
import { test } from "node:test";
import { adviceOf, cellOf } from "../../www/labs/backgammon/look-ahead/scores";

test("rows are points of the side on roll, columns those of the other side", () => {
  assert.deepEqual(
    (
      [
        [1, 1],
        [1, 7],
        [2, 1],
        [7, 7],
      ] as const
    ).map(cellOf),
    [0, 6, 7, 48],
  );
});

test("decisions become advice", () => {
  const advice = (action: string | null, response: string | null) => adviceOf({ action, response });
  assert.equal(advice("double", "take"), "take");
  assert.equal(advice("double", "pass"), "pass");
  assert.equal(advice("too good", "pass"), "tooGood");
  assert.equal(advice("no double", "take"), "noDouble");
  assert.equal(advice(null, null), null);
});

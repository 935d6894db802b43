// The cube at every score: positions to ask about, and advice.

import assert from "node:assert/strict";
import { test } from "node:test";
import { adviceOf, positionAt, SCORES } from "../../www/labs/backgammon/look-ahead/scores";
import { NORTH, SOUTH, START_POSITION } from "../../www/labs/backgammon/position";

test("scores are those of the side on roll, whichever it is", () => {
  // From 1 to 7 points away for either side.
  assert.equal(SCORES.length, 49);
  assert.deepEqual(SCORES.slice(6, 9), [
    [1, 7],
    [2, 1],
    [2, 2],
  ]);
  const south = { position: START_POSITION, side: SOUTH, dice: null } as const;
  assert.equal(positionAt(south, [2, 5]), "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:5:2:0:7:10");
  assert.equal(positionAt({ ...south, side: NORTH }, [2, 5]), "XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:2:5:0:7:10");
});

test("answers become advice", () => {
  const advice = (action: string | null, response: string | null) => adviceOf({ action, response });
  assert.equal(advice("double", "take"), "take");
  assert.equal(advice("double", "beaver"), "take");
  assert.equal(advice("double", "pass"), "pass");
  assert.equal(advice("too good", "pass"), "tooGood");
  assert.equal(advice("no double", "take"), "noDouble");
  assert.equal(advice(null, null), null);
  assert.equal(adviceOf(null), null);
});

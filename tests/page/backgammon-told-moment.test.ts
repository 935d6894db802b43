// The moment of a game that is told beside the board: the one that the board shows.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ToldMoment } from "../../www/labs/backgammon/told-moment";
import type { BackgammonStage } from "../../www/generated/protocol";

const RECORD = ["31 8/5 6/5", "42 8/4 6/4", "61 13/7 8/7"];

/** The state after so many turns. */
function stage(turn: number): BackgammonStage {
  return { turn, first: 0, record: RECORD.slice(0, turn).join("\n") } as unknown as BackgammonStage;
}

/** The turn of the state that is told, and the number of its recorded turns. */
const toldBy = (moment: ToldMoment) => [moment.told?.stage.turn, moment.told?.record.length];

test("state before a play is told until the board has shown the play", (t) => {
  let now = 1000;
  t.mock.method(performance, "now", () => now);
  const moment = new ToldMoment();
  assert.equal(moment.told, null);
  moment.arrived(stage(1));
  moment.playing(0);
  assert.deepEqual(toldBy(moment), [1, 1]);
  moment.arrived(stage(2));
  moment.playing(540);
  // Views of the same state go on arriving.
  for (const [at, turn] of [
    [1000, 1],
    [1539, 1],
    [1540, 2],
    [1600, 2],
  ] as const) {
    now = at;
    moment.arrived(stage(2));
    assert.deepEqual(toldBy(moment), [turn, turn], `${at} ms`);
  }
  assert.equal(moment.record.length, 2, "the record of the latest state");
});

test("fast game tells the turn that is being shown, and what the visitor does is told at once", (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const moment = new ToldMoment();
  moment.arrived(stage(0));
  moment.playing(0);
  for (const turn of [1, 2, 3]) {
    now += 500;
    moment.arrived(stage(turn));
    moment.playing(540);
    assert.deepEqual(toldBy(moment), [turn - 1, turn - 1]);
  }
  moment.skip();
  assert.deepEqual(toldBy(moment), [3, 3]);
});

// The visitor's own scores in the control lab: which episodes count, by which rules, and the line in the learning curve.

import "./fake-dom";
import assert from "node:assert/strict";
import { test } from "node:test";
import { settled } from "./settled";
import { Emitter } from "../../www/core/events";
import type { Run } from "../../www/core/run";
import type { AnyView, RunEvents } from "../../www/core/run-events";
import type { Change } from "../../www/generated/protocol";
import { noteOwnScore, noteScore, scoreKey, showOwnScore } from "../../www/labs/control/own-world/note-score";
import { listenPointer, type Place } from "../../www/labs/control/own-world/pointer";
import { STEPS_WITHOUT_LIMIT, PlayedEpisodes, type Seen } from "../../www/labs/control/own-world/played-episodes";
import { RunScores } from "../../www/labs/control/own-world/run-scores";
import { yourScores } from "../../www/labs/control/your-scores";

const own = () => yourScores.get("own");

test("a world keeps the visitor's best score, and another text or other parameters have another one", () => {
  const rules = { text: "a" };
  showOwnScore(scoreKey(rules));
  assert.equal(own(), undefined);
  for (const [score, best] of [
    [-3, -3],
    [5, 5],
    [4, 5],
    [NaN, 5],
    [Infinity, 5],
  ] as const) {
    noteOwnScore(rules, score);
    assert.equal(own(), best);
  }
  noteOwnScore({ text: "a", parameters: { gravity: 2 } }, 9);
  assert.equal(own(), 5, "a score in another world");
  for (const [key, best] of [
    [scoreKey({ text: "b" }), undefined],
    [scoreKey({ text: "a", parameters: { gravity: 2 } }), 9],
    [scoreKey({ text: "a", parameters: {} }), 5],
    [null, undefined],
  ] as const) {
    showOwnScore(key);
    assert.equal(own(), best);
  }
  // The run gives parameters back as 32-bit numbers, in another order.
  const sent = scoreKey({ text: "a", parameters: { gravity: 0.1, force: 2 } });
  assert.equal(scoreKey({ text: "a", parameters: { force: 2, gravity: Math.fround(0.1) } }), sent);
});

test("a world of the lab has its best score under its name", () => {
  for (const score of [12, 40, 30]) noteScore("cartpole", score);
  assert.deepEqual([yourScores.get("cartpole"), yourScores.get("pendulum")], [40, undefined]);
});

/** A run that learns the world of a text, and shows views of its stage. */
class FakeRun extends Emitter<RunEvents> {
  changes: Change[] = [];
  networkSince = null;

  learn(text: string): void {
    const command = { type: "world", name: text, text };
    this.changes = [...this.changes, { unit: 0, before: {}, after: {}, data: { sha256: "", command } }];
    this.emit("configured", {});
  }

  show(episode: number, steps: number, isPlayed = true): void {
    const stage = { episode, steps, score: 10 * episode + steps, over: steps === 3 };
    this.emit("view", { stage, own: { limit: 3, isPlayed, version: this.changes.length } } as unknown as AnyView);
  }
}

test("the score of a run is that of the world that it learns, from whole episodes of its stage", async () => {
  const run = new FakeRun();
  const scores = new RunScores(run as unknown as Run);
  run.learn("stage of A");
  scores.begin();
  await settled();
  for (const steps of [0, 1, 3, 3]) run.show(1, steps, steps !== 1);
  assert.equal(own(), undefined, "the agent has made a step");
  for (const steps of [0, 1, 3, 3]) run.show(2, steps);
  assert.equal(own(), 23);
  run.learn("stage of B");
  for (const steps of [0, 3]) run.show(3, steps);
  await settled();
  assert.equal(own(), undefined, "it was not known yet which world this is");
  for (const steps of [0, 3]) run.show(4, steps);
  assert.equal(own(), 43);
  run.learn("stage of A");
  await settled();
  assert.equal(own(), 23, "the score of A is there again");
  scores.begin();
  assert.equal(own(), undefined, "another run may learn another world");
  await settled();
  assert.equal(own(), 23);
  scores.destroy();
  run.learn("stage of B");
  await settled();
  assert.equal(own(), undefined);
});

/** What is seen of a world, step by step: each is what differs from before. */
function scoresOf(...changes: Partial<Seen>[]): (number | null)[] {
  const played = new PlayedEpisodes();
  let seen: Seen = { episode: 1, steps: 0, score: 0, isOver: false, limit: null, isPlayed: true, rules: 0 };
  return changes.map((change) => played.next((seen = { ...seen, ...change })));
}

test("an episode counts once, if the visitor has acted in each of its steps", () => {
  const end = { steps: 9, score: 7, isOver: true };
  assert.deepEqual(scoresOf({}, { steps: 4 }, end, {}), [null, null, 7, null]);
  assert.deepEqual(scoresOf({ isPlayed: false }, { steps: 4, isPlayed: true }, end), [null, null, 7], "from the start");
  assert.deepEqual(scoresOf({}, { steps: 4 }, { steps: 5, isPlayed: false }, { ...end, isPlayed: true }).at(-1), null);
  assert.deepEqual(scoresOf({}, { steps: 4 }, { isPlayed: false }, { ...end, isPlayed: true }).at(-1), 7, "no step");
  assert.deepEqual(scoresOf({ steps: 3 }, end), [null, null], "its beginning was not seen");
  assert.deepEqual(scoresOf({ steps: 0, isOver: true }), [null], "it has ended as it began");
});

test("an episode counts whose beginning came between two views, if the visitor acted in both", () => {
  const [before, next] = [
    { steps: 50, isOver: true },
    { episode: 2, steps: 2, isOver: false },
  ];
  const end = { steps: 6, score: 3, isOver: true };
  assert.deepEqual(scoresOf(before, next, end), [null, null, 3]);
  assert.deepEqual(scoresOf(before, { ...next, isPlayed: false }, { ...end, isPlayed: true }), [null, null, null]);
  assert.deepEqual(scoresOf(before, { episode: 2, steps: 1, score: 8, isOver: true }), [null, 8]);
});

test("an episode does not count if the rules changed in it, or if it is longer than those of a test", () => {
  const end = { steps: 9, score: 7, isOver: true };
  assert.equal(scoresOf({}, { steps: 4 }, { rules: 1 }, end).at(-1), null);
  assert.equal(scoresOf({}, { rules: 1 }, { steps: 4 }, end).at(-1), 7, "before its first step");
  assert.equal(scoresOf({}, { ...end, steps: STEPS_WITHOUT_LIMIT }).at(-1), 7);
  assert.equal(scoresOf({}, { ...end, steps: STEPS_WITHOUT_LIMIT + 1 }).at(-1), null);
  assert.equal(scoresOf({ limit: 5000 }, { ...end, steps: 5000 }).at(-1), 7);
  const played = new PlayedEpisodes();
  const seen: Seen = { episode: 1, steps: 0, score: 0, isOver: false, limit: null, isPlayed: true, rules: 0 };
  played.next(seen);
  played.forget();
  assert.equal(played.next({ ...seen, ...end }), null);
});

test("a press and a drag in a picture give its places, and its release ends them", () => {
  const surface = Object.assign(document.createElement("div"), {
    getBoundingClientRect: () => ({ left: 10, top: 20, width: 200, height: 100 }),
    setPointerCapture: () => {},
  }) as unknown as HTMLElement;
  let allowed = false;
  const places: (Place | null)[] = [];
  listenPointer(
    surface,
    () => allowed,
    (place) => places.push(place),
  );
  const send = (type: string, clientX = 0, clientY = 0, buttons = 1) =>
    surface.dispatchEvent(Object.assign(new Event(type), { clientX, clientY, buttons, pointerId: 1 }));
  send("pointerdown", 10, 20);
  send("pointermove", 10, 20);
  assert.deepEqual(places, [], "nothing can be meant by it");
  allowed = true;
  send("pointermove", 10, 20);
  assert.deepEqual(places, [], "the pointer only passes");
  send("pointerdown", 10, 20);
  send("pointermove", 210, 120);
  send("pointerup");
  send("lostpointercapture");
  assert.deepEqual(places.splice(0), [{ x: -1, y: 1 }, { x: 1, y: -1 }, null]);
  // The release was outside of the window.
  send("pointerdown", 110, 70);
  send("pointermove", 110, 70, 0);
  send("pointermove", 110, 70);
  assert.deepEqual(places, [{ x: 0, y: 0 }, null]);
});

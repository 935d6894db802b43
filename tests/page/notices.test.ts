// Notices: which one is shown, for how long, and what happens to those that wait.

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { NoticeQueue, NOTICE_SECONDS, OFFER_SECONDS, type QueuedNotice } from "../../www/ui/notice-queue";

/**
 * A queue with a clock that is moved by hand. `shown` is the name of the shown notice, `gone` are the names of those that
 * went without an answer.
 */
function queueOf({ mock }: TestContext) {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const state = { shown: null as string | null, gone: [] as string[] };
  const queue = new NoticeQueue<QueuedNotice>((notice) => {
    state.shown = notice?.name ?? null;
  });
  queue.enter("control");
  const add = (name: string, seconds = NOTICE_SECONDS, lab: string | null = "control") =>
    queue.add({ name, lab, seconds, gone: () => state.gone.push(name) });
  const pass = (seconds: number) => mock.timers.tick(1000 * seconds);
  return { queue, state, add, pass };
}

test("notice goes after five seconds, one with a button after twelve, a question never", (t) => {
  const { state, add, pass } = queueOf(t);
  add("told");
  pass(4.9);
  assert.equal(state.shown, "told");
  pass(0.2);
  assert.deepEqual([state.shown, state.gone], [null, ["told"]]);
  add("offer", OFFER_SECONDS);
  pass(11.9);
  assert.equal(state.shown, "offer");
  pass(0.2);
  assert.equal(state.shown, null);
  add("question", Infinity);
  pass(100_000);
  assert.equal(state.shown, "question");
});

test("newest notice is shown, and the one before comes back for the rest of its time", (t) => {
  const { state, add, pass } = queueOf(t);
  add("first", OFFER_SECONDS);
  pass(4);
  add("second");
  assert.equal(state.shown, "second");
  pass(5.1);
  assert.deepEqual([state.shown, state.gone], ["first", ["second"]]);
  pass(7.8);
  assert.equal(state.shown, "first", "the time in which it was not shown does not count");
  pass(0.2);
  assert.equal(state.shown, null);
});

test("newer notices and questions wait until a notice of something wrong has been shown for its time", (t) => {
  const { queue, state, add, pass } = queueOf(t);
  queue.add({ name: "link", lab: "control", seconds: OFFER_SECONDS, isFirst: true });
  add("earlier", Infinity);
  add("started");
  assert.equal(state.shown, "link");
  pass(11.9);
  assert.equal(state.shown, "link");
  pass(0.2);
  assert.equal(state.shown, "started");
  pass(5.1);
  assert.equal(state.shown, "earlier");
});

test("notice that was nearly over does not come back", (t) => {
  const { state, add, pass } = queueOf(t);
  add("first");
  pass(3.5); // 1.5 seconds are left, fewer than the 2 that it needs to come back
  add("second");
  assert.deepEqual(state.gone, ["first"]);
  pass(5.1);
  assert.equal(state.shown, null);
});

test("notice that is pointed at or focused keeps its place and its time, and the newer one waits", (t) => {
  const { queue, state, add, pass } = queueOf(t);
  add("first");
  pass(4);
  queue.hold("pointer");
  queue.hold("focus");
  pass(60);
  add("second");
  add("third");
  queue.release("pointer");
  pass(60);
  assert.equal(state.shown, "first", "it has the focus still");
  queue.release("focus");
  pass(0.9);
  assert.equal(state.shown, "first");
  pass(0.2);
  assert.equal(state.shown, "third", "the newest of those that wait");
  pass(5.1);
  assert.equal(state.shown, "second", "with all of its time, because it was not shown yet");
});

test("hold ends with the notice that was held", (t) => {
  const { queue, state, add, pass } = queueOf(t);
  add("first");
  queue.hold("pointer");
  add("second");
  queue.answer("first");
  assert.deepEqual([state.shown, state.gone], ["second", []], "an answered notice is not one that went");
  pass(5.1);
  assert.equal(state.shown, null);
});

test("focus that is lost by drawing starts no second timer", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  let shown: string | null = null;
  const queue = new NoticeQueue<QueuedNotice>((notice) => {
    shown = notice?.name ?? null;
    // Drawing may remove what has the focus. A timer that begins here would hide the notice below the pointer.
    queue.release("focus");
  });
  queue.add({ name: "told", lab: null, seconds: NOTICE_SECONDS });
  queue.hold("pointer");
  t.mock.timers.tick(60_000);
  assert.equal(shown, "told");
});

test("time stands still while the page is hidden", (t) => {
  const { queue, state, add, pass } = queueOf(t);
  queue.hold("hidden");
  add("told");
  pass(60);
  assert.equal(state.shown, "told");
  queue.release("hidden");
  pass(5.1);
  assert.equal(state.shown, null);
});

test("notices about a lab go when another one is shown, those about the page stay", (t) => {
  const { queue, state, add } = queueOf(t);
  add("page", Infinity, null);
  add("control", Infinity);
  queue.enter("control");
  assert.equal(state.shown, "control", "it is the same lab");
  queue.enter("cube");
  assert.deepEqual([state.shown, state.gone], ["page", ["control"]]);
  add("late", Infinity, "control");
  assert.deepEqual([state.shown, state.gone], ["page", ["control", "late"]], "its lab is no longer in sight");
  queue.enter(null);
  assert.equal(state.shown, "page");
});

test("notice replaces one of the same name, also where it waits", (t) => {
  const { state, add, pass } = queueOf(t);
  add("a", Infinity);
  add("b");
  add("a");
  assert.deepEqual([state.shown, state.gone], ["a", ["a"]]);
  pass(5.1);
  assert.equal(state.shown, "b");
});

test("of more than four the oldest goes, and a question only if nothing else can", (t) => {
  const { queue, state, add } = queueOf(t);
  add("question", Infinity);
  for (const name of ["1", "2", "3", "4"]) add(name);
  assert.deepEqual([state.shown, state.gone], ["4", ["1"]]);
  for (const name of ["4", "3", "2"]) queue.answer(name);
  assert.equal(state.shown, "question");
});

test("what is done when a notice goes may show another", (t) => {
  const { queue, state, add, pass } = queueOf(t);
  queue.add({ name: "deleted", lab: null, seconds: 1, gone: () => add("problem") });
  pass(1.1);
  assert.equal(state.shown, "problem");
  queue.hide("problem");
  assert.equal(state.shown, null);
});

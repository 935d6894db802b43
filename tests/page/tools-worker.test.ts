// Unit tests of the worker with a lab's tools alone (core/tools-worker.ts): what it is sent and when, how long it
// lives, and what a question becomes if it is cancelled or the worker fails.

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { settled } from "./settled";
import { ToolRefusal } from "../../www/core/ask";
import type { BundleChoice } from "../../www/core/bundle";
import { askApart } from "../../www/core/tools-worker";
import type { FromWorker } from "../../www/core/worker-messages";

const BUNDLE: BundleChoice = { name: "simple", bits: "plain", threads: 1, reason: "" };
const NOTHING = { output: null, partial: true, units: null };

// A worker that nobody asks ends after 60 s, and one that does not answer a cancelled question after 3 s.
const LONGER_THAN_IDLE_MS = 100_000;
const SHORTER_THAN_IDLE_MS = 59_000;
const LONGER_THAN_CANCEL_MS = 10_000;

type Sent = { type: string; id?: number; bytes?: Uint8Array };

/**
 * The workers that are created, with what each was sent, and a function that lets it post a message. In a posted
 * answer, `id: 2` means the second question to that worker, whose real id is filled in.
 */
function fakeWorkers(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const workers: { sent: Sent[]; ended: boolean; post: (data: unknown) => void }[] = [];
  class FakeWorker {
    onmessage: ((event: { data: FromWorker }) => void) | null = null;
    #state: (typeof workers)[number];

    constructor() {
      const idOf = (nth: number) => this.#state.sent.filter(({ type }) => type === "ask")[nth - 1]?.id;
      const post = (data: unknown) => {
        const { id, ...message } = data as { id?: number };
        this.onmessage?.({ data: { ...message, ...(id && { id: idOf(id) }) } as FromWorker });
      };
      this.#state = { sent: [], ended: false, post };
      workers.push(this.#state);
    }

    postMessage(message: Sent): void {
      this.#state.sent.push(message);
    }

    terminate(): void {
      this.#state.ended = true;
    }
  }
  Object.assign(globalThis, { Worker: FakeWorker });
  // Whatever a test leaves open ends with it.
  t.after(() => workers.at(-1)?.post({ type: "failed", kind: "panic", message: "the test is over" }));
  const source = new Uint8Array([1, 2, 3]);
  const ask = (signal?: AbortSignal) =>
    askApart("backgammon", BUNDLE, "eval", { position: "x" }, { source, ...(signal && { signal }) });
  return { workers, ask };
}

const READY = { type: "ready", bundle: "simple", program: "backgammon-tools", build: {} };
const output = (id: number) => ({
  type: "answer",
  id,
  part: { kind: "output", output: { equity: 0 }, partial: false },
});

test("network is sent once, before the first question, and the worker ends when nobody asks for a while", async (t) => {
  const { workers, ask } = fakeWorkers(t);
  const first = ask();
  const [worker] = workers;
  assert.ok(worker);
  assert.deepEqual(
    worker.sent.map(({ type }) => type),
    ["load"],
    "nothing is asked before the bundle is there",
  );
  worker.post(READY);
  await settled();
  assert.deepEqual(
    worker.sent.map(({ type }) => type),
    ["load", "source", "ask"],
  );
  assert.deepEqual([...(worker.sent[1]?.bytes ?? [])], [1, 2, 3]);
  worker.post(output(1));
  assert.equal((await first).partial, false);
  const second = ask();
  await settled();
  assert.deepEqual(
    worker.sent.slice(3).map(({ type }) => type),
    ["ask"],
    "the same network is not sent again",
  );
  t.mock.timers.tick(LONGER_THAN_IDLE_MS);
  assert.ok(!worker.ended, "a question is open");
  worker.post(output(2));
  await second;
  t.mock.timers.tick(LONGER_THAN_IDLE_MS);
  assert.ok(worker.ended);
  const third = ask();
  assert.equal(workers.length, 2, "the next question has a new worker");
  workers[1]?.post({ type: "failed", kind: "fetch", message: "404" });
  await assert.rejects(third, (error) => error instanceof ToolRefusal && /network connection/.test(error.message));
});

test("cancelled question ends at once while the bundle loads, and ends a worker that does not answer", async (t) => {
  const { workers, ask } = fakeWorkers(t);
  const loading = new AbortController();
  const early = ask(loading.signal);
  loading.abort();
  assert.deepEqual(await early, NOTHING);
  const controller = new AbortController();
  const asked = ask(controller.signal);
  workers[0]?.post(READY);
  await settled();
  controller.abort();
  await settled();
  assert.equal(workers[0]?.sent.at(-1)?.type, "cancel");
  t.mock.timers.tick(LONGER_THAN_CANCEL_MS);
  assert.deepEqual(await asked, NOTHING);
  assert.ok(workers[0]?.ended);
});

test("cancelled question does not end the worker that another question waits for", async (t) => {
  const { workers, ask } = fakeWorkers(t);
  const controller = new AbortController();
  const cancelled = ask(controller.signal);
  workers[0]?.post(READY);
  await settled();
  controller.abort();
  await settled();
  const second = ask();
  await settled();
  t.mock.timers.tick(LONGER_THAN_CANCEL_MS);
  assert.ok(!workers[0]?.ended);
  workers[0]?.post({ type: "answer", id: 1, part: { kind: "output", output: null, partial: true } });
  workers[0]?.post(output(2));
  assert.deepEqual(await cancelled, NOTHING);
  assert.equal((await second).partial, false);
});

test("a signal that is used after the answer ends neither the worker nor another question", async (t) => {
  const { workers, ask } = fakeWorkers(t);
  const controller = new AbortController();
  const first = ask(controller.signal);
  workers[0]?.post(READY);
  await settled();
  workers[0]?.post(output(1));
  await first;
  const second = ask();
  await settled();
  controller.abort();
  assert.deepEqual(await ask(controller.signal), NOTHING, "nothing is asked with a signal that was used");
  await settled();
  t.mock.timers.tick(LONGER_THAN_CANCEL_MS);
  assert.ok(!workers[0]?.ended);
  workers[0]?.post(output(2));
  assert.equal((await second).partial, false);
});

test("a worker that has ended does not end its successor", async (t) => {
  const { workers, ask } = fakeWorkers(t);
  const first = ask();
  workers[0]?.post({ type: "failed", kind: "panic", message: "it broke" });
  await assert.rejects(first, ToolRefusal);
  const second = ask();
  workers[1]?.post(READY);
  await settled();
  workers[1]?.post(output(1));
  await second;
  // Each wait is shorter than the time after which an idle worker ends, and both together are longer. So a timer that
  // the first worker had left would end the second.
  t.mock.timers.tick(SHORTER_THAN_IDLE_MS);
  const third = ask();
  await settled();
  t.mock.timers.tick(SHORTER_THAN_IDLE_MS);
  assert.equal(workers.length, 2);
  assert.ok(!workers[1]?.ended);
  workers[1]?.post(output(2));
  await third;
});

test("two cancelled questions end a worker that does not answer", async (t) => {
  const { workers, ask } = fakeWorkers(t);
  const controllers = [new AbortController(), new AbortController()];
  const asked = controllers.map(({ signal }) => ask(signal));
  workers[0]?.post(READY);
  await settled();
  for (const controller of controllers) controller.abort();
  await settled();
  t.mock.timers.tick(LONGER_THAN_CANCEL_MS);
  assert.deepEqual(await Promise.all(asked), [NOTHING, NOTHING]);
  assert.ok(workers[0]?.ended);
});

test("question is refused in words if the worker fails", async (t) => {
  const { workers, ask } = fakeWorkers(t);
  const asked = ask();
  workers[0]?.post(READY);
  await settled();
  workers[0]?.post({ type: "failed", kind: "memory", message: "there is not enough memory" });
  await assert.rejects(asked, (error) => error instanceof ToolRefusal && /not enough memory/.test(error.message));
});

// Unit tests of a worker that gets ready beside the open run: how long it is waited for, and what kind of failure it is
// if it cannot be loaded.

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { BundleChoice } from "../../www/core/bundle";
import { Incoming, IncomingFailure } from "../../www/core/incoming";
import { arrival, loadFailure } from "../../www/core/worker-failure";
import type { FromWorker } from "../../www/core/worker-messages";
import type { LabInfo } from "../../www/generated/protocol";

const BUNDLE: BundleChoice = { name: "simple", bits: "plain", threads: 1, reason: "" };
const LAB = { about: { id: "test" } } as unknown as LabInfo;
const SECOND_MS = 1000;

/** An incoming worker, a function that lets it post a message, and functions that let time pass. */
function newIncoming(t: TestContext) {
  let now = 0;
  let post: (data: FromWorker) => void = () => {};
  t.mock.timers.enable({ apis: ["setInterval"] });
  t.mock.method(performance, "now", () => now);
  class FakeWorker {
    onmessage: ((event: { data: FromWorker }) => void) | null = null;

    constructor() {
      post = (data) => this.onmessage?.({ data });
    }

    postMessage(): void {}

    terminate(): void {}
  }
  Object.assign(globalThis, { Worker: FakeWorker, document: { hidden: false } });
  const incoming = new Incoming(BUNDLE, LAB, {}, () => {});
  t.after(() => incoming.close());
  /** The machine stands still, and the timers of the page with it. */
  const stall = (seconds: number) => void (now += seconds * SECOND_MS);
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      stall(1);
      t.mock.timers.tick(SECOND_MS);
    }
  };
  return { incoming, pass, stall, post: (data: FromWorker) => post(data) };
}

/** The kind of the failure with which the worker was closed; null if it is still waited for. */
function failureOf(incoming: Incoming): string | null {
  try {
    incoming.throwIfClosed();
    return null;
  } catch (error) {
    assert.ok(error instanceof IncomingFailure);
    return error.failure.kind;
  }
}

test("silent worker has failed after a minute, which begins anew after the page stood still", (t) => {
  const { incoming, pass, stall } = newIncoming(t);
  pass(50);
  stall(600);
  pass(50);
  assert.equal(failureOf(incoming), null);
  pass(20);
  assert.equal(failureOf(incoming), "load");
});

test("worker is waited for while its bundle arrives, and while nothing is expected of it", async (t) => {
  const { incoming, pass, post } = newIncoming(t);
  for (let loaded = 1; loaded <= 4; loaded++) {
    pass(50);
    post({ type: "loading", loaded, total: 4 });
  }
  pass(50);
  post({ type: "fetched" });
  await incoming.fetched;
  pass(100);
  assert.equal(failureOf(incoming), null);
  const started = incoming.start();
  pass(50);
  assert.equal(failureOf(incoming), null);
  pass(20);
  assert.equal(failureOf(incoming), "load");
  await assert.rejects(started, IncomingFailure);
});

test("file that does not arrive is told from a bundle that cannot be started", async () => {
  const kindOf = (error: Error) =>
    arrival(Promise.reject(error)).then(
      () => null,
      (thrown: unknown) => loadFailure(thrown).kind,
    );
  assert.equal(await kindOf(new TypeError("Failed to fetch")), "fetch");
  assert.equal(await kindOf(new RangeError("could not allocate memory")), "noMemory");
  assert.equal(await kindOf(new WebAssembly.CompileError("expected magic word")), "load");
  // The same after the files have arrived.
  assert.equal(loadFailure(new TypeError("no threads")).kind, "load");
});

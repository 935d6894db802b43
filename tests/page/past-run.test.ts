// An earlier moment of the open run (www/core/past-run.ts) when there is no open run any more.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Moments } from "../../www/core/moments";
import { PastRun, type PastState } from "../../www/core/past-run";
import type { Run } from "../../www/core/run";

test("looking back at a run that was closed meanwhile fails, and does not wait", async () => {
  const cpuBundle = { name: "simple", bits: "plain", threads: 1, reason: "" };
  const present = { lab: null, cpuBundle, device: "cpu", settings: {} } as unknown as Run;
  const past = new PastRun(present, { before: () => null } as unknown as Moments);
  const state = await new Promise<PastState>((resolve) => {
    past.on("changed", resolve);
    past.goTo(3, true);
  });
  assert.deepEqual(state, { kind: "failed", message: "the run was closed" });
});

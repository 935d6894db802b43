// Repeats a run in a worker apart from the open one, with the bundle that computes its class of bits.

import { chooseBundle, type BundleChoice } from "./bundle";
import { Replay, type ReplayEnd, type ReplayPlan } from "./replay";
import type { Run } from "./run";

/**
 * The bundle with which this browser computes this class of bits; null if it has none. `usual` is the page's bundle.
 */
export function bundleFor(bits: string, usual: BundleChoice): BundleChoice | null {
  if (bits === usual.bits) return usual;
  return bits === "plain" ? chooseBundle("threads-plain") : null;
}

/** Begins a replay. `ended` rejects if the run fails. */
export function replayOf(run: Run, plan: ReplayPlan): { replay: Replay; ended: Promise<ReplayEnd> } {
  // Before the replay, which takes the failure for an end by the visitor.
  const failed = new Promise<never>((_, reject) => {
    run.on("failed", ({ message }) => reject(new Error(message)));
  });
  const replay = new Replay(run, plan);
  const ended = new Promise<ReplayEnd>((resolve) => {
    replay.on("ended", resolve);
  });
  return { replay, ended: Promise.race([failed, ended]) };
}

// An agent of a duel: that of the open run as it is, or that of a link, whose run is repeated from its start.

import type { BundleChoice } from "../bundle";
import { Incoming, IncomingFailure } from "../incoming";
import { defaultRequest, type RunRequest } from "../link";
import { parseBits } from "../recipe";
import { bundleFor, replayOf } from "../replay-apart";
import type { ReplayEnd } from "../replay";
import { Superseded } from "../requests";
import { Run } from "../run";
import type { Duelist } from "./duelist";

/** A request for the run of a link that says how far it is trained. */
export type DuelRequest = RunRequest & { units: number };

/** How sure it is that the agent is the one of the link. */
export type Restored = "same" | "unchecked" | "otherRounding" | "different";

/** The agent of the open run, and what repeats it; null if nobody can repeat it from its start. */
export async function duelistOf(run: Run): Promise<{ duelist: Duelist; request: DuelRequest | null }> {
  const { lab } = run;
  if (!lab || !run.open) throw new Error("no run is open");
  const { bytes, units, fingerprint } = await run.save({ fingerprint: true });
  const bits = `${run.bundle.bits}:${fingerprint ?? ""}`;
  const request = { ...defaultRequest(lab), ...run.origin(), units, device: run.device, bits };
  return {
    duelist: { lab, settings: { ...run.settings }, data: lastData(run), bytes, units, bundle: run.cpuBundle },
    request: run.networkSince === null ? request : null,
  };
}

/** The command that gave a run its own data last; null for none. */
const lastData = (run: Run) => run.changes.findLast(({ data }) => data)?.data?.command ?? null;

/** Repeats the run of a link up to its last unit. `progress` is told how many units (training iterations) are done. */
export async function repeated(
  { lab, settings, seed, changes, units, bits, device }: DuelRequest,
  usual: BundleChoice,
  progress: (units: number) => void,
  signal: AbortSignal,
): Promise<{ duelist: Duelist; restored: Restored }> {
  const bitsClass = bits === null ? null : (parseBits(bits)?.bitsClass ?? null);
  const bundle = bundleFor(bitsClass ?? usual.bits, usual) ?? usual;
  const incoming = new Incoming(bundle, lab, settings, () => {});
  const run = new Run(bundle);
  const close = () => {
    incoming.close();
    run.close();
  };
  signal.addEventListener("abort", close);
  try {
    if (signal.aborted) throw new Superseded();
    await incoming.fetched;
    await incoming.start();
    incoming.throwIfClosed();
    run.adopt(incoming);
    await run.start(lab, settings, seed);
    const { replay, ended } = replayOf(run, { changes, units, bits });
    replay.on("progress", ({ units: done }) => progress(done));
    const stopped = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(new Superseded()));
    });
    replay.start();
    const end = await Promise.race([ended, stopped]);
    if (end.kind === "refused") throw new Error(end.message);
    if (end.kind === "stopped" || end.kind === "left") throw new Superseded();
    const { bytes } = await run.save();
    const duelist: Duelist = { lab, settings: { ...run.settings }, data: lastData(run), bytes, units, bundle: usual };
    const computesSame = bitsClass === bundle.bits && device !== "gpu";
    return { duelist, restored: restoredBy(end, computesSame) };
  } catch (error) {
    throw error instanceof IncomingFailure ? new Error(error.failure.message) : error;
  } finally {
    signal.removeEventListener("abort", close);
    close();
  }
}

function restoredBy({ kind }: ReplayEnd, computesSame: boolean): Restored {
  if (kind === "same") return "same";
  if (kind === "different") return computesSame ? "different" : "otherRounding";
  return "unchecked";
}

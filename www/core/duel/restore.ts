// An agent of a duel: that of the open run as it is, or that of a link, whose run is repeated from its start unless the
// open run has just done that.

import type { BundleChoice } from "../bundle";
import { Incoming, IncomingFailure } from "../incoming";
import { defaultRequest, sameRun, type AgentRequest, type RunRequest } from "../link";
import { parseBits, type RecipeChange } from "../recipe";
import { bundleFor, replayOf } from "../replay-apart";
import type { ReplayEnd } from "../replay";
import { Superseded } from "../requests";
import { Run } from "../run";
import type { Settings } from "../values";
import type { Duelist, Entrant } from "./duelist";

/**
 * How sure it is that the agent is the one of the link. `same`: the fingerprints are equal. `unchecked`: the link has
 * none. `otherRounding`: they differ, because this browser or a GPU rounds differently. `different`: they differ
 * without this reason.
 */
export type Restored = "same" | "unchecked" | "otherRounding" | "different";

/** The agent of the open run, and what repeats it; null if nobody can repeat it from its start. */
export async function duelistOf(run: Run): Promise<{ duelist: Duelist; request: AgentRequest | null }> {
  const { lab } = run;
  if (!lab || !run.open) throw new Error("no run is open");
  const { bytes, units, fingerprint } = await run.save({ fingerprint: true });
  const bits = `${run.bundle.bits}:${fingerprint ?? ""}`;
  const request = { ...defaultRequest(lab), ...run.origin(), units, device: run.device, bits };
  return {
    duelist: {
      lab,
      settings: { ...run.settings },
      data: lastData(request.changes),
      bytes,
      units,
      bundle: run.cpuBundle,
    },
    request: run.networkSince === null ? request : null,
  };
}

/** The command that gave a run its own data last; null for none. Of long data the open run has an empty object. */
const lastData = (changes: readonly RecipeChange[]) => changes.findLast(({ data }) => data !== null)?.data ?? null;

/** What decides whom the agent of a run can meet: of the open run, or of the run of a link. */
export function entrantOf({ lab, settings, changes }: Pick<RunRequest, "lab" | "settings" | "changes">): Entrant {
  const defaults = Object.fromEntries(lab.fields.map((field) => [field.name, field.default]));
  const changed = changes.map((change) => change.settings);
  return { lab, settings: Object.assign(defaults, settings, ...changed) as Settings, data: lastData(changes) };
}

/** The agent of the open run, if the run of a link would lead to the same one; otherwise null. */
export async function openRunOf(
  run: Run,
  request: AgentRequest,
): Promise<{ duelist: Duelist; restored: Restored } | null> {
  const { lab } = run;
  if (!lab || !run.open || lab.about.id !== request.lab.about.id || run.progress.units !== request.units) return null;
  if (!sameRun(lab, run.origin(), request)) return null;
  const { duelist, request: own } = await duelistOf(run);
  if (!own || !isSameAgent(own, request, run.cpuBundle.bits)) return null;
  // The open run may not have its data any more, but the link has.
  const restored = request.bits === null ? "unchecked" : "same";
  return { duelist: { ...duelist, data: lastData(request.changes) }, restored };
}

/**
 * Whether the open run, which `own` repeats, has the agent of a link. Its fingerprint says so; without one, equal runs
 * have the same agent if both are computed on the CPU with the usual class of bits.
 */
export function isSameAgent(own: AgentRequest, request: AgentRequest, usualBits: string): boolean {
  if (own.units !== request.units || !sameRun(own.lab, own, request)) return false;
  const mine = parseBits(own.bits ?? "");
  if (!mine) return false;
  if (request.bits === null) {
    const dataOf = ({ changes }: AgentRequest) =>
      JSON.stringify(changes.filter(({ data }) => data !== null).map(({ unit, data }) => [unit, data]));
    const isOnCpu = own.device !== "gpu" && request.device !== "gpu";
    return isOnCpu && mine.bitsClass === usualBits && dataOf(own) === dataOf(request);
  }
  const theirs = parseBits(request.bits);
  return theirs !== null && mine.digits.startsWith(theirs.digits);
}

/** Repeats the run of a link up to its last unit. `progress` is told how many units (training iterations) are done. */
export async function repeated(
  { lab, settings, seed, changes, units, bits, device }: AgentRequest,
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
    const data = lastData(changes);
    const duelist: Duelist = { lab, settings: { ...run.settings }, data, bytes, units, bundle: usual };
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

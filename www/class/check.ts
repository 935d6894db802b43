// The spot check of a result: repeats its run here, from its start to its last unit, and compares the fingerprint, the
// metric and the curve. A forger would have to train the run.

import { chooseBundle, type BundleChoice } from "../core/bundle";
import { Incoming, IncomingFailure, Superseded } from "../core/incoming";
import { Replay, type ReplayEnd } from "../core/replay";
import { Run } from "../core/run";
import type { Series } from "../core/series";
import { rounded, CURVE_STEPS, type BitsClass, type PointCurve, type ReadResult } from "./code";

/** What a spot check has found. */
export type Verdict =
  /** The same bits, and the metrics that the result says. */
  | { kind: "same" }
  /** Another fingerprint, or other metrics with the right fingerprint. */
  | { kind: "differs"; what: "fingerprint" | "metrics" }
  /** This browser computes no bits of this class. */
  | { kind: "otherBits"; bits: BitsClass }
  | { kind: "stopped" }
  | { kind: "failed"; message: string };

/** The bundle with which this browser computes this class of bits; null if it has none. `usual` is the page's bundle. */
export function bundleFor(bits: BitsClass, usual: BundleChoice): BundleChoice | null {
  if (bits === usual.bits) return usual;
  return bits === "plain" ? chooseBundle("threads-plain") : null;
}

export class SpotCheck {
  #run: Run | null = null;
  #incoming: Incoming | null = null;
  #replay: Replay | null = null;
  #stopped = false;
  #stop: () => void = () => {}; // replaced while the run is opened

  /** `usual` is the page's bundle for the CPU; `progress` is told how many units are done. */
  constructor(
    readonly result: ReadResult,
    readonly usual: BundleChoice,
    readonly progress: (units: number, last: number) => void,
  ) {}

  /** Ends the check. */
  stop(): void {
    this.#stopped = true;
    this.#incoming?.close();
    this.#replay?.stop();
    this.#stop();
  }

  async check(): Promise<Verdict> {
    const { bits } = this.result;
    const bundle = bundleFor(bits, this.usual);
    if (!bundle) return { kind: "otherBits", bits };
    try {
      return await this.#repeat(bundle);
    } catch (error) {
      if (error instanceof Superseded || this.#stopped) return { kind: "stopped" };
      const message = error instanceof IncomingFailure ? error.failure.message : (error as Error).message;
      return { kind: "failed", message };
    } finally {
      this.#incoming?.close();
      this.#run?.close();
    }
  }

  async #repeat(bundle: BundleChoice): Promise<Verdict> {
    const { lab, request } = this.result;
    const { settings, seed, changes, units, bits } = request;
    const incoming = (this.#incoming = new Incoming(bundle, lab, settings, () => {}));
    await incoming.fetched;
    await incoming.start();
    incoming.throwIfClosed();
    const run = (this.#run = new Run(bundle));
    run.adopt(incoming);
    this.#incoming = null;
    await this.#opened(run, () => run.start(lab, settings, seed));
    const replay = (this.#replay = new Replay(run, { changes, units, bits }));
    replay.on("progress", ({ units: done, last }) => this.progress(done, last));
    const end = await new Promise<ReplayEnd>((resolve, reject) => {
      replay.on("ended", resolve);
      run.on("failed", ({ message }) => reject(new Error(message)));
      replay.start();
    });
    return this.#verdict(end, run);
  }

  /** Waits until the worker has opened the run. */
  #opened(run: Run, start: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stop = () => reject(new Superseded());
      run.on("opened", () => resolve());
      run.on("refused", ({ message }) => reject(new Error(message)));
      run.on("failed", ({ message }) => reject(new Error(message)));
      if (this.#stopped) this.#stop();
      else start();
    });
  }

  #verdict(end: ReplayEnd, run: Run): Verdict {
    switch (end.kind) {
      case "same":
        return this.#sameMetrics(run) ? { kind: "same" } : { kind: "differs", what: "metrics" };
      case "different":
        return { kind: "differs", what: "fingerprint" };
      case "refused":
        return { kind: "failed", message: end.message };
      default:
        return { kind: "stopped" };
    }
  }

  /** Whether the repeated run has measured what the result says, and aims at the same goal. */
  #sameMetrics(run: Run): boolean {
    const { metric, curve, target } = this.result;
    const goal = run.goal?.metric === metric ? run.goal.target : null;
    return goal === target && hasCurve(run.series, metric, curve);
  }
}

/** Whether a run has measured a curve, up to the rounding of codes. */
export function hasCurve(series: Series, metric: string, { units, values }: PointCurve): boolean {
  const column = series.column(metric);
  const rows = new Map(series.units.map((unit, row) => [unit, row]));
  const tolerance = (Math.max(...values) - Math.min(...values)) / CURVE_STEPS;
  return units.every((unit, i) => {
    const row = rows.get(unit);
    const found = row === undefined ? NaN : (column[row] ?? NaN);
    if (!Number.isFinite(found)) return false;
    const said = values[i] as number;
    // The last value is the result, and has more digits than the rest of the curve.
    const most = i === units.length - 1 ? 0 : tolerance;
    return Math.abs(rounded(found) - rounded(said)) <= most + 2e-6 * Math.abs(found);
  });
}

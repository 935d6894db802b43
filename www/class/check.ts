// The spot check of a result: repeats its run here, from its start to its last unit, and compares the fingerprint, the
// metric, the curve and the challenges that were done. A forger would have to train the run.

import type { BundleChoice } from "../core/bundle";
import { Incoming, IncomingFailure } from "../core/incoming";
import { Superseded } from "../core/requests";
import type { Replay, ReplayEnd } from "../core/replay";
import { bundleFor, replayOf } from "../core/replay-apart";
import { Run } from "../core/run";
import { MAX_ROWS, Series } from "../core/series";
import { roundingAt, type BitsClass, type PointCurve, type ReadResult } from "./code";
import { isDone } from "./done-challenges";

export interface Differs {
  kind: "differs";
  what: "fingerprint" | "metrics" | "challenges";
}

/** What a spot check has found. */
export type Verdict =
  /** The same bits, and the metrics that the result says. */
  | { kind: "same" }
  /** Another fingerprint, or with the right one other metrics, or a challenge that the run has not done. */
  | Differs
  /** This browser computes no bits of this class. */
  | { kind: "otherBits"; bits: BitsClass }
  | { kind: "stopped" }
  | { kind: "failed"; message: string };

export class SpotCheck {
  #run: Run | null = null;
  #incoming: Incoming | null = null;
  #replay: Replay | null = null;
  #stopped = false;

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
    this.#run?.close();
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
    if (this.#stopped) throw new Superseded();
    await run.start(lab, settings, seed);
    keepAllRows(run);
    const { replay, ended } = replayOf(run, { changes, units, bits });
    this.#replay = replay;
    replay.on("progress", ({ units: done, last }) => this.progress(done, last));
    replay.start();
    const end = await ended;
    return this.#verdict(end, run);
  }

  #verdict(end: ReplayEnd, run: Run): Verdict {
    switch (end.kind) {
      case "same":
        if (!this.#sameMetrics(run)) return { kind: "differs", what: "metrics" };
        return this.#sameChallenges(run) ? { kind: "same" } : { kind: "differs", what: "challenges" };
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
    const { metric, curve, target, request } = this.result;
    const goal = run.goal?.metric === metric ? run.goal.target : null;
    return goal === target && hasCurve(run.series, metric, curve, request.units);
  }

  /** Whether the repeated run has done the challenges of the result, each in the same unit. */
  #sameChallenges(run: Run): boolean {
    const { challenges, request } = this.result;
    return challenges.every((done) => isDone(done, run, request.units));
  }
}

/**
 * Lets a run that has just been opened keep the metrics of all units, so that every point of a curve can be compared.
 */
function keepAllRows(run: Run): void {
  const { specs, units, values } = run.series;
  run.series = new Series(specs, Infinity);
  run.series.append({ units, values });
}

/**
 * Whether a run has measured a curve up to the rounding of codes, and the curve ends with the run's last test up to
 * `end`. `series` has the metrics of all units.
 */
export function hasCurve(series: Series, metric: string, { units, values }: PointCurve, end: number): boolean {
  const measured = series.measured(metric, end);
  const found = new Map(measured.units.map((unit, row) => [unit, measured.values[row] as number]));
  if (!lastUnits(measured.units, end).has(units.at(-1) ?? null)) return false;
  return units.every((unit, i) => {
    const value = found.get(unit);
    return value !== undefined && Math.abs(value - (values[i] as number)) <= roundingAt(values, i);
  });
}

/**
 * The units at which an honest curve may end; null for an empty curve. A page with a long run keeps every second of its
 * rows, or every fourth and so on (core/series.ts), and so perhaps not that of the last test.
 */
function lastUnits(measured: number[], end: number): Set<number | null> {
  const last = new Set<number | null>();
  // Rows are this many units apart only after `MAX_ROWS` rows, half as far apart, have been there.
  for (let stride = 1; stride === 1 || (stride * MAX_ROWS) / 2 <= end; stride *= 2)
    last.add(measured.findLast((unit) => unit % stride === 0) ?? null);
  return last;
}

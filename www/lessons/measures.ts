// What the blocks of a lesson have measured, as it is kept and judged: the results of runs, the measures that
// conditions use, and whether conditions hold. Results are plain data.

import { summary } from "../core/compare/statistics";
import type { Condition, Measure, NumberPart } from "./format";

/** What `@run` measures beside the lab's metrics (their last values) and the numbers among its settings. */
export const RUN_MEASURES = ["units", "reached", "goal", "first", "last", "least", "most"] as const;
/** What `@seeds` measures beside the medians of the lab's metrics (of their last values). */
export const SEEDS_MEASURES = ["reached", "units", "median", "least", "most", "range", "rose"] as const;

/** What is a number of runs. */
const RUN_COUNTS = ["reached", "rose"];

/** Whether a question asks for a number of runs, so that only whole numbers answer it. */
export const countsRuns = ({ is }: NumberPart): boolean => is !== null && RUN_COUNTS.includes(is.what);

/**
 * A metric, a loss for instance, has risen again if its last value is above its lowest one by more than this fraction.
 */
const MIN_RISE = 0.05;

/** How a run went. */
export interface RunOutcome {
  seed: number;
  /** Units (training iterations) so far. */
  units: number;
  /** The unit in which the goal was reached; null before. */
  reached: number | null;
  /** The first, last, lowest and highest value of the metric that the block shows; null before the first. */
  first: number | null;
  last: number | null;
  least: number | null;
  most: number | null;
  /** The last value of every metric that was measured. */
  metrics: Record<string, number>;
}

/** A curve, thinned for storage. */
export interface Curve {
  units: number[];
  values: number[];
}

export interface RunResult extends RunOutcome {
  kind: "run";
  metric: string;
  /** The settings that are numbers. */
  settings: Record<string, number>;
  /** The curve of the metric that the block shows. */
  curve: Curve;
}

export interface SeedsResult {
  kind: "seeds";
  metric: string;
  /** The goal of this metric; null without one. */
  target: number | null;
  /** True once every seed has ended by its goal or its limit; false if somebody stopped them. */
  complete: boolean;
  /** The settings that are numbers; none where an earlier version of the page has kept the result. */
  settings: Record<string, number>;
  seeds: (RunOutcome & { curve: Curve })[];
}

export type Result = RunResult | SeedsResult;

/**
 * What a block has measured (docs/lessons.md says what each measure means). NaN while it is not known: before a run has
 * measured it or reached its goal, and before every seed has ended. Infinity as the median of the units of seeds: half
 * of them or more never reached the goal.
 */
export function measured({ what }: Measure, result: Result | undefined): number {
  if (!result) return NaN;
  return result.kind === "run" ? ofRun(what, result) : result.complete ? ofSeeds(what, result) : NaN;
}

function ofRun(what: string, run: RunResult): number {
  switch (what) {
    case "units":
      return run.units;
    case "reached":
      return run.reached === null ? 0 : 1;
    case "goal":
      return run.reached ?? NaN;
    case "first":
    case "last":
    case "least":
    case "most":
      return run[what] ?? NaN;
    default:
      return own(run.metrics, what) ?? own(run.settings, what) ?? NaN;
  }
}

function ofSeeds(what: string, { seeds, settings }: SeedsResult): number {
  const lasts = summary(seeds.map(({ last }) => last ?? NaN));
  switch (what) {
    case "reached":
      return seeds.filter(({ reached }) => reached !== null).length;
    case "units":
      return summary(seeds.map(({ reached }) => reached ?? Infinity)).median;
    case "median":
    case "least":
    case "most":
      return lasts[what];
    case "range":
      return lasts.most - lasts.least;
    case "rose":
      return seeds.filter(({ last, least }) => last !== null && least !== null && last > least * (1 + MIN_RISE)).length;
    default: {
      const { median } = summary(seeds.map(({ metrics }) => own(metrics, what) ?? NaN));
      return Number.isNaN(median) ? (own(settings, what) ?? NaN) : median;
    }
  }
}

/** A property of an object that comes from outside. */
function own(values: Record<string, number>, name: string): number | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Whether a condition holds; null if something in it has not been measured. */
export function holds({ measure, is, factor, other }: Condition, value: (measure: Measure) => number): boolean | null {
  const left = value(measure);
  // Without another measure, `factor` is the number to compare with.
  const right = other ? factor * value(other) : factor;
  if (Number.isNaN(left) || Number.isNaN(right)) return null;
  switch (is) {
    case ">=":
      return left >= right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case "<":
      return left < right;
    case "=":
      return left === right;
  }
}

/** Whether all conditions hold; null if something has not been measured, or if there are none. */
export function allHold(conditions: readonly Condition[], value: (measure: Measure) => number): boolean | null {
  const each = conditions.map((condition) => holds(condition, value));
  if (each.length === 0 || each.includes(null)) return null;
  return each.every((one) => one === true);
}

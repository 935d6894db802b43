// Turns runs into the results that a lesson keeps.

import type { SeedSweep } from "../core/compare/seed-sweep";
import type { Run } from "../core/run";
import { marginName, Series } from "../core/series";
import type { Settings } from "../core/values";
import type { MetricSpec } from "../generated/protocol";
import type { SeedsPart } from "./format";
import type { Curve, Result, RunOutcome, RunResult, SeedsResult } from "./measures";

/** Points of a curve that is kept. */
const CURVE_POINTS = 60;
/** Digits of a value that is kept. */
const DIGITS = 6;

const rounded = (value: number) => Number(value.toPrecision(DIGITS));

function outcomeOf(series: Series, metric: string, seed: number, units: number, reached: number | null): RunOutcome {
  const { values } = series.measured(metric);
  const metrics = series.specs.flatMap(({ name }) => {
    const value = series.last(name);
    return Number.isFinite(value) ? [[name, rounded(value)] as const] : [];
  });
  const has = values.length > 0;
  return {
    seed,
    units,
    reached,
    first: has ? rounded(values[0] as number) : null,
    last: has ? rounded(values.at(-1) as number) : null,
    least: has ? rounded(values.reduce((a, b) => Math.min(a, b))) : null,
    most: has ? rounded(values.reduce((a, b) => Math.max(a, b))) : null,
    metrics: Object.fromEntries(metrics),
  };
}

/** Every n-th point of a metric, and the last one. */
function curveOf(series: Series, metric: string): Curve {
  const { units, values } = series.measured(metric);
  const stride = Math.ceil(units.length / CURVE_POINTS);
  const kept = units.flatMap((_, i) => (i % stride === 0 || i === units.length - 1 ? [i] : []));
  return { units: kept.map((i) => units[i] as number), values: kept.map((i) => rounded(values[i] as number)) };
}

export function resultOfRun(run: Run, metric: string): RunResult {
  const { series, seed, progress, settings, changes } = run;
  return {
    kind: "run",
    metric,
    ...outcomeOf(series, metric, seed, progress.units, progress.solvedAt ?? null),
    // A run whose settings were changed cannot tell what any of them does.
    settings: wasChanged(changes) ? {} : numbersOf(settings),
    curve: curveOf(series, metric),
  };
}

/** What was kept of a run as the chart shows it: the curve, and the margin of error of its last value. */
export function seriesOf({ metric, metrics, curve }: RunResult, specs: MetricSpec[]): Series {
  const series = new Series(specs);
  const margin = marginName(specs, metric);
  const last = curve.units.length - 1;
  const values = specs.map(({ name }) => {
    if (name === metric) return curve.values;
    return curve.units.map((_, i) => (name === margin && i === last ? (metrics[name] ?? NaN) : NaN));
  });
  series.append({ units: curve.units, values });
  return series;
}

/** Whether settings were changed after the run had begun. */
export const wasChanged = (changes: Run["changes"]): boolean =>
  changes.some(({ unit, after }) => unit > 0 && Object.keys(after).length > 0);

function numbersOf(settings: Settings): Record<string, number> {
  const pairs = Object.entries(settings).filter((pair): pair is [string, number] => typeof pair[1] === "number");
  return Object.fromEntries(pairs);
}

/** The result of a sweep so far. `metric` is that of the lesson; null for the goal's. */
export function resultOfSweep(sweep: SeedSweep, metric: string | null): SeedsResult {
  const shown = metric ?? sweep.metric;
  const goal = sweep.seeds.find(({ run }) => run?.goal)?.run?.goal ?? null;
  return {
    kind: "seeds",
    metric: shown,
    target: goal?.metric === shown ? goal.target : null,
    settings: numbersOf(sweep.seeds.find(({ run }) => run?.position)?.run?.settings ?? sweep.setup.settings),
    complete: sweep.seeds.every(({ run }) => run?.ending && run.ending !== "stopped" && run.ending !== "failed"),
    seeds: sweep.seeds.flatMap(({ seed, run }) => {
      if (!run?.position) return [];
      const outcome = outcomeOf(run.series, shown, seed, run.position.units, run.reached?.units ?? null);
      return [{ ...outcome, curve: curveOf(run.series, shown) }];
    }),
  };
}

/** The runs of a result that ended by themselves, at their goal or at their last unit. The others were stopped. */
export function doneRuns(part: SeedsPart, { seeds }: SeedsResult): SeedsResult["seeds"] {
  return seeds.filter(({ units, reached }) => units >= part.units || (part.goal && reached !== null));
}

/** Whether runs of a block had these settings, as far as the reader may change them. */
export function isOfSettings({ dials }: SeedsPart, chosen: Settings, { settings }: SeedsResult): boolean {
  return dials.every((name) => Object.hasOwn(settings, name) && settings[name] === chosen[name]);
}

/** The done runs of the first of `results` with the chosen settings of which some but not all are done; null for none. */
export function partlyDone(
  part: SeedsPart,
  chosen: Settings,
  results: readonly (Result | undefined)[],
): SeedsResult | null {
  for (const result of results) {
    if (result?.kind !== "seeds" || result.complete || !isOfSettings(part, chosen, result)) continue;
    const seeds = doneRuns(part, result);
    if (seeds.length > 0 && seeds.length < part.seeds) return { ...result, seeds };
  }
  return null;
}

/**
 * Whether what runs have measured takes the place of what is kept. A complete result always does. An incomplete one
 * never replaces a complete one. Of two incomplete ones, that with more done runs counts; but if the settings differ,
 * the new one as soon as one run is done, because the reader works on it.
 */
export function isWorthKeeping(part: SeedsPart, result: SeedsResult, kept: Result | undefined): boolean {
  if (result.complete) return true;
  if (kept?.kind !== "seeds") return result.seeds.length > 0;
  if (kept.complete) return false;
  const done = doneRuns(part, result).length;
  const isOther = !isOfSettings(part, result.settings, kept);
  return done > 0 && (isOther || done > doneRuns(part, kept).length);
}

/** The result of all seeds, in their order: those that were done `earlier`, and the others as they are now. */
export function joined(earlier: SeedsResult | null, now: SeedsResult, order: readonly number[]): SeedsResult {
  if (!earlier || earlier.seeds.length === 0) return now;
  const seeds = [...earlier.seeds, ...now.seeds].sort((a, b) => order.indexOf(a.seed) - order.indexOf(b.seed));
  // The new runs tell the goal, its metric and their settings only once they are open.
  const settings = { ...earlier.settings, ...now.settings };
  return { ...now, metric: earlier.metric, target: earlier.target, settings, seeds };
}

// What has become of a run since a unit (training iteration), such as the one in which a setting was turned up. It
// comes from the run's own record: its metrics, and the changes of its settings.

import type { Change } from "../generated/protocol";
import { formatMeasured } from "./format";
import { marginName, type Series } from "./series";

/** A metric that shows whether learning got worse. */
export interface Measure {
  metric: string;
  /** Its name in a sentence. */
  words: string;
  /** The direction in which it gets worse. */
  worse: "down" | "up";
  /** It got worse if it has changed in that direction by more than this fraction of its earlier value. */
  fraction: number;
  /** A value below this does not count as worse, for metrics of which small values say little. */
  least?: number;
  /** Whether it can get worse at all; `from` is what it was, `first` its first value in the run. */
  counts?: (from: number, first: number) => boolean;
  /** A value in a sentence; left out, as the metric's unit has it. */
  format?: (value: number) => string;
}

/** The change that turned a setting up to at least `least`, if it has stayed so high since; null otherwise. */
export function turnedUp(changes: readonly Change[], name: string, least: number): Change | null {
  let turned: Change | null = null;
  for (const change of changes.toReversed()) {
    if (!(name in change.after)) continue;
    if (Number(change.after[name]) < least) break;
    turned = change;
  }
  return turned && Number(turned.before[name]) < least ? turned : null;
}

/** The first measure with a value at or before this unit from which it can still get worse; null if there is none. */
export function usableMeasure(measures: readonly Measure[], series: Series, unit: number): Measure | null {
  const isUsable = ({ metric, counts }: Measure) => {
    const from = series.last(metric, unit);
    const first = series.column(metric).find(Number.isFinite) ?? NaN;
    return Number.isFinite(from) && (counts?.(from, first) ?? true);
  };
  return measures.find(isUsable) ?? null;
}

/** Whether a value of a metric is clearly worse than it was; false for NaN. */
export function isWorse({ worse, fraction, least = -Infinity }: Measure, from: number, value: number): boolean {
  const limit = from + (worse === "down" ? -1 : 1) * fraction * Math.abs(from);
  return value >= least && (worse === "down" ? value < limit : value > limit);
}

/**
 * How many units (training iterations) after a unit a metric was first measured to be clearly worse than at that unit;
 * null if it was not.
 */
export function unitsUntilWorse(series: Series, measure: Measure, unit: number): number | null {
  const from = series.last(measure.metric, unit);
  const column = series.column(measure.metric);
  const row = series.units.findIndex((each, i) => each > unit && isWorse(measure, from, column[i] ?? NaN));
  return row < 0 ? null : (series.units[row] as number) - unit;
}

/** What was measured of a metric after a unit. */
export function measuredAfter(series: Series, metric: string, unit: number): number[] {
  return series.column(metric).filter((value, i) => (series.units[i] ?? 0) > unit && Number.isFinite(value));
}

/**
 * The last measured value of a metric up to a unit, as text for a sentence. It is rounded by its margin of error, as
 * the score above the curve is, so that the page shows the same number for the same test.
 */
export function measuredText(series: Series, metric: string, unit = Infinity): string {
  const value = series.last(metric, unit);
  const margin = series.last(marginName(series.specs, metric) ?? "", unit);
  const sign = series.spec(metric)?.unit === "%" ? "%" : "";
  return `${formatMeasured(value, margin, 3, sign)}${Number.isFinite(value) ? sign : ""}`;
}

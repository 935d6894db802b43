// Statistics over runs of the same settings with different seeds: the median and the range of a metric at each unit
// (training iteration). `summary` also serves for the units that runs took to the goal, with Infinity for runs that
// never reached it.

import type { TrainingPoint } from "./pacing";

/**
 * The quantile `q` (0 to 1) of numbers in ascending order, with linear interpolation between neighbours, as NumPy
 * computes it by default. NaN for none. The highest numbers may be Infinity.
 */
export function quantile(ascending: number[], q: number): number {
  const at = q * (ascending.length - 1);
  const [low, high] = [ascending[Math.floor(at)], ascending[Math.ceil(at)]];
  if (low === undefined || high === undefined) return NaN;
  // Between two infinite neighbours the interpolation would give NaN.
  return low === high ? low : low + (high - low) * (at - Math.floor(at));
}

/** What a box plot shows of some numbers. */
export interface Summary {
  least: number;
  lowerQuartile: number;
  median: number;
  upperQuartile: number;
  most: number;
  /** How many numbers there are. */
  count: number;
}

/** The summary of numbers in any order. NaN stands for none and is left out; infinity for "never". */
export function summary(values: number[]): Summary {
  const ascending = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const [least, lowerQuartile, median, upperQuartile, most] = [0, 0.25, 0.5, 0.75, 1].map((q) =>
    quantile(ascending, q),
  ) as [number, number, number, number, number];
  return { least, lowerQuartile, median, upperQuartile, most, count: ascending.length };
}

/** A metric of one run: ascending units, and values that are not finite where nothing was measured. */
export interface RunCurve {
  units: number[];
  values: number[];
  /** True for a run that has reached the goal and stopped: its last value counts from then on. */
  solved: boolean;
}

/** The summary of a metric at a unit. */
export interface BandRow extends Summary {
  unit: number;
}

/**
 * The band of a metric: its summary at every unit at which any run has measured it. A run counts with the value that it
 * measured last; before its first measurement and after its end it does not count, unless it has reached the goal.
 */
export function bandOf(curves: RunCurve[]): BandRow[] {
  const measured = curves.map(({ units, values }) => {
    const rows = units.flatMap((unit, i) => (Number.isFinite(values[i]) ? [[unit, values[i] as number] as const] : []));
    return { rows, lastUnit: units.at(-1) ?? 0 };
  });
  /** All units at which any run has measured the metric. */
  const grid = [...new Set(measured.flatMap(({ rows }) => rows.map(([unit]) => unit)))].sort((a, b) => a - b);
  /** For each run, how many of its rows are at units up to the present one of the grid. */
  const rowsSoFar = curves.map(() => 0);
  return grid.map((unit) => {
    const values = measured.map(({ rows, lastUnit }, run) => {
      // Units ascend, so each run's rows are walked through once.
      while ((rows[rowsSoFar[run] as number]?.[0] ?? Infinity) <= unit) (rowsSoFar[run] as number)++;
      const hasEnded = unit > lastUnit && !curves[run]?.solved;
      return hasEnded ? NaN : (rows[(rowsSoFar[run] as number) - 1]?.[1] ?? NaN);
    });
    return { unit, ...summary(values) };
  });
}

/**
 * The work or the seconds at which each of the units ended, interpolated between points that are ascending in units.
 * Before the first point, work grows evenly from zero, and seconds are NaN: they were not measured. After the last
 * point, its value stays.
 */
export function interpolated(points: TrainingPoint[], units: number[], axis: keyof TrainingPoint): number[] {
  let next = 0;
  return units.map((unit) => {
    while (next < points.length && (points[next] as TrainingPoint).units < unit) next++;
    const to = points[next];
    if (!to) return points.at(-1)?.[axis] ?? NaN;
    if (to.units === unit) return to[axis];
    const start = axis === "seconds" ? NaN : 0;
    const from = points[next - 1] ?? { units: 0, work: start, seconds: start };
    return from[axis] + ((to[axis] - from[axis]) * (unit - from.units)) / (to.units - from.units);
  });
}

/** A curve over any ascending x; null where nothing was measured. */
export interface Curve {
  x: number[];
  y: (number | null)[];
}

/** Puts curves over one x axis, as uPlot expects them: all x in ascending order, then the values of each curve. */
export function alignCurves(curves: Curve[]): [number[], ...(number | null)[][]] {
  const axis = [...new Set(curves.flatMap(({ x }) => x))].sort((a, b) => a - b);
  const place = new Map(axis.map((x, i) => [x, i]));
  const columns = curves.map(({ x, y }) => {
    const column = axis.map((): number | null => null);
    x.forEach((each, i) => (column[place.get(each) as number] = y[i] ?? null));
    return column;
  });
  return [axis, ...columns];
}

// A run's forecast: how far it is on the way from its first test to its goal, and how many units the rest takes if it
// goes on as it did lately. Both come from the run's own measurements, so they hold for these settings.

/** The trend is computed from this fraction of the measurements, the latest ones. */
const RECENT_FRACTION = 0.5;
/** Fewer measurements than this give no trend. */
const MIN_POINTS = 4;
/** A trend counts only if its slope is this many standard errors above zero. */
const MIN_STANDARD_ERRORS = 2;

export interface Forecast {
  /** The fraction of the way to the goal that the latest measurements have covered, from 0 to 1. */
  fraction: number;
  /** Units (training iterations) until the goal; null if the trend is unknown or leads away from it. */
  units: number | null;
}

/** `units` and `values` are the measurements of the goal's metric; values that are not numbers are left out. */
export function forecast(units: number[], values: number[], target: number): Forecast | null {
  const points = units
    .map((unit, i) => ({ unit, value: values[i] ?? NaN }))
    .filter(({ value }) => Number.isFinite(value));
  const [first] = points;
  if (!first) return null;
  const recent = points.slice(-Math.max(MIN_POINTS, Math.ceil(points.length * RECENT_FRACTION)));
  const line = fit(recent);
  const last = recent.at(-1) as { unit: number; value: number };
  // A single test is noisy, so the value of the line counts if its trend is certain.
  const now = line && line.isCertain ? line.valueAt(last.unit) : last.value;
  const way = target - first.value;
  const fraction = way === 0 ? 1 : Math.min(1, Math.max(0, (now - first.value) / way));
  const left = target - now;
  // The trend leads to the goal if its slope has the sign of what is left.
  const leadsToGoal = line !== null && line.isCertain && left * line.slope > 0;
  return { fraction, units: leadsToGoal ? left / line.slope : null };
}

/** The line of least squares through some points, or null if there are too few. */
function fit(points: { unit: number; value: number }[]) {
  const n = points.length;
  if (n < MIN_POINTS) return null;
  const mean = (numbers: number[]) => numbers.reduce((sum, x) => sum + x, 0) / n;
  const [meanUnit, meanValue] = [mean(points.map(({ unit }) => unit)), mean(points.map(({ value }) => value))];
  const sum = (f: (dx: number, dy: number) => number) =>
    points.reduce((total, { unit, value }) => total + f(unit - meanUnit, value - meanValue), 0);
  const sumOfSquares = sum((dx) => dx * dx);
  if (sumOfSquares === 0) return null;
  const slope = sum((dx, dy) => dx * dy) / sumOfSquares;
  const residual = sum((dx, dy) => (dy - slope * dx) ** 2);
  // The standard error of the slope. A line has two parameters, so n - 2 degrees of freedom are left.
  const slopeError = Math.sqrt(residual / (n - 2) / sumOfSquares);
  return {
    slope,
    isCertain: Math.abs(slope) > MIN_STANDARD_ERRORS * slopeError,
    valueAt: (unit: number) => meanValue + slope * (unit - meanUnit),
  };
}

// How far a run is on the way from its first test to its goal, and how long the rest takes if it goes on as it did
// lately. Both come from the run's own measurements, so they hold for this machine and these settings.

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
  // A single test is noisy, so the line's value counts where there is one.
  const now = line && line.certain ? line.at(last.unit) : last.value;
  const way = target - first.value;
  const fraction = way === 0 ? 1 : Math.min(1, Math.max(0, (now - first.value) / way));
  const left = target - now;
  const leads = line !== null && line.certain && left * line.slope > 0;
  return { fraction, units: leads ? left / line.slope : null };
}

/** The line of least squares through some points, or null if there are too few. */
function fit(points: { unit: number; value: number }[]) {
  const n = points.length;
  if (n < MIN_POINTS) return null;
  const mean = (numbers: number[]) => numbers.reduce((sum, x) => sum + x, 0) / n;
  const [x0, y0] = [mean(points.map(({ unit }) => unit)), mean(points.map(({ value }) => value))];
  const sum = (f: (dx: number, dy: number) => number) =>
    points.reduce((total, { unit, value }) => total + f(unit - x0, value - y0), 0);
  const xx = sum((dx) => dx * dx);
  if (xx === 0) return null;
  const slope = sum((dx, dy) => dx * dy) / xx;
  const residual = sum((dx, dy) => (dy - slope * dx) ** 2);
  const error = Math.sqrt(residual / (n - 2) / xx);
  return {
    slope,
    certain: Math.abs(slope) > MIN_STANDARD_ERRORS * error,
    at: (unit: number) => y0 + slope * (unit - x0),
  };
}

// Whether the score and the curve that a link shows of its sender's moment (core/moment-link.ts) are those that its run
// has measured. The fingerprint of the run says nothing of them.

import { LAST_STEP, type MomentHeadline } from "./moment-link";
import type { Series } from "./series";

/** A number in a link has six significant digits, so it is off by at most this part of itself. */
const ROUNDING = 1e-5;

/**
 * Whether a run up to `unit` has measured the headline of a moment, up to the rounding of links. A sender's series may
 * have fewer rows than that of the run: every second, fourth, ... unit (`Series`). So each such stride is tried.
 */
export function fitsRun({ metric, value, measuredAt, curve }: MomentHeadline, unit: number, series: Series): boolean {
  const { units, values } = series.measured(metric, unit);
  const range = Math.max(...curve.values) - Math.min(...curve.values);
  for (let stride = 1; stride <= Math.max(1, unit); stride *= 2) {
    const rows = units.flatMap((each, row) => (each % stride === 0 ? [row] : []));
    const rowAt = (end: number) => rows.findLast((row) => (units[row] as number) <= end) ?? -1;
    const at = (end: number) => values[rowAt(end)] ?? NaN;
    const isNear = (said: number, found: number, most: number) =>
      Math.abs(said - found) <= most + ROUNDING * Math.max(Math.abs(said), Math.abs(found), range);
    const fits =
      isNear(value, at(unit), 0) &&
      (measuredAt === null || units[rowAt(unit)] === measuredAt) &&
      curve.units.every((end, i) => isNear(curve.values[i] as number, at(end), range / LAST_STEP / 2));
    if (fits) return true;
  }
  return false;
}

// Change points of a learning curve: where the tests (evaluations) of a run changed at once, and by more than noise.
//
// At every test, the median of the three tests from there on is compared with the median of the three before (near the
// ends of the curve: of two), and all of the later tests must lie beyond all of the earlier ones: so one lucky test is
// no change. The noise of a test is the larger of two: its measured margin of error, and how far tests scatter about
// the mean of their two neighbours, which a steady rise does not change. A change is beyond noise if it exceeds `Z`
// standard deviations of such a difference; so large a `Z` keeps false findings below one in a hundred curves, although
// every test of a run is tried.

import { MIN_TESTS } from "./enough";

/** A curve of tests. `margins` are half the widths of the 95% intervals; NaN where they are not known. */
export interface TestCurve {
  units: number[];
  values: number[];
  margins: number[];
}

/** A change of level between two tests. */
export interface ChangePoint {
  /** The index of the first test at the new level. */
  index: number;
  /** The medians of the tests before and after. */
  before: number;
  after: number;
  /** The units (training iterations) of the first and last test of both windows. */
  beforeUnits: [number, number];
  afterUnits: [number, number];
}

/** The most tests on each side of a change, whose median is compared. */
const WINDOW = 3;
/** The fewest tests on each side: one alone may have been lucky. */
const MIN_SIDE = 2;
/**
 * How many standard deviations a change has at least. tests/page/story-change-point.test.ts measures how often noise
 * has.
 */
const Z = 9;
/** A change is at least this fraction of what the curve spans. */
const MIN_FRACTION = 0.1;
/** A change is at least this many times the typical change between windows: a steady rise has no jump. */
const STEADY_FACTOR = 1.5;
/** Half the width of a 95% interval, in standard deviations. */
const STANDARD_DEVIATIONS = 1.96;
/** The mean absolute value of a normal variable, in standard deviations. */
const NORMAL_MEAN = 0.7979;
/** The variance of the median of so many normal variables, in variances of one; the first is unused. */
const MEDIAN_VARIANCE = [NaN, 1, 0.5, 0.449];

/** The largest change of a curve beyond its noise in one direction; null if there is none. */
export function largestChange(curve: TestCurve, direction: "up" | "down"): ChangePoint | null {
  const { values } = curve;
  if (values.length < MIN_TESTS) return null;
  const sign = direction === "up" ? 1 : -1;
  // At the tests that have at least `MIN_SIDE` tests before them and, with themselves, after them.
  const changes = values.slice(MIN_SIDE, 1 - MIN_SIDE).map((_, i) => changeAt(curve, i + MIN_SIDE));
  const size = ({ before, after }: ChangePoint) => Math.abs(after - before);
  /** The typical change elsewhere: medians of three differ one test earlier or later too. */
  const steady = ({ index }: ChangePoint) =>
    median(changes.filter((each) => Math.abs(each.index - index) > 1).map(size)) || 0;
  const span = Math.max(...values) - Math.min(...values);
  const distances = distancesOf(values);
  const total = distances.reduce((sum, each) => sum + each, 0);
  const beyond = changes.filter((change) => {
    const noise = deviationOf(curve, change, scatterAt(distances, total, change.index));
    const isLarge = sign * (change.after - change.before) >= Math.max(Z * noise, MIN_FRACTION * span);
    return isLarge && areApart(values, change, sign) && size(change) >= STEADY_FACTOR * steady(change);
  });
  const largest = beyond.reduce<ChangePoint | null>(
    (best, each) => (best && size(best) >= size(each) ? best : each),
    null,
  );
  if (!largest) return null;
  // Medians of three differ as much one test earlier or later, so the curve itself says where it changes most.
  const near = beyond.filter(({ index }) => Math.abs(index - largest.index) <= 1);
  return near.reduce((best, each) => (step(values, each) > step(values, best) ? each : best), largest);
}

/** Whether every test in the window after a change lies beyond every test in the window before it. */
function areApart(values: number[], { index }: ChangePoint, sign: number): boolean {
  const before = values.slice(Math.max(0, index - WINDOW), index).map((value) => sign * value);
  const after = values.slice(index, index + WINDOW).map((value) => sign * value);
  return Math.min(...after) > Math.max(...before);
}

/** By how much the test at a change differs from the one before. */
function step(values: number[], { index }: ChangePoint): number {
  return Math.abs((values[index] as number) - (values[index - 1] as number));
}

/** The change at the test `index`. */
function changeAt({ units, values }: TestCurve, index: number): ChangePoint {
  const from = Math.max(0, index - WINDOW);
  const to = Math.min(values.length, index + WINDOW);
  const unit = (i: number) => units[i] as number;
  return {
    index,
    before: median(values.slice(from, index)),
    after: median(values.slice(index, to)),
    beforeUnits: [unit(from), unit(index - 1)],
    afterUnits: [unit(index), unit(to - 1)],
  };
}

/** The standard deviation of a difference of two medians, if nothing has changed. */
function deviationOf({ margins }: TestCurve, { index }: ChangePoint, scatter: number): number {
  const from = Math.max(0, index - WINDOW);
  const to = Math.min(margins.length, index + WINDOW);
  const noise = (begin: number, end: number) => {
    const measured = margins.slice(begin, end).filter(Number.isFinite);
    return Math.max(scatter, ...measured.map((margin) => margin / STANDARD_DEVIATIONS));
  };
  const variance = (begin: number, end: number) => noise(begin, end) ** 2 * (MEDIAN_VARIANCE[end - begin] ?? 1);
  return Math.sqrt(variance(from, index) + variance(index, to));
}

/** How far each test is from the mean of its two neighbours; 0 for the first and the last. */
function distancesOf(values: number[]): number[] {
  const last = values.length - 1;
  const between = (i: number) => ((values[i - 1] as number) + (values[i + 1] as number)) / 2;
  return values.map((value, i) => (i === 0 || i === last ? 0 : Math.abs(value - between(i))));
}

/**
 * The standard deviation of a test, by these distances, whose sum is `total`. The two tests at the change `index` are
 * left out, because their neighbours are on both sides of it.
 */
function scatterAt(distances: number[], total: number, index: number): number {
  const sum = total - (distances[index - 1] as number) - (distances[index] as number);
  // The first and the last distance are 0 by definition, so with the two at the change, four do not count.
  const mean = Math.max(0, sum) / (distances.length - 4);
  // The difference of a test and the mean of two others has one and a half times the variance of a test.
  return mean / NORMAL_MEAN / Math.sqrt(1.5);
}

/** The median of some numbers; NaN if there are none. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[middle - 1], sorted[middle]];
  if (sorted.length % 2 === 1) return high as number;
  return ((low ?? NaN) + (high ?? NaN)) / 2;
}

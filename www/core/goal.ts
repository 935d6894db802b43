// How a run stands to its goal, by its tests (evaluations). Most tests are samples: the true value lies within a margin
// of error. So only a test whose whole interval, the value plus and minus the margin, lies on one side of the goal says
// that the run keeps the goal or has lost it. A test whose interval holds the goal changes nothing.

import type { Goal, MetricSpec, Progress } from "../generated/protocol";
import { marginName, type Series } from "./series";

/**
 * `open`: no test has reached the goal. `reached`: a test has, but the goal lies within its margin of error, so it may
 * have been luck. `solved`: the whole interval of a test was at the goal or beyond. `missed`: that was so, but a later
 * test fell short of the goal by more than its margin. `lost`: a later test fell far short.
 */
export type Standing = "open" | "reached" | "solved" | "missed" | "lost";

/** Where the interval of a test lies: at the goal or beyond, around the goal, or wholly on the worse side. */
export type Side = "beyond" | "around" | "short";

/** A test of the goal's metric. */
export interface GoalTest {
  unit: number;
  value: number;
  /** Half the width of the 95% interval; NaN if it is not known. */
  margin: number;
  /** Whether the margin was estimated from how far successive tests scatter, because the lab measures none. */
  isEstimated: boolean;
  /** How far the value is beyond the goal; negative where it is worse. */
  lead: number;
  side: Side;
}

/** What a run knows of its goal. */
export interface TowardsGoal {
  goal: Goal | null;
  series: Series;
  progress: Progress;
}

/** A test is far from the goal if it is worse than the goal by more than this fraction of the goal's value. */
const FAR_FRACTION = 0.2;
/** The margin of error is estimated from this many of the latest tests, and from at least `MIN_SCATTER_TESTS`. */
const SCATTER_TESTS = 7;
const MIN_SCATTER_TESTS = 5;
/** A test has fallen if it has lost more than this fraction of what the best test had gained on the first. */
const FALLEN_FRACTION = 0.5;
/** Half the width of a 95% interval, in standard deviations. */
const STANDARD_DEVIATIONS = 1.96;
/** The median of the absolute value of a normal variable, in standard deviations. */
const NORMAL_MEDIAN = 0.6745;

/** True if a test of the run has reached its goal: by now, or by an earlier unit (training iteration). */
export function isSolved({ solvedAt }: Progress, unit = Infinity): boolean {
  return typeof solvedAt === "number" && solvedAt <= unit;
}

/** How a run stands to its goal: now, or at an earlier unit. */
export function standingOf({ goal, series, progress }: TowardsGoal, unit = Infinity): Standing {
  if (!goal || !isSolved(progress, unit)) return "open";
  let standing: Standing = "reached";
  for (const { unit: at, side, lead, margin } of testsOf(goal, series, unit)) {
    if (at < (progress.solvedAt ?? 0)) continue;
    const isFar = lead < -FAR_FRACTION * Math.abs(goal.target);
    if (side === "beyond") standing = "solved";
    else if (side === "short" && standing !== "reached") standing = isFar ? "lost" : "missed";
    // The test that reached the goal had a margin too, so two of them lie between it and a run that has become worse.
    else if (isFar && lead < -2 * margin) standing = "lost";
  }
  return standing;
}

/**
 * True if the last test up to a unit is much worse than a test before: the goal was lost, or, on the way to it, more
 * than half of what that test had gained on the first one, more than a fifth of the goal, and more than two margins of
 * error. A test that may be at the goal is not worse.
 */
export function isWorse(run: TowardsGoal, unit = Infinity): boolean {
  const { goal, series } = run;
  if (!goal) return false;
  const standing = standingOf(run, unit);
  const tests = testsOf(goal, series, unit);
  const [first, last] = [tests[0], tests.at(-1)];
  if (!first || !last) return false;
  if (standing !== "open") return standing === "lost" && last.side === "short";
  const isFallen = ({ lead }: GoalTest) =>
    lead - last.lead >
    Math.max(FALLEN_FRACTION * (lead - first.lead), FAR_FRACTION * Math.abs(goal.target), 2 * last.margin);
  return tests.some(isFallen);
}

/** True if the run has reached the goal at which it stops by itself (core/stop-at-goal.ts). */
export function isAtGoal(run: TowardsGoal): boolean {
  return standingOf(run) === "solved";
}

/** The last test of a run up to a unit; null if there is none. */
export function latestTest({ goal, series }: Pick<TowardsGoal, "goal" | "series">, unit = Infinity): GoalTest | null {
  return (goal && testsOf(goal, series, unit).at(-1)) ?? null;
}

/** The test that reached the goal; null if there is none, or if its row was dropped from a long history. */
export function reachingTest({ goal, series, progress }: TowardsGoal): GoalTest | null {
  const test = latestTest({ goal, series }, progress.solvedAt ?? -Infinity);
  return test && test.unit === progress.solvedAt ? test : null;
}

/** The first test whose whole interval is at the goal or beyond, which confirms the goal; null if there is none. */
export function confirmingTest({ goal, series, progress }: TowardsGoal): GoalTest | null {
  const since = progress.solvedAt ?? Infinity;
  const tests = goal ? testsOf(goal, series, Infinity) : [];
  return tests.find(({ unit, side }) => unit >= since && side === "beyond") ?? null;
}

/** The tests of a run up to a unit. */
function testsOf(goal: Goal, series: Series, unit: number): GoalTest[] {
  const spec = series.spec(goal.metric);
  const margins = marginName(series.specs, goal.metric);
  const isEstimated = !goal.exact && margins === undefined;
  const column = margins === undefined ? [] : series.column(margins);
  const values: number[] = [];
  return series.column(goal.metric).flatMap((value, row) => {
    const at = series.units[row] as number;
    if (!Number.isFinite(value) || at > unit) return [];
    values.push(value);
    const measured = () => (isEstimated ? scatter(values.slice(-SCATTER_TESTS)) : (column[row] ?? NaN));
    const margin = goal.exact ? 0 : measured();
    const lead = spec?.better === "lower" ? goal.target - value : value - goal.target;
    return [
      { unit: at, value, margin, isEstimated, lead, side: sideOf(lead, margin, isPerfect(value, spec, goal.best)) },
    ];
  });
}

/** True if nothing better can be measured: 100%, or the best value of a goal. */
export function isPerfect(value: number, spec: MetricSpec | undefined, best?: number): boolean {
  if (spec?.better !== "higher") return false;
  return value >= (best ?? (spec.unit === "%" ? 100 : Infinity));
}

/** A margin that is NaN decides nothing. */
function sideOf(lead: number, margin: number, perfect: boolean): Side {
  // An interval cannot lie beyond a goal at the best value.
  if (lead >= margin || (perfect && lead >= 0)) return "beyond";
  return lead < -margin ? "short" : "around";
}

/**
 * The margin of error of the last of some tests, estimated from how far each lies from the mean of its two neighbours,
 * which a steady rise or fall does not change. The median of these distances also stays small when a run improves or
 * fails all at once. NaN if there are too few tests.
 */
function scatter(values: number[]): number {
  if (values.length < MIN_SCATTER_TESTS) return NaN;
  const between = (a: number, b: number) => ((values[a] as number) + (values[b] as number)) / 2;
  const distances = values.slice(1, -1).map((value, i) => Math.abs(value - between(i, i + 2)));
  distances.sort((a, b) => a - b);
  const median = distances[Math.floor(distances.length / 2)] as number;
  // The difference of a test and the mean of two others has one and a half times the variance of a test.
  return (STANDARD_DEVIATIONS * median) / (NORMAL_MEDIAN * Math.sqrt(1.5));
}

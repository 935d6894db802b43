// The moments of a run that mattered, at most three: the largest change of the headline's metric beyond noise, a
// behaviour that was seen for the first time, and the goal; and if one of them is missing, the largest change in the
// other direction. Every number of a caption is one of the run's records.

import type { Goal, MetricSpec, Progress } from "../../generated/protocol";
import { formatMeasured, sentenceStart, withUnit } from "../format";
import { valueLabel } from "../labels";
import { isPerfect, latestTest, standingOf } from "../goal";
import { marginName } from "../series";
import type { Behaviour, RunRecord } from "./behaviour";
import { largestChange, type ChangePoint, type TestCurve } from "./change-point";

/** A run as far as its story is told: its records up to a unit. */
export interface StoryRun extends RunRecord {
  goal: Goal | null;
  progress: Pick<Progress, "units" | "solvedAt">;
  /** The metric whose curve is told. */
  metric: string;
  /** Its name in a sentence. */
  name: string;
  /** The title of a setting; left out, its name. */
  titleOf?: (setting: string) => string;
}

/** Why a moment matters: a change for the better or the worse, a behaviour seen for the first time, or the goal. */
export type MomentKind = "better" | "worse" | "behaviour" | "goal";

/** A moment of a run that mattered, perhaps for several reasons. */
export interface StoryMoment {
  unit: number;
  kinds: MomentKind[];
  title: string;
  /** What happened, with the measured numbers. */
  text: string;
}

/** The most moments that a story tells. */
export const MAX_MOMENTS = 3;

/** The tests (evaluations) of the metric, with their margins of error where the lab measures them. */
export function testCurve({ series, metric }: Pick<StoryRun, "series" | "metric">): TestCurve {
  const { units, values } = series.measured(metric);
  const margins = marginName(series.specs, metric);
  const marginAt = (unit: number) => (margins === undefined ? NaN : series.last(margins, unit));
  return { units, values, margins: units.map(marginAt) };
}

/** The moments that mattered, at most `most`, in the order of the run; none if nothing stands out. */
export function findMoments(run: StoryRun, behaviour: Behaviour | null, most = MAX_MOMENTS): StoryMoment[] {
  const curve = testCurve(run);
  const spec = run.series.spec(run.metric);
  const lowerIsBetter = spec?.better === "lower";
  const rise = largestChange(curve, "up");
  const fall = largestChange(curve, "down");
  const size = (change: ChangePoint | null) => (change ? Math.abs(change.after - change.before) : 0);
  const [largest, opposite] = size(fall) > size(rise) ? [fall, rise] : [rise, fall];
  const tell = (change: ChangePoint | null) => change && changeMoment(run, curve, change, lowerIsBetter, spec);
  const seen = behaviour?.measured?.(run) ?? null;
  const candidates = [
    tell(largest),
    seen && { ...seen, kinds: ["behaviour" as const], title: `${seen.title}, for the first time` },
    goalMoment(run, spec),
    tell(opposite),
  ];
  return candidates
    .filter((moment) => moment !== null)
    .reduce<StoryMoment[]>((moments, moment) => addMoment(moments, moment, most), [])
    .sort((a, b) => a.unit - b.unit);
}

/** Adds a moment to those of a story: to one at the same unit, or as another one while there is room. */
export function addMoment(moments: StoryMoment[], moment: StoryMoment, most = MAX_MOMENTS): StoryMoment[] {
  const same = moments.find(({ unit }) => unit === moment.unit);
  if (!same) return moments.length < most ? [...moments, moment] : moments;
  const title = `${same.title}. ${moment.title}`;
  const both = { ...same, kinds: [...same.kinds, ...moment.kinds], title, text: `${same.text} ${moment.text}` };
  return moments.map((each) => (each === same ? both : each));
}

/** A value of the metric in a sentence, rounded as its margin of error allows. */
function valueText(value: number, margin: number, spec: MetricSpec | undefined): string {
  return withUnit(formatMeasured(value, margin, 3, spec?.unit), spec?.unit ?? "");
}

/** The units of a window: `iteration 4` or `iterations 4 to 6`. */
function unitsText([first, last]: [number, number], noun: string): string {
  return first === last ? `${noun} ${first}` : `${noun}s ${first} to ${last}`;
}

function changeMoment(
  run: StoryRun,
  { units, margins }: TestCurve,
  change: ChangePoint,
  lowerIsBetter: boolean,
  spec: MetricSpec | undefined,
): StoryMoment {
  const { index, before, after, beforeUnits, afterUnits } = change;
  const isBetter = after > before !== lowerIsBetter;
  const margin = margins[index] ?? NaN;
  const value = (number: number) => valueText(number, margin, spec);
  const why = changesText(run, beforeUnits[1], afterUnits[0]) || "Tests vary by chance, but hardly ever this much.";
  return {
    unit: units[index] as number,
    kinds: [isBetter ? "better" : "worse"],
    title: isBetter ? "The largest jump" : "The largest setback",
    text:
      `${sentenceStart(run.name)}: ${value(before)} before, ${value(after)} after (the middle values of the tests of ` +
      `${unitsText(beforeUnits, run.unit)} and of ${unitsText(afterUnits, run.unit)}). ${why}`,
  };
}

/** What was changed between two tests, in a sentence; empty if nothing was. A change takes effect after its unit. */
function changesText({ changes, unit: noun, titleOf }: StoryRun, from: number, to: number): string {
  const between = changes.filter(({ unit }) => unit >= from && unit < to);
  const settings = between.flatMap(({ after, unit }) =>
    Object.entries(after).map(
      ([name, value]) => `${titleOf?.(name) ?? name} was set to ${valueLabel(value)} after ${noun} ${unit}`,
    ),
  );
  if (between.some(({ data }) => (data ?? null) !== null)) settings.push("the run was given other data to learn from");
  return settings.length > 0 ? `Between these tests, ${settings.join(", and ")}.` : "";
}

/** The first test that was beyond the goal by its whole margin of error; null if there is none. */
function goalMoment(run: StoryRun, spec: MetricSpec | undefined): StoryMoment | null {
  const { goal, series, progress } = run;
  if (!goal) return null;
  const towards = { goal, series, progress: progress as Progress };
  const { units } = series.measured(goal.metric);
  const unit = units.find((each) => standingOf(towards, each) === "solved");
  if (unit === undefined) return null;
  const test = latestTest(towards, unit);
  if (!test) return null;
  const goalSpec = goal.metric === spec?.name ? spec : series.spec(goal.metric);
  const name = goalSpec?.label ?? goal.metric;
  // Nothing better than the best value can be measured, so there the margin decides nothing.
  const hasMargin = test.margin > 0 && !isPerfect(test.value, goalSpec, goal.best);
  const estimated = test.isEstimated ? ", estimated from the scatter of earlier tests" : "";
  const margin = hasMargin ? ` (margin of error ${valueText(test.margin, NaN, goalSpec)}${estimated})` : "";
  const solvedAt = progress.solvedAt ?? unit;
  const noun = run.unit;
  const isEarlier = solvedAt < unit;
  const earlier = isEarlier ? ` The test of ${noun} ${solvedAt} reached it, but by less than its margin of error.` : "";
  const reaches = isEarlier ? "is surely past it" : "reaches it";
  return {
    unit,
    kinds: ["goal"],
    title: "The goal",
    text:
      `${sentenceStart(name)}: ${valueText(test.value, test.margin, goalSpec)}${margin}. The goal is ` +
      `${valueText(goal.target, NaN, goalSpec)}: this is the first test that ${hasMargin ? "is past it by at least its margin of error" : reaches}.${earlier}`,
  };
}

// What the page says of a run and its goal: how it stands to it, which test reached it, where the goal lies in the
// interval of the shown test, and how far it still is. Each sentence is about one test, or about recorded runs.

import { measuredShare, unitsLeft, usualUnits, usualUnitsLeft, type GoalUnits, type UnitSpan } from "../core/forecast";
import {
  formatCount,
  formatInteger,
  formatMargin,
  formatNumber,
  formatSpan,
  listed,
  MARGIN_DIGITS,
  withUnit,
} from "../core/format";
import type { GoalTest, Standing } from "../core/goal";
import { marginName, type Series } from "../core/series";
import type { Run } from "../core/run";
import { endWords } from "../core/share-end";
import { measuredText } from "../core/since-change";
import { headlineValue, targetWords, type Headline } from "./headline";

/** How a run stands to its goal, in a few words; empty before a test has reached it. `test` is the shown one. */
export function standingWords(standing: Standing, test: GoalTest | null): string {
  switch (standing) {
    case "open":
      return "";
    case "reached":
      if (test?.side === "short") return "Short of the goal again";
      return "Goal reached in a test, not confirmed yet";
    case "solved":
      return "Goal reached";
    case "missed":
    case "lost":
      if (test && test.side !== "short") return "Perhaps at the goal again";
      return `Goal reached, ${standing === "lost" ? "lost since" : "a little short of it since"}`;
  }
}

/** What is told of the test that reached the goal beside its unit (training iteration). */
export interface ReachingTest {
  /** What it measured, with its margin of error. */
  value: string;
  /** What the run took until then. */
  costs: string[];
  /** The unit of the first test that was beyond the goal by more than its margin of error, this one or a later one. */
  confirmedAt: number | null;
  /** If no test has been so yet: the shown one, which tells what is missing. */
  unconfirmed: Pick<GoalTest, "margin" | "isEstimated"> | null;
}

/** Which test reached the goal. `unit` is the lab's word for a training iteration. */
export function reachedWords(unit: string, solvedAt: number, test: Partial<ReachingTest> = {}): string {
  const { value = "", costs = [], confirmedAt = null, unconfirmed = null } = test;
  const after = costs.length > 0 ? ` after ${listed(costs)}` : "";
  const scored = value && `, with ${value}${after && ","}`;
  const isConfirmedLater = confirmedAt !== null && confirmedAt > solvedAt;
  const confirmed = isConfirmedLater
    ? ` The test at ${unit} ${formatInteger(confirmedAt)} confirmed it.`
    : unconfirmed
      ? ` Not confirmed yet: ${missingWords(unconfirmed)}.`
      : "";
  return `The test at ${unit} ${formatInteger(solvedAt)} reached it${scored}${after}.${confirmed}`;
}

/**
 * What it takes to confirm the goal. Where the margin of error is estimated from earlier tests, even a test far beyond
 * the goal may not do: it is their scatter that leaves the goal in doubt.
 */
function missingWords({ margin, isEstimated }: Pick<GoalTest, "margin" | "isEstimated">): string {
  if (!isEstimated) return "that takes a test clearly beyond the goal";
  if (Number.isNaN(margin)) return "there are too few tests to tell how much their results vary";
  return "the results of its last tests vary too much for that";
}

/** The headline's value and margin of error in the test of a unit. */
export function valueWords(headline: Headline, series: Series, unit: number): string {
  const at = (metric: string) => series.last(metric, unit);
  const margin = at(marginName(series.specs, headline.metric) ?? "");
  const end = endWords(at(headline.metric), headline.trials);
  const text = headlineValue(headline, series, at);
  const interval = formatMargin(at(headline.metric), margin, headline.unit);
  // The ends of an interval stand behind the unit: "0.19% (0.03 to 1.12)", but "53.1 ± 2.4%".
  const isRange = interval.endsWith(")");
  const value = isRange ? withUnit(text, headline.unit) + interval : withUnit(text + interval, headline.unit);
  return end ? `${value} (${withUnit(end, headline.unit)})` : value;
}

/**
 * Where the goal lies for the shown test, once the goal was reached; empty where the sentence before says enough.
 * `isHeadline` tells whether the test's metric is the headline, so that its margin can be compared with the value.
 */
export function intervalWords(test: GoalTest, standing: Standing, target: string, isHeadline = true): string {
  if (standing === "open" || (standing === "lost" && test.side === "short")) return "";
  const goal = (name: string) => `${name}${target && `, ${target}`}`;
  if (test.side === "short") return `This test falls short of ${goal("the goal")}.`;
  if (test.side === "beyond" || Number.isNaN(test.margin)) return "";
  const isWorse = test.lead < 0;
  if (!isWorse && (test.isEstimated || standing === "solved")) return "";
  const unknown = `tell whether the agent is at ${goal("the goal")}.`;
  if (!isHeadline) return `This test is too inexact to ${unknown}`;
  const margin = `± ${formatNumber(test.margin, MARGIN_DIGITS)}`;
  return `This test is only exact to ${test.isEstimated ? "about " : ""}${margin}, so it cannot ${unknown}`;
}

/** The values of the first and the last test and of the goal as text. */
export interface WayTexts {
  first: string;
  last: string;
  goal: string;
  /** Whether they are percentages, so that one of a way between them would be taken for one of them. */
  arePercent: boolean;
}

/**
 * The texts of a run's tests. Null if its headline is another metric than that of the goal: then the goal is measured
 * by a loss, which flattens.
 */
export function wayTexts({ goal, series }: Pick<Run, "goal" | "series">, headline: Headline): WayTexts | null {
  if (!goal || headline.metric !== goal.metric) return null;
  const { unit } = series.spec(goal.metric) ?? {};
  return {
    first: measuredText(series, goal.metric, series.measured(goal.metric).units[0]),
    last: measuredText(series, goal.metric),
    goal: targetWords(goal.target, unit),
    arePercent: unit === "%",
  };
}

/** What is known of the way to the goal. */
export interface Way {
  /** The tests so far, NaN where there was none. */
  values: number[];
  target: number;
  /** Those values as text; null where a share of their way would mislead. */
  texts: WayTexts | null;
  /** When recorded runs with the same settings reached the goal; null if there are none. */
  goalUnits: GoalUnits | null;
  /** The units of the run so far, and the lab's word for one. */
  units: number;
  unit: string;
  /** The present speed; 0 while the run is paused. */
  unitsPerSecond: number;
}

/** How far the tests have come on the way to the goal, and the time that is left or that most runs take. */
export function outlookWords(way: Way): string {
  return [shareWords(way), timeWords(way)].filter(Boolean).join(" ");
}

/** A smaller share of the way, in percent, may be chance. */
const MIN_PERCENT = 5;

/** How much of the way to the goal the tests have come, with the numbers that it is measured by. */
export function shareWords({ values, target, texts }: Pick<Way, "values" | "target" | "texts">): string {
  const share = measuredShare(values, target) ?? 0;
  // Short of the goal it is never 100%.
  const percent = Math.round(100 * share);
  if (!texts || percent < MIN_PERCENT) return "";
  const { first, last, goal, arePercent } = texts;
  if (arePercent) return `The score began at ${first.replace("<", "less than ")}; the goal is ${goal}.`;
  // Curves flatten, so with half of the way behind it a run may have most of its units before it.
  if (percent >= 50) return `From ${first} in the first test to ${last} in the last; the goal is ${goal}.`;
  return `From ${first} in the first test to ${last} in the last: ${percent}% of the way to the goal, ${goal}.`;
}

function timeWords({ goalUnits, units, unit, unitsPerSecond }: Way): string {
  if (!goalUnits) return "";
  const duration = ({ from, to }: UnitSpan) =>
    unitsPerSecond > 0 ? formatSpan(from / unitsPerSecond, to / unitsPerSecond) : unitsWords({ from, to }, unit);
  const speed = unitsPerSecond > 0 ? " at this speed" : "";
  const left = unitsLeft(goalUnits, units);
  if (left) return `About ${duration(left)} left${speed}.`;
  const usual = usualUnits(goalUnits);
  if (!usual) return "";
  const place =
    usual.from === usual.to
      ? `in ${unit} ${formatInteger(usual.to)}`
      : `between ${unit}s ${formatInteger(usual.from)} and ${formatInteger(usual.to)}`;
  // The time runs from `units` on, because the speed may have been another one before.
  const usuallyLeft = unitsPerSecond > 0 ? usualUnitsLeft(goalUnits, units) : null;
  const isThere = units >= usual.from && units <= usual.to;
  const position = units > usual.to ? "; this one takes longer" : isThere ? "; this one is in that range now" : "";
  const ahead = usuallyLeft ? `; at this speed in ${duration(usuallyLeft)}` : position;
  return `Most runs with these settings reach the goal ${place}${ahead}.`;
}

/** What the outlook rests on, in a sentence, with or without the other runs; empty if it tells no time. */
export function sourceWords(goalUnits: GoalUnits | null, unit: string, withOthers = true): string {
  const usual = goalUnits && usualUnits(goalUnits);
  if (!usual) return "";
  const { counted, runs, from, to } = usual;
  const took = `recorded runs took ${unitsWords(usual, unit)} to the goal`;
  if (counted === runs) return `All ${runs} ${took}.`;
  const fewer = goalUnits.filter((end) => end !== null && end < from).length;
  const more = goalUnits.filter((end) => end !== null && end > to).length;
  // Nothing is said of the others if one of them did not reach the goal.
  const others = withOthers && counted + fewer + more === runs ? `; ${othersWords(fewer, more)}` : "";
  return `${counted} of ${runs} ${took}${others}.`;
}

/** What the runs outside a range took, of which there is at least one. */
function othersWords(fewer: number, more: number): string {
  return [fewer > 0 && `${fewer} took fewer`, more > 0 && `${more} took more`].filter(Boolean).join(", ");
}

/** A number of units, or a range of it, in words. */
export function unitsWords({ from, to }: UnitSpan, unit: string): string {
  return from === to ? formatCount(to, unit) : `${formatInteger(from)} to ${formatCount(to, unit)}`;
}

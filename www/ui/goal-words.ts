// What the page says of a run and its goal: that it was reached and by which test, where the goal lies in the interval
// of the shown test, and how far it still is. Each sentence is about one test, or about recorded runs.

import { measuredShare, unitsLeft, usualUnits, type GoalUnits, type UnitSpan } from "../core/forecast";
import { formatCount, formatInteger, formatMeasured, formatNumber, formatSpan, minus } from "../core/format";
import type { GoalTest, Standing } from "../core/goal";

/** The largest percentage that is told before the goal is reached. */
const MAX_PERCENT = 99;
/** Significant digits of values and margins. */
const VALUE_DIGITS = 3;
const MARGIN_DIGITS = 2;

/** What became of the goal after it was reached. */
const AFTERWARDS: Record<Standing, string> = {
  open: "",
  reached: "",
  solved: "",
  missed: ", then missed",
  lost: ", then lost",
};

/** That the goal was reached, and what became of it. `unit` is the lab's word for a training iteration. */
export function reachedWords(unit: string, solvedAt: number, standing: Standing): string {
  return `Goal reached in ${unit} ${formatInteger(solvedAt)}${AFTERWARDS[standing]}`;
}

/** The test that reached the goal, and whether that may have been luck. `unit` is that of the values. */
export function reachedByWords(test: GoalTest, unit: string, standing: Standing): string {
  const value = formatMeasured(test.value, test.isEstimated ? NaN : test.margin, VALUE_DIGITS, unit);
  const margin = test.isEstimated ? "" : ` ± ${formatNumber(test.margin, MARGIN_DIGITS)}`;
  const by = `by a test of ${value}${margin}${unit === "%" ? "%" : unit && ` ${unit}`}`;
  if (standing === "solved") return test.side === "beyond" ? by : `${by}, which a later one has confirmed`;
  if (standing !== "reached") return by;
  return test.isEstimated
    ? `${by}, which later ones have to confirm`
    : `${by}, perhaps by luck: the goal lies within its margin of error`;
}

/** Where the goal lies for the shown test, once the goal was reached; empty where the sentence before says enough. */
export function intervalWords(test: GoalTest, target: string, standing: Standing): string {
  if (standing === "open" || standing === "lost") return "";
  if (test.side === "short") return `This test falls short of the goal, ${target}.`;
  if (test.side === "beyond" || Number.isNaN(test.margin)) return "";
  const isWorse = test.lead < 0;
  const margin = `± ${formatNumber(test.margin, MARGIN_DIGITS)}`;
  if (test.isEstimated) return isWorse ? `The goal, ${target}, lies within the scatter of the tests, ${margin}.` : "";
  return isWorse || standing !== "solved"
    ? `The goal, ${target}, lies within the margin of error of this test, ${margin}.`
    : "";
}

/** The target of a goal, without trailing zeros: goals are round numbers. */
export function targetWords(target: number, unit = ""): string {
  return `${minus(String(target))}${unit === "%" ? "%" : ""}`;
}

/** What is known of the way to the goal. */
export interface Way {
  /** The tests so far, NaN where there was none. */
  values: number[];
  target: number;
  /** When recorded runs with the same settings reached the goal; null if there are none. */
  goalUnits: GoalUnits | null;
  /** The units of the run so far, and the lab's word for one. */
  units: number;
  unit: string;
  /** The present speed; 0 while the run is paused. */
  unitsPerSecond: number;
}

/** The measured share of the way to the goal, and the time that is left or that most runs take. */
export function outlookWords(way: Way): string {
  const share = measuredShare(way.values, way.target) ?? 0;
  const percent = Math.min(MAX_PERCENT, Math.floor(100 * share));
  return [percent > 0 ? `The latest test is ${percent}% of the way to the goal.` : "", timeWords(way)]
    .filter(Boolean)
    .join(" ");
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
  const longer = units > usual.to ? "; this one takes longer" : "";
  return `Most runs with these settings take ${duration(usual)}${speed}${longer}.`;
}

/** What the outlook rests on, in a sentence; empty if it tells no time. */
export function sourceWords(goalUnits: GoalUnits | null, unit: string): string {
  const usual = goalUnits && usualUnits(goalUnits);
  if (!usual) return "";
  const { counted, runs } = usual;
  return `${counted} of ${runs} recorded runs with these settings reached the goal after ${unitsWords(usual, unit)}.`;
}

function unitsWords({ from, to }: UnitSpan, unit: string): string {
  return from === to ? formatCount(to, unit) : `${formatInteger(from)} to ${formatCount(to, unit)}`;
}

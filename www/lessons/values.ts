// Measured values in words, with as many digits as their margin of error allows; the same wherever a lesson shows them.

import { formatCount, formatMeasured, formatNumber, MARGIN_DIGITS, minus, withUnit } from "../core/format";
import { marginName } from "../core/series";
import type { LabInfo } from "../generated/protocol";
import { areSeveralRuns, predicts, type Measure, type QuestionPart } from "./format";
import { measured, type Result } from "./measures";
import type { LessonState } from "./state";

/** Significant digits of a value without a margin of error. */
const DIGITS = 3;
/** What blocks measure of the metric that they show. */
const OF_SHOWN_METRIC = ["first", "last", "least", "most", "median", "range"];
/** What blocks count: runs or units. What is in neither list is a metric or a setting. */
const COUNTS = ["units", "reached", "goal", "rose"];

/** The value of a metric, without its unit. */
function bareWords({ about }: LabInfo, metric: string, value: number, margin = NaN): string {
  const isMargin = about.metrics.some(({ name }) => marginName(about.metrics, name) === metric);
  if (isMargin) return formatNumber(value, MARGIN_DIGITS);
  const unit = about.metrics.find(({ name }) => name === metric)?.unit ?? "";
  // A percentage is rounded down with or without a margin, so that 100 means all.
  return margin > 0 || unit === "%" ? formatMeasured(value, margin, DIGITS, unit) : plainNumber(value);
}

/** The value of a metric with its unit. */
export function metricWords(lab: LabInfo, metric: string, value: number, margin = NaN): string {
  const unit = lab.about.metrics.find(({ name }) => name === metric)?.unit ?? "";
  return Number.isFinite(value) ? withUnit(bareWords(lab, metric, value, margin), unit) : "nothing measured";
}

/**
 * The margin of error of the metric that a block shows, or of another one, in its last test; NaN without one. Of
 * several seeds it is the median of these. The digits of `first`, `least`, `most`, `median` and `range` follow from it
 * too, because their own margins are not kept.
 */
export function marginOf({ about }: LabInfo, result: Result, metric = result.metric): number {
  const what = marginName(about.metrics, metric);
  // Which block has the result does not matter to `measured`.
  return what === undefined ? NaN : measured({ block: "", what }, result);
}

/** What a block has measured, in words. */
export function measureWords(state: LessonState, { block, what }: Measure, value: number): string {
  const result = state.result(block);
  if (!result || COUNTS.includes(what)) return plainNumber(value);
  const metric = OF_SHOWN_METRIC.includes(what) ? result.metric : what;
  return bareWords(state.lab, metric, value, marginOf(state.lab, result, metric));
}

/** What happened, in words, as an answer to the question that predicted it. */
export function happenedWords(state: LessonState, part: QuestionPart, happened: number): string {
  if (part.kind === "choice") return part.options[happened]?.text ?? "";
  return part.kind === "number" && part.is ? measureWords(state, part.is, happened) : plainNumber(happened);
}

/** The prediction and what happened, in a sentence or two. */
export function comparisonWords(state: LessonState, question: QuestionPart): string {
  const answer = state.answer(question);
  if (answer === null) return "You have not made this prediction yet.";
  const words = state.answerWords(question) ?? "";
  if (!state.isMeasured(question)) return `You predicted: ${words}. What happened has not been measured yet.`;
  const happened = state.happened(question);
  if (happened === null)
    return question.kind === "number"
      ? `You predicted: ${words}. ${withoutNumberWords(state, question)}`
      : `You predicted: ${words}. What happened is none of the answers.`;
  if (question.kind === "choice" && happened === answer) return `You predicted: ${words}. That is what happened.`;
  return `You predicted: ${words}. What happened: ${happenedWords(state, question, happened)}.`;
}

/** Why the runs have ended without the number that was asked for, as far as it is known. */
function withoutNumberWords(state: LessonState, question: QuestionPart): string {
  const measures = predicts(question);
  const [measure] = measures;
  const result = measure?.what === "units" ? state.result(measure.block) : undefined;
  if (result?.kind === "seeds") {
    const reached = measured({ block: "", what: "reached" }, result);
    const runs = formatCount(result.seeds.length, "run");
    if (reached === 0) return `None of ${runs} reached the goal, so there is no median.`;
    return `Only ${formatNumber(reached)} of ${runs} reached the goal; a median needs more than half of them.`;
  }
  const names = measures.map(({ block }) => block);
  return `${areSeveralRuns(state.lesson, names) ? "The runs have" : "The run has"} ended without giving such a number.`;
}

/** A number without zeros at its end: 1.5, not 1.500. */
function plainNumber(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) || size >= 10 ** DIGITS || size < 1e-4) return formatNumber(value, DIGITS);
  return minus(String(Number(value.toPrecision(DIGITS))));
}

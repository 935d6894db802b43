// A result code: one pupil's run as a text that is short enough for a QR code. It holds the run's link with its last
// unit and its fingerprint (core/link.ts), the goal's metric with a thinned curve, a name, answers, and the challenges
// that the run has done (code-text.ts: how they are written as a text). What finds forgeries is a replay (check.ts).

import { readLink, type ListedLab, type RunRequest } from "../core/link";
import { parseBits } from "../core/recipe";
import { isNumber } from "../core/unknown";
import type { LabInfo } from "../generated/protocol";
import { packCode, unpackCode } from "./code-text";
import { readDone, type DoneChallenge } from "./done-challenges";
import { isPlainText, MAX_ANSWER, MAX_ANSWERS, MAX_NAME, MAX_QUESTION } from "./text";

/** The most points of a curve. */
export const MAX_POINTS = 64;
/** The values of a curve are whole numbers up to this one, between its lowest and its highest value. */
export const CURVE_STEPS = 1023;
/** Significant digits of the metric. */
const DIGITS = 6;
/** No metric is larger. */
const MAX_VALUE = 1e12;
const PREFIX = "LC1";

export type BitsClass = "fused" | "plain" | "gpu";

/** A metric over the units (training iterations) at which it was measured. */
export interface PointCurve {
  units: number[];
  values: number[];
}

export interface Answer {
  question: string;
  text: string;
}

/** What a pupil hands in. */
export interface Result {
  name: string;
  /** The run's link without `#/`, with its last unit and its fingerprint. */
  link: string;
  metric: string;
  /** The value of the goal; null for a run without one. */
  target: number | null;
  /** The metric over units; its last value is the result. Empty if it was never measured. */
  curve: PointCurve;
  answers: Answer[];
  /** The challenges that the run has done, with their units (done-challenges.ts). */
  done?: [key: string, unit: number][];
}

/** A code that was read. */
export interface ReadResult extends Omit<Result, "done"> {
  code: string;
  lab: LabInfo;
  request: RunRequest & { units: number; bits: string };
  bits: BitsClass;
  /** The first digits of the fingerprint. */
  fingerprint: string;
  challenges: DoneChallenge[];
}

/** A number with as many digits as a code keeps. */
export const rounded = (value: number): number => Number(value.toPrecision(DIGITS));

/** Half of the last digit that a code keeps of a number. */
export function halfDigit(value: number): number {
  return value === 0 ? 0 : 0.5 * 10 ** (Math.floor(Math.log10(Math.abs(value))) - DIGITS + 1);
}

/** By how much a value that was read from a code may be off, if it is not the last of its curve. */
export function roundingOf(values: readonly number[]): number {
  const step = (Math.max(...values) - Math.min(...values)) / CURVE_STEPS;
  return step / 2 + halfDigit(Math.max(...values.map(Math.abs)));
}

/** By how much a value of a code's curve may be off. The last one has more digits than the rest. */
export function roundingAt(values: readonly number[], row: number): number {
  const rounding = row === values.length - 1 ? halfDigit(values[row] as number) : roundingOf(values);
  return rounding * (1 + 1e-6); // of arithmetic
}

/** At most `MAX_POINTS` points of a curve, evenly spread over its rows, with the first and the last. */
export function thinned({ units, values }: PointCurve): PointCurve {
  const rows = units.length;
  if (rows <= MAX_POINTS) return { units, values };
  const kept = Array.from({ length: MAX_POINTS }, (_, i) => Math.round((i * (rows - 1)) / (MAX_POINTS - 1)));
  return { units: kept.map((row) => units[row] as number), values: kept.map((row) => values[row] as number) };
}

/** The code of a result; null if its link is too long for one. */
export async function writeCode(result: Result): Promise<string | null> {
  const { name, link, metric, target, curve, answers, done = [] } = result;
  const { units, values } = thinned(curve);
  const finite = values.length > 0;
  const [low, high] = finite ? [rounded(Math.min(...values)), rounded(Math.max(...values))] : [0, 0];
  const step = (high - low) / CURVE_STEPS || 1;
  // The last value is the result, so it is kept with all its digits.
  const last = finite ? rounded(values.at(-1) as number) : null;
  const deltas = units.map((unit, i) => unit - (units[i - 1] ?? 0));
  const levels = values.map((value) => Math.max(0, Math.min(CURVE_STEPS, Math.round((value - low) / step))));
  const body = [link, name, metric, target, last, low, high, deltas, levels];
  return packCode(PREFIX, [...body, ...answersFlat(answers), ...(done.length > 0 ? [done] : [])]);
}

const OTHER_PAGE = "Perhaps another version of Learnery has made it.";
const NOT_ALLOWED = "This result code holds something that no run has, so it is left out.";

export const BAD_NAME = `The name in this code is not allowed: it may have ${MAX_NAME} visible characters.`;

/** Reads a code. `problem` is a sentence. */
export async function readCode(code: string, labs: ListedLab[]): Promise<ReadResult | { problem: string }> {
  const unpacked = await unpackCode(PREFIX, code);
  if ("problem" in unpacked) return unpacked;
  const result = resultIn(unpacked.value);
  if (!result) return { problem: NOT_ALLOWED };
  if (!isPlainText(result.name, MAX_NAME)) return { problem: BAD_NAME };
  const { request, problems } = await readLink(`#/${result.link}`, labs);
  const { units, bits } = request ?? {};
  if (!request || typeof units !== "number" || typeof bits !== "string" || problems.length > 0)
    return { problem: `The run in this result code cannot be read. ${OTHER_PAGE}` };
  const { bitsClass, digits } = parseBits(bits) ?? {};
  const isKnown = request.lab.about.metrics.some(({ name }) => name === result.metric);
  if (!isKnown || !bitsClass || !digits || (result.curve.units.at(-1) ?? 0) > units) return { problem: NOT_ALLOWED };
  const { done, ...rest } = result;
  const challenges = await readDone(done, request.lab, units);
  if (!challenges) return { problem: `A challenge in this result code cannot be read. ${OTHER_PAGE}` };
  return {
    ...rest,
    code,
    challenges,
    lab: request.lab,
    request: { ...request, units, bits },
    bits: bitsClass as BitsClass,
    fingerprint: digits,
  };
}

/** The result in the JSON value of a code, with challenges that were not read yet; null if it holds none. */
function resultIn(value: unknown): (Omit<Result, "done"> & { done: unknown }) | null {
  if (!Array.isArray(value)) return null;
  const [link, name, metric, target, last, low, high, deltas, levels, ...rest] = value as unknown[];
  if (typeof link !== "string" || typeof name !== "string" || typeof metric !== "string") return null;
  if (target !== null && !isValue(target)) return null;
  const curve = curveIn(deltas, levels, low, high, last);
  // Codes without challenges end with the answers, as those of older versions do.
  const hasDone = Array.isArray(rest.at(-1));
  const answers = answersIn(hasDone ? rest.slice(0, -1) : rest);
  return curve && answers && { name, link, metric, target, curve, answers, done: hasDone ? rest.at(-1) : [] };
}

export const isValue = (value: unknown): value is number => isNumber(value) && Math.abs(value) <= MAX_VALUE;
export const isWhole = (value: unknown, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;

function curveIn(deltas: unknown, levels: unknown, low: unknown, high: unknown, last: unknown): PointCurve | null {
  if (!Array.isArray(deltas) || !Array.isArray(levels) || !isValue(low) || !isValue(high)) return null;
  if (deltas.length !== levels.length || deltas.length > MAX_POINTS || low > high) return null;
  if (deltas.length === 0) return last === null ? { units: [], values: [] } : null;
  if (!isValue(last)) return null;
  const units: number[] = [];
  for (const [i, delta] of (deltas as unknown[]).entries()) {
    if (!isWhole(delta, 0xffff_ffff) || (i > 0 && delta === 0)) return null;
    units.push((units.at(-1) ?? 0) + delta);
  }
  if (!(levels as unknown[]).every((level) => isWhole(level, CURVE_STEPS))) return null;
  const step = (high - low) / CURVE_STEPS || 1;
  const values = (levels as number[]).map((level) => low + level * step);
  // The last value is in the code twice: by its digits, and by a level between the lowest and the highest value. They
  // may differ as far as all of these numbers are rounded.
  const most = 2 * step + 2 * halfDigit(Math.max(Math.abs(low), Math.abs(high)));
  if (Math.abs((values.at(-1) as number) - last) > most) return null;
  values[values.length - 1] = last;
  return { units, values };
}

/** Answers as a code holds them: each question, followed by its answer. */
export const answersFlat = (answers: readonly Answer[]): string[] =>
  answers.flatMap(({ question, text }) => [question, text]);

/** The answers in a flat list; null if it holds something else, or too many. */
export function answersIn(texts: readonly unknown[]): Answer[] | null {
  if (texts.length % 2 !== 0 || texts.length > 2 * MAX_ANSWERS) return null;
  const answers: Answer[] = [];
  for (let i = 0; i < texts.length; i += 2) {
    const [question, text] = [texts[i], texts[i + 1]];
    if (!isPlainText(question, MAX_QUESTION) || !isPlainText(text, MAX_ANSWER)) return null;
    answers.push({ question, text });
  }
  return answers;
}

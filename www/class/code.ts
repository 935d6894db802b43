// A result code: one pupil's run as a text that is short enough for a QR code. It holds the run's link with its last unit
// and its fingerprint (core/link.ts), the goal's metric with a thinned curve, a name, and answers. Written as
// `LC1.` + CRC-32 + `.` + JSON that is compressed and in base 64 for addresses (core/packed.ts). The checksum finds
// damage; what finds forgeries is a replay (check.ts).

import { MAX_PACKED, packText, unpackText } from "../core/packed";
import { readLink, type ListedLab, type RunRequest } from "../core/link";
import { parseBits } from "../core/recipe";
import { isNumber } from "../core/unknown";
import type { LabInfo } from "../generated/protocol";
import { isPlainText, MAX_ANSWER, MAX_ANSWERS, MAX_NAME, MAX_QUESTION } from "./text";

/** The most points of a curve. */
export const MAX_POINTS = 64;
/** The values of a curve are whole numbers up to this one, between its lowest and its highest value. */
export const CURVE_STEPS = 1023;
/** Significant digits of the metric. */
const DIGITS = 6;
/** Bytes of a code's JSON. A short code could hold many megabytes. */
const MAX_BYTES = 32_768;
/** No metric is larger. */
const MAX_VALUE = 1e12;
const PREFIX = "LC1";
/** A code within a text or an address. Its end is longer than any code can be, so that one that is too long is found. */
const CODE = /\bLC1\.[0-9a-f]{8}\.[\w-]+/g;

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
}

/** A code that was read. */
export interface ReadResult extends Result {
  code: string;
  lab: LabInfo;
  request: RunRequest & { units: number; bits: string };
  bits: BitsClass;
  /** The first digits of the fingerprint. */
  fingerprint: string;
}

/** A number with as many digits as a code keeps. */
export const rounded = (value: number): number => Number(value.toPrecision(DIGITS));

/** Half of the last digit that a code keeps of a number. */
export function halfDigit(value: number): number {
  return value === 0 ? 0 : 0.5 * 10 ** (Math.floor(Math.log10(Math.abs(value))) - DIGITS + 1);
}

/** At most `MAX_POINTS` points of a curve, evenly spread over its rows, with the first and the last. */
export function thinned({ units, values }: PointCurve): PointCurve {
  const rows = units.length;
  if (rows <= MAX_POINTS) return { units, values };
  const kept = Array.from({ length: MAX_POINTS }, (_, i) => Math.round((i * (rows - 1)) / (MAX_POINTS - 1)));
  return { units: kept.map((row) => units[row] as number), values: kept.map((row) => values[row] as number) };
}

/** The code of a result; null if its link is too long for one. */
export async function writeCode({ name, link, metric, target, curve, answers }: Result): Promise<string | null> {
  const { units, values } = thinned(curve);
  const finite = values.length > 0;
  const [low, high] = finite ? [rounded(Math.min(...values)), rounded(Math.max(...values))] : [0, 0];
  const step = (high - low) / CURVE_STEPS || 1;
  // The last value is the result, so it is kept with all its digits.
  const last = finite ? rounded(values.at(-1) as number) : null;
  const deltas = units.map((unit, i) => unit - (units[i - 1] ?? 0));
  const levels = values.map((value) => Math.max(0, Math.min(CURVE_STEPS, Math.round((value - low) / step))));
  const body = [link, name, metric, target, last, low, high, deltas, levels];
  const packed = await packText(
    JSON.stringify([...body, ...answers.flatMap(({ question, text }) => [question, text])]),
  );
  return packed === null ? null : `${PREFIX}.${checksum(packed)}.${packed}`;
}

/** The codes that stand in a text, such as a message with links. Each stands in the list once. */
export function codesIn(text: string): string[] {
  return [...new Set(text.match(CODE) ?? [])];
}

const NO_CODE = "This is no result code. A code begins with LC1.";
const TOO_LONG = "This result code is too long.";
const DAMAGED = "This result code is damaged: its checksum is wrong. Copy the whole code again.";
const NOT_ALLOWED = "This result code holds something that no run has, so it is left out.";

/** Reads a code. `problem` is a sentence. */
export async function readCode(code: string, labs: ListedLab[]): Promise<ReadResult | { problem: string }> {
  const [prefix, sum, packed] = code.split(".");
  if (prefix !== PREFIX || !sum || !packed) return { problem: NO_CODE };
  if (packed.length > MAX_PACKED) return { problem: TOO_LONG };
  if (sum !== checksum(packed)) return { problem: DAMAGED };
  const text = await unpackText(packed, MAX_BYTES);
  const result = text === null ? null : resultIn(text);
  if (!result) return { problem: NOT_ALLOWED };
  if (!isPlainText(result.name, MAX_NAME))
    return { problem: `The name in this result code is not allowed: it may have ${MAX_NAME} visible characters.` };
  const { request, problems } = await readLink(`#/${result.link}`, labs);
  const { units, bits } = request ?? {};
  if (!request || typeof units !== "number" || typeof bits !== "string" || problems.length > 0)
    return { problem: "The run in this result code cannot be read. Perhaps another version of Learnery has made it." };
  const { bitsClass, digits } = parseBits(bits) ?? {};
  const isKnown = request.lab.about.metrics.some(({ name }) => name === result.metric);
  if (!isKnown || !bitsClass || !digits || (result.curve.units.at(-1) ?? 0) > units) return { problem: NOT_ALLOWED };
  return {
    ...result,
    code,
    lab: request.lab,
    request: { ...request, units, bits },
    bits: bitsClass as BitsClass,
    fingerprint: digits,
  };
}

/** The result that a text is as JSON; null if it is none. */
function resultIn(text: string): Result | null {
  const value = parsed(text);
  if (!Array.isArray(value)) return null;
  const [link, name, metric, target, last, low, high, deltas, levels, ...answers] = value as unknown[];
  if (typeof link !== "string" || typeof name !== "string" || typeof metric !== "string") return null;
  if (target !== null && !isValue(target)) return null;
  const curve = curveIn(deltas, levels, low, high, last);
  const pairs = answersIn(answers);
  return curve && pairs && { name, link, metric, target, curve, answers: pairs };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isValue = (value: unknown): value is number => isNumber(value) && Math.abs(value) <= MAX_VALUE;
const isWhole = (value: unknown, most: number): value is number =>
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
  // All of these numbers are rounded.
  const most = 2 * step + 2 * halfDigit(Math.max(Math.abs(low), Math.abs(high)));
  if (Math.abs((values.at(-1) as number) - last) > most) return null;
  values[values.length - 1] = last;
  return { units, values };
}

function answersIn(texts: unknown[]): Answer[] | null {
  if (texts.length % 2 !== 0 || texts.length > 2 * MAX_ANSWERS) return null;
  const answers: Answer[] = [];
  for (let i = 0; i < texts.length; i += 2) {
    const [question, text] = [texts[i], texts[i + 1]];
    if (!isPlainText(question, MAX_QUESTION) || !isPlainText(text, MAX_ANSWER)) return null;
    answers.push({ question, text });
  }
  return answers;
}

/** The CRC-32 (ISO-HDLC, as in zip files) of a text of ASCII characters, in hexadecimal digits. */
export function checksum(text: string): string {
  let crc = 0xffff_ffff;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0);
  }
  return ((crc ^ 0xffff_ffff) >>> 0).toString(16).padStart(8, "0");
}

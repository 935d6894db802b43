// What a sender saw, as the part `moment=` of a link: the last pictures of the stage as frames of the lab's small
// picture, the headline's metric with its curve, and, if it is short enough, what the lab makes a copy of the agent
// from. It belongs to the last unit (training iteration) of the link and to its fingerprint, and is JSON, compressed
// like data of a visitor's own (core/packed.ts). Nothing of it is learned from: the page shows it until the run behind
// it has been repeated. Loaded when a link has such a part, or when one is made.

import { fromBase64, MAX_PACKED, packText, toBase64, unpackText } from "./packed";
import { isNumber, isObject } from "./unknown";
import type { LabInfo } from "../generated/protocol";

/** A moment of the sender's run, as a link carries it. */
export interface LinkMoment {
  /** The unit at which the sender saw it, which is the last one of the link. */
  unit: number;
  /** The last pictures; null if they were too long for the link. */
  clip: MomentClip | null;
  /** The headline's metric; null if it had not been measured. */
  headline: MomentHeadline | null;
  /** What the lab makes a copy of the agent from; null if the link has none. */
  agent: Uint8Array<ArrayBuffer> | null;
}

/** Frames of the same length, one after the other; the last one is the moment itself. */
export interface MomentClip {
  bytes: Uint8Array<ArrayBuffer>;
  frameSize: number;
  /** Frames per second. */
  rate: number;
}

/** The headline's metric at the moment, with its curve until then. */
export interface MomentHeadline {
  metric: string;
  value: number;
  /** The unit at which it was measured, which may be before that of the moment; null if the link does not say. */
  measuredAt: number | null;
  /** The metric over the units up to the moment. Values are rounded to 1/254 of their range. */
  curve: { units: number[]; values: number[] };
}

/** The version of the format that this page writes and reads. */
const VERSION = 1;
/** Bytes of the JSON. A short link could hold many megabytes. */
const MAX_JSON_BYTES = 131_072;
/** Bytes of all frames of a clip. */
const MAX_FRAME_BYTES = 65_536;
/** Frames per second. */
const [MIN_RATE, MAX_RATE] = [0.1, 60];
/** Points of the curve, which are at equal distances from the start of the run to the moment. */
const CURVE_POINTS = 60;
/** The most points that are read. */
const MAX_CURVE_POINTS = 255;
/** The steps of a value in the curve; the byte after the last one stands for "not measured". */
export const LAST_STEP = 254;
const NOT_MEASURED = 255;
/** Significant digits of the headline and of the curve's range. */
const DIGITS = 6;

const DAMAGED =
  "The sender's picture in this link cannot be read: it is damaged or too long, so only the run is replayed.";
const NEWER = "A newer version of Learnery has made the picture in this link, so only the run is replayed.";
const NO_UNIT = "The sender's picture belongs to a unit that the link does not name, so it is left out.";

/** The moment as a part of a link, or null if it has more than so many characters, or is too large to be read. */
export async function packMoment(moment: LinkMoment, maxCharacters = MAX_PACKED): Promise<string | null> {
  const { clip, headline, agent } = moment;
  const text = JSON.stringify({
    v: VERSION,
    ...(clip && { n: clip.frameSize, r: clip.rate, f: toBase64(clip.bytes) }),
    ...(headline && writeHeadline(headline, moment.unit)),
    ...(agent && { a: toBase64(agent) }),
  });
  // Frames that are alike pack into few characters, but no page reads more than this.
  if ((clip?.bytes.length ?? 0) > MAX_FRAME_BYTES || text.length > MAX_JSON_BYTES) return null;
  const packed = await packText(text);
  return packed !== null && packed.length <= maxCharacters ? packed : null;
}

/** Reads the part `moment=` of a link. What is wrong with it is reported in a sentence. */
export async function readMoment(
  packed: string,
  { units, lab }: { units: number | null; lab: LabInfo },
  report: (problem: string) => void,
): Promise<LinkMoment | null> {
  if (units === null) {
    report(NO_UNIT);
    return null;
  }
  const text = await unpackText(packed, MAX_JSON_BYTES);
  const stored = text === null ? null : parsed(text);
  if (stored && isNumber(stored["v"]) && stored["v"] > VERSION) {
    report(NEWER);
    return null;
  }
  const metrics = lab.about.metrics.map(({ name }) => name);
  const moment = stored?.["v"] === VERSION ? readStored(stored, units, metrics) : null;
  if (!moment) report(DAMAGED);
  return moment;
}

/**
 * The moment as JSON: `v` is the version; `n`, `r` and `f` are frame size, rate and frames of the clip; `m`, `y` and
 * `t` are metric, value and `measuredAt` of the headline; `l`, `h` and `c` are lowest value, highest value and bytes of
 * its curve; `a` is the agent. Bytes are in base64. docs/links.md has the same list.
 */
type Stored = Record<string, unknown>;

function parsed(text: string): Stored | null {
  try {
    const value = JSON.parse(text) as unknown;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The moment that was stored, or null if any part of it is damaged. */
function readStored(stored: Stored, unit: number, metrics: string[]): LinkMoment | null {
  const clip = "f" in stored ? readClip(stored) : null;
  const headline = "m" in stored ? readHeadline(stored, unit, metrics) : null;
  const agent = "a" in stored ? readBytes(stored["a"]) : null;
  const isDamaged = ("f" in stored && !clip) || ("m" in stored && !headline) || ("a" in stored && !agent?.length);
  return isDamaged || (!clip && !headline) ? null : { unit, clip, headline, agent };
}

function readBytes(value: unknown): Uint8Array<ArrayBuffer> | null {
  return typeof value === "string" ? fromBase64(value) : null;
}

function readClip({ n, r, f }: Stored): MomentClip | null {
  const bytes = readBytes(f);
  const isSound = isNumber(n) && Number.isInteger(n) && n > 0 && isNumber(r) && r >= MIN_RATE && r <= MAX_RATE;
  if (!isSound || !bytes?.length || bytes.length > MAX_FRAME_BYTES || bytes.length % n !== 0) return null;
  return { bytes, frameSize: n, rate: r };
}

/** The headline as it is stored, with a point of the curve for each of `CURVE_POINTS` equal parts of the run. */
function writeHeadline({ metric, value, measuredAt, curve }: MomentHeadline, unit: number): Stored {
  const points = Math.max(1, Math.min(CURVE_POINTS, unit));
  /** The last value up to the unit `end`. */
  const last = (end: number) => curve.values[curve.units.findLastIndex((each) => each <= end)] ?? NaN;
  const values = Array.from({ length: points }, (_, i) => last(((i + 1) / points) * unit));
  const measured = values.filter(Number.isFinite);
  const [low, high] = [rounded(Math.min(...measured)), rounded(Math.max(...measured))];
  const stepOf = (each: number) => Math.round(Math.max(0, Math.min(1, (each - low) / (high - low || 1))) * LAST_STEP);
  const bytes = Uint8Array.from(values, (each) => (Number.isFinite(each) ? stepOf(each) : NOT_MEASURED));
  const at = measuredAt !== null && { t: measuredAt };
  return { m: metric, y: rounded(value), ...at, ...(measured.length > 0 && { l: low, h: high, c: toBase64(bytes) }) };
}

function readHeadline({ m, y, t, l, h, c }: Stored, unit: number, metrics: string[]): MomentHeadline | null {
  if (typeof m !== "string" || !metrics.includes(m) || !isNumber(y)) return null;
  const isUnit = isNumber(t) && Number.isInteger(t) && t >= 0 && t <= unit;
  if (t !== undefined && !isUnit) return null;
  const headline: MomentHeadline = {
    metric: m,
    value: y,
    measuredAt: isUnit ? t : null,
    curve: { units: [], values: [] },
  };
  if (c === undefined) return headline;
  const bytes = readBytes(c);
  if (!bytes?.length || bytes.length > MAX_CURVE_POINTS || !isNumber(l) || !isNumber(h) || l > h) return null;
  bytes.forEach((step, i) => {
    if (step === NOT_MEASURED) return;
    headline.curve.units.push(((i + 1) / bytes.length) * unit);
    headline.curve.values.push(l + ((h - l) * step) / LAST_STEP);
  });
  return headline;
}

const rounded = (value: number) => Number(value.toPrecision(DIGITS));

// A lesson code: what a pupil hands in from a lesson in a class without a server. It says which lesson it is and in
// which version, when the code was made, and has the pupil's name, the answers with their questions, the checks that
// are ticked and what the runs of the lesson have measured (code-text.ts: how they are written as a text). What it says
// cannot be verified.

import { isNumber } from "../core/unknown";
import { answersFlat, answersIn, BAD_NAME, isValue, isWhole, rounded, type Answer } from "./code";
import { packCode, unpackCode } from "./code-text";
import { MAX_CHECKS, MAX_RESULTS, MAX_SETTINGS, readMeasured, type BlockResult, type Measured } from "./measured";
import { isPlainText, MAX_NAME, MAX_QUESTION } from "./text";

const PREFIX = "LL1";
/** The lab that the lesson belongs to, or `own`, and a hash of the lesson's text (lessons/answers.ts). */
const LESSON_ID = /^([a-z][a-z0-9-]{0,31})-[0-9a-z]{2,14}$/;
const METRIC_OR_SETTING = /^[\w.-]{1,64}$/;
/** Seconds since 1970 fit into 32 bits until 2106. */
const MAX_TIME = 0xffff_ffff;
const MAX_COUNT = 0xffff_ffff;

const NOT_ALLOWED = "This lesson code holds something that no lesson hands in, so it is left out.";

/** What a pupil hands in of a lesson. */
export interface LessonResult {
  name: string;
  /** Which lesson, and which version of its text. */
  lesson: string;
  /** The title of the lesson. */
  title: string;
  /** When the code was made, by the clock of the pupil's device, in seconds since 1970. */
  time: number;
  answers: Answer[];
  measured: Measured;
}

/** A code that was read. */
export interface ReadLessonResult extends LessonResult {
  code: string;
  /** The name of the lab whose own lesson it is; null for a text of somebody's own. */
  builtIn: string | null;
}

/** The code of a result; null if it is too long for one. */
export const writeLessonCode = ({
  name,
  lesson,
  title,
  time,
  answers,
  measured,
}: LessonResult): Promise<string | null> =>
  packCode(PREFIX, [
    lesson,
    title,
    name,
    time,
    answersFlat(answers),
    measured.checks,
    measured.blocks.map(({ block, metric, runs, reached, trained, units, value, settings }) => [
      ...[block, metric, runs, reached, trained, units, value === null ? null : rounded(value)],
      ...Object.entries(settings).flat(),
    ]),
  ]);

/** Reads a code. `problem` is a sentence. */
export async function readLessonCode(code: string): Promise<ReadLessonResult | { problem: string }> {
  const unpacked = await unpackCode(PREFIX, code);
  if ("problem" in unpacked) return unpacked;
  const { value } = unpacked;
  if (!Array.isArray(value) || value.length !== 7) return { problem: NOT_ALLOWED };
  const [lesson, title, name, time, flatAnswers, checks, blocks] = value as unknown[];
  const [, owner] = (typeof lesson === "string" && LESSON_ID.exec(lesson)) || [];
  const answers = Array.isArray(flatAnswers) ? answersIn(flatAnswers) : null;
  const measured = measuredIn(checks, blocks);
  if (
    typeof lesson !== "string" ||
    owner === undefined ||
    !isPlainText(title, MAX_QUESTION) ||
    !isWhole(time, MAX_TIME)
  )
    return { problem: NOT_ALLOWED };
  if (!answers || !measured) return { problem: NOT_ALLOWED };
  if (!isPlainText(name, MAX_NAME)) return { problem: BAD_NAME };
  return { code, name, lesson, title, time, answers, measured, builtIn: owner === "own" ? null : owner };
}

/** What was measured, in the parts of a code; null if it holds anything else. */
function measuredIn(checks: unknown, blocks: unknown): Measured | null {
  if (!Array.isArray(checks) || !Array.isArray(blocks)) return null;
  if (checks.length > MAX_CHECKS || blocks.length > MAX_RESULTS) return null;
  const results = (blocks as unknown[]).map(blockIn);
  if (results.includes(null)) return null;
  const measured = readMeasured({ checks, blocks: results });
  // `readMeasured` drops bad names, double checks, and results of the same block with the same settings.
  return measured.checks.length === checks.length && measured.blocks.length === blocks.length ? measured : null;
}

function blockIn(value: unknown): BlockResult | null {
  if (!Array.isArray(value)) return null;
  const [block, metric, runs, reached, trained, units, metricValue, ...settings] = value as unknown[];
  if (typeof block !== "string" || typeof metric !== "string" || !METRIC_OR_SETTING.test(metric)) return null;
  if (!isWhole(runs, MAX_COUNT) || !isWhole(reached, runs) || !isWhole(trained, MAX_COUNT)) return null;
  if (!isValueOrNull(units) || !isValueOrNull(metricValue)) return null;
  if (settings.length % 2 !== 0 || settings.length > 2 * MAX_SETTINGS) return null;
  const pairs: [string, number][] = [];
  for (let i = 0; i < settings.length; i += 2) {
    const [name, number] = [settings[i], settings[i + 1]];
    if (typeof name !== "string" || !METRIC_OR_SETTING.test(name) || !isNumber(number)) return null;
    pairs.push([name, number]);
  }
  return { block, metric, runs, reached, trained, units, value: metricValue, settings: Object.fromEntries(pairs) };
}

const isValueOrNull = (value: unknown): value is number | null => value === null || isValue(value);

// What a reader has answered and measured in a lesson, kept in this browser's local storage until it is cleared. What a
// class gets of it is in sent.ts.

import { isNumber, isObject } from "../core/unknown";
import type { Settings } from "../core/values";
import { readBlocks, type BlockResult } from "../class/measured";
import type { JsonValue } from "../generated/protocol";
import type { Curve, Result, RunOutcome } from "./measures";

export type Answer = string | number;

export interface KeptLesson {
  /**
   * By the names of the questions. The answer to a choice is the number of its option, from 0. A number is kept as it
   * was typed.
   */
  answers: Record<string, Answer>;
  /** By the names of the blocks. */
  results: Record<string, Result>;
  /** The settings that the reader has chosen, by the names of the blocks. */
  dials: Record<string, Settings>;
  /** The names of the checks that have been ticked. */
  checks: string[];
  /** The step that was open last. */
  step: number;
  /** What runs with different settings came to, by the names of the blocks with settings that the reader may change. */
  tries: Record<string, BlockResult[]>;
}

/** Characters of an answer. */
export const MAX_ANSWER = 2_000;
const STORAGE_PREFIX = "learnery:lesson:";
/** At most this many lessons are kept; the one that was changed longest ago goes first. */
const MAX_KEPT = 30;
/** The most entries that are read of each part, because what is stored may be damaged. */
const MAX_ENTRIES = 200;
const MAX_POINTS = 100;
/** The tries of a block that are kept, the latest ones. */
export const MAX_TRIES = 30;

export const emptyLesson = (): KeptLesson => ({ answers: {}, results: {}, dials: {}, checks: [], step: 0, tries: {} });

/**
 * The id under which a lesson's answers are kept: the lab's, or `own`, and a number made of the text. So the answers to
 * an earlier text of a lesson are not taken for answers to a new one.
 */
export function lessonId(text: string, builtIn: string | null): string {
  // FNV-1a with 32 bits, from two starts: it only tells lessons apart.
  const hash = (start: number) => {
    let value = start;
    for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
    return (value >>> 0).toString(36);
  };
  return `${builtIn ?? "own"}-${hash(0x811c9dc5)}${hash(0x1234567)}`;
}

/** What is kept of a lesson; empty if nothing is, or if it is damaged. */
export function loadLesson(id: string): KeptLesson {
  try {
    return readKept(JSON.parse(localStorage.getItem(STORAGE_PREFIX + id) ?? "null"));
  } catch {
    return emptyLesson(); // damaged, or this browser keeps nothing
  }
}

/** Keeps a lesson. Returns false if this browser does not keep anything. */
export function saveLesson(id: string, kept: KeptLesson): boolean {
  try {
    localStorage.setItem(STORAGE_PREFIX + id, JSON.stringify({ ...kept, savedAt: Date.now() }));
    prune();
    return true;
  } catch {
    return false;
  }
}

export function clearLesson(id: string): void {
  try {
    localStorage.removeItem(STORAGE_PREFIX + id);
  } catch {
    // Nothing is kept.
  }
}

/** Removes the lessons that were changed longest ago. */
function prune(): void {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(STORAGE_PREFIX));
  if (keys.length <= MAX_KEPT) return;
  const savedAt = (key: string) => {
    try {
      return (JSON.parse(localStorage.getItem(key) ?? "null") as { savedAt?: number } | null)?.savedAt ?? 0;
    } catch {
      return 0;
    }
  };
  const oldest = keys.map((key) => ({ key, at: savedAt(key) })).sort((a, b) => a.at - b.at);
  for (const { key } of oldest.slice(0, keys.length - MAX_KEPT)) localStorage.removeItem(key);
}

/** Reads what was stored. Damaged parts are left out. */
export function readKept(value: unknown): KeptLesson {
  if (!isObject(value)) return emptyLesson();
  const { answers, results, dials, checks, step, tries } = value;
  return {
    answers: entries(answers, (each) =>
      isNumber(each) ? each : typeof each === "string" ? each.slice(0, MAX_ANSWER) : null,
    ),
    results: entries(results, readResult),
    dials: entries(dials, (each) => (isObject(each) ? entries(each, readSetting) : null)),
    checks: Array.isArray(checks) ? checks.filter((each) => typeof each === "string").slice(0, MAX_ENTRIES) : [],
    step: isNumber(step) ? Math.max(0, Math.floor(step)) : 0,
    tries: entries(tries, (each) => (Array.isArray(each) ? readBlocks(each).slice(-MAX_TRIES) : null)),
  };
}

function entries<Value>(value: unknown, read: (each: unknown) => Value | null): Record<string, Value> {
  if (!isObject(value)) return {};
  const pairs = Object.entries(value).slice(0, MAX_ENTRIES);
  return Object.fromEntries(
    pairs.flatMap(([key, each]) => {
      const kept = read(each);
      return kept === null ? [] : [[key, kept]];
    }),
  );
}

/** The value of a setting; whether the setting takes it, its block knows. */
const readSetting = (value: unknown): JsonValue | null =>
  isNumber(value) || typeof value === "boolean" || typeof value === "string" ? value : null;
const numberOrNull = (value: unknown) => (isNumber(value) ? value : null);
const numbers = (value: unknown) => entries(value, numberOrNull);

function readOutcome(value: unknown): RunOutcome | null {
  if (!isObject(value) || !isNumber(value["seed"]) || !isNumber(value["units"])) return null;
  const { seed, units, reached, first, last, least, most, metrics } = value;
  return {
    seed,
    units,
    reached: numberOrNull(reached),
    first: numberOrNull(first),
    last: numberOrNull(last),
    least: numberOrNull(least),
    most: numberOrNull(most),
    metrics: numbers(metrics),
  };
}

function readCurve(value: unknown): Curve {
  if (!isObject(value)) return { units: [], values: [] };
  const { units, values } = value;
  if (!Array.isArray(units) || !Array.isArray(values)) return { units: [], values: [] };
  const points = units.slice(0, MAX_POINTS).map((unit, i) => [unit, values[i]] as [unknown, unknown]);
  const sound = points.filter((point): point is [number, number] => point.every(isNumber));
  return { units: sound.map(([unit]) => unit), values: sound.map(([, each]) => each) };
}

function readResult(value: unknown): Result | null {
  if (!isObject(value) || typeof value["metric"] !== "string") return null;
  const { kind, metric, target, complete, seeds, settings, curve } = value;
  if (kind === "run") {
    const outcome = readOutcome(value);
    return outcome && { kind, metric, ...outcome, settings: numbers(settings), curve: readCurve(curve) };
  }
  if (kind !== "seeds" || !Array.isArray(seeds)) return null;
  const read = seeds.slice(0, MAX_ENTRIES).flatMap((each: unknown) => {
    const outcome = readOutcome(each);
    return outcome ? [{ ...outcome, curve: readCurve(isObject(each) ? each["curve"] : null) }] : [];
  });
  const isComplete = complete === true && read.length === seeds.length;
  return { kind, metric, target: numberOrNull(target), complete: isComplete, settings: numbers(settings), seeds: read };
}

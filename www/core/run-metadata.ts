// The metadata of a saved run: what the library knows of it without opening its checkpoint. It is stored in `run.json`
// beside the checkpoint, and was read from the checkpoint's header and history of metrics when the run was saved. A
// `run.json` may come from another version or be damaged, so each invalid field gets a default value.

import type { Goal, JsonValue } from "../generated/protocol";
import type { Settings } from "./link";
import { newNote, readNote, type RunNote } from "./store";
import { isAmount, isNumber, isObject } from "./unknown";

/** A change during a run: the changed live settings, with `seed` if that was changed. Empty if the data changed. */
export interface RunChange {
  unit: number;
  settings: Settings;
}

/** A metric over the units (training iterations) of a run, thinned to at most `MAX_CURVE_POINTS` measured values. */
export interface Curve {
  metric: string;
  units: number[];
  values: number[];
}

/** The fields of `run.json`. Their names are stored in browsers, so they stay. */
export interface RunMetadata {
  /** The visitor's name for the run; null if none was given. */
  name: string | null;
  /** A pinned run is never removed to make room. */
  pinned: boolean;
  seed: number;
  /** All settings. */
  settings: Settings;
  /** The changes of live settings during the run. */
  changes: RunChange[];
  units: number;
  work: number;
  /** The unit that first reached the goal; null if none did. */
  solvedAt: number | null;
  /** The goal; null if the settings have none, or the run has not been open here. */
  goal: Pick<Goal, "metric" | "target"> | null;
  /** The goal's metric, or else the lab's first one. */
  curve: Curve;
  note: RunNote;
  /** The run's fingerprint; null if it has not been computed for the present state. */
  fingerprint: string | null;
  /** Milliseconds since 1970. */
  savedAt: number;
}

/** The most values of a curve that are kept. */
export const MAX_CURVE_POINTS = 200;
/** Longer names are cut. */
export const MAX_NAME_LENGTH = 80;
/** The most changes that are read. */
const MAX_CHANGES = 1000;

/** The name on one line, without characters that cannot be seen; null if nothing is left. */
export function cleanName(name: string): string | null {
  // A very long text is cut first, so that the rest takes no time.
  const line = name
    .slice(0, 8 * MAX_NAME_LENGTH)
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
  return [...line].slice(0, MAX_NAME_LENGTH).join("").trim() || null;
}

/** The latest value of the curve, or NaN. */
export const scoreOf = ({ curve }: RunMetadata): number => curve.values.at(-1) ?? NaN;

/** The measured values of a metric, thinned evenly; the first and the last stay. */
export function thinnedCurve(metric: string, units: number[], values: number[]): Curve {
  const measured = units.flatMap((unit, row) => (Number.isFinite(values[row]) ? [[unit, values[row] as number]] : []));
  const last = measured.length - 1;
  const step = last / (MAX_CURVE_POINTS - 1);
  const kept =
    measured.length <= MAX_CURVE_POINTS
      ? measured
      : Array.from({ length: MAX_CURVE_POINTS }, (_, i) => measured[Math.round(i * step)] as number[]);
  return { metric, units: kept.map(([unit]) => unit as number), values: kept.map(([, value]) => value as number) };
}

/** Reads the metadata of the run `id`, or returns null if it is missing or damaged. */
export function readMetadata(text: string | null, id: string): RunMetadata | null {
  try {
    const metadata: unknown = JSON.parse(text ?? "null");
    if (!isObject(metadata) || !isObject(metadata["settings"])) return null;
    const { seed, settings, units, work, savedAt, solvedAt, fingerprint, name, goal } = metadata;
    if (![seed, units, savedAt].every(isAmount)) return null;
    return {
      name: typeof name === "string" ? cleanName(name) : null,
      pinned: metadata["pinned"] === true,
      seed: seed as number,
      settings: plainSettings(settings),
      changes: readChanges(metadata["changes"]),
      units: units as number,
      work: isAmount(work) ? work : 0,
      solvedAt: isAmount(solvedAt) ? solvedAt : null,
      goal:
        isObject(goal) && typeof goal["metric"] === "string" && isNumber(goal["target"])
          ? { metric: goal["metric"], target: goal["target"] }
          : null,
      curve: readCurve(metadata["curve"]),
      note: { ...(readNote(metadata["note"]) ?? newNote()), id },
      fingerprint: typeof fingerprint === "string" && /^[0-9a-f]{64}$/.test(fingerprint) ? fingerprint : null,
      savedAt: savedAt as number,
    };
  } catch {
    return null;
  }
}

function readChanges(list: unknown): RunChange[] {
  if (!Array.isArray(list)) return [];
  return (list as unknown[]).slice(0, MAX_CHANGES).flatMap((change) => {
    if (!isObject(change) || !isAmount(change["unit"]) || !isObject(change["settings"])) return [];
    return [{ unit: change["unit"], settings: plainSettings(change["settings"]) }];
  });
}

function readCurve(curve: unknown): Curve {
  const { metric, units, values } = isObject(curve) ? curve : {};
  const numbers = (list: unknown): list is number[] => Array.isArray(list) && list.every(isNumber);
  const sound = typeof metric === "string" && numbers(units) && numbers(values) && units.length === values.length;
  return sound ? thinnedCurve(metric, units, values) : { metric: "", units: [], values: [] };
}

/** The settings that have plain values. Settings of labs have no others. */
export function plainSettings(settings: Record<string, unknown>): Settings {
  const plain = (value: unknown): value is JsonValue =>
    typeof value === "boolean" || isNumber(value) || (typeof value === "string" && value.length <= 1000);
  return Object.fromEntries(Object.entries(settings).filter((entry): entry is [string, JsonValue] => plain(entry[1])));
}

// A recipe is everything that determines a run's bits: lab, seed and settings at the start, and every later change of
// live settings, of the seed and of data of the visitor's own (a text, a drawing), with the unit (training iteration)
// at which it took effect. The worker records the changes; this file leads from them back to the start of the run, and
// writes and reads them as they stand in links. `crates/lab/src/recipe` has the same grammar.

import type { Change, JsonValue, LabInfo } from "../generated/protocol";
import { parseNumber, parseValue, quoted, settingText, type Settings } from "./values";
import { fieldCalled } from "./fields";

/** What changes before a unit of a recipe's run. */
export interface RecipeChange {
  /** The number of completed units when the change takes effect. */
  unit: number;
  /** The new values of live settings. */
  settings: Settings;
  /** The new seed; null if it stays. */
  seed: number | null;
  /** The command that gives the run data of the visitor's own; null if it learns on from the same. */
  data: JsonValue | null;
}

/** Settings, seed and changes of a run: the settings and the seed as they were at its start. */
export interface RunStart {
  settings: Settings;
  seed: number;
  changes: RecipeChange[];
}

/** The largest seed and unit, which are unsigned integers of 32 bits. */
export const MAX_SEED = 0xffff_ffff;

/**
 * The start of a run whose settings and seed are now these, after these changes. The content of data that is long, such
 * as a text, is not in the changes, and `data` is then an empty object.
 */
export function startOf(settings: Settings, seed: number, changes: Change[]): RunStart {
  const start = { ...settings };
  let startSeed = seed;
  for (const change of changes.toReversed()) {
    Object.assign(start, change.before);
    if (change.seed) startSeed = change.seed.before;
  }
  return {
    settings: start,
    seed: startSeed,
    changes: changes.map(({ unit, after, seed: changed, data }) => ({
      unit,
      settings: { ...after },
      seed: changed?.after ?? null,
      data: data ? (data.command ?? {}) : null,
    })),
  };
}

/** True if the run learns from data of the visitor's own, which a link holds only if they are short. */
export function hasData(changes: RecipeChange[]): boolean {
  return changes.some(({ data }) => data !== null);
}

/** A whole number of 32 bits, or NaN. */
export function parseWhole(text: string): number {
  const n = parseNumber(text);
  return Number.isInteger(n) && n >= 0 && n <= MAX_SEED ? n : NaN;
}

/** Why a text is not allowed for a key that takes whole numbers. */
export function notWhole(key: string, text: string): string {
  return `${quoted(text)} is not allowed for ${key}; it takes a whole number from 0 to ${MAX_SEED}`;
}

/** Reads a change of a link: `40:learning_rate=0.001,clip=0.1`. */
export function parseChange(lab: LabInfo, text: string): { change: RecipeChange } | { problem: string } {
  const colon = text.indexOf(":");
  if (colon < 0) return { problem: `${quoted(text)} is no change, which is a unit, a colon and a setting` };
  const unitText = text.slice(0, colon);
  const unit = parseWhole(unitText);
  if (Number.isNaN(unit)) return { problem: notWhole("change", unitText) };
  const change: RecipeChange = { unit, settings: {}, seed: null, data: null };
  for (const assignment of text.slice(colon + 1).split(",")) {
    const equals = assignment.indexOf("=");
    if (equals < 0) return { problem: `${quoted(assignment)} in the change at ${unit} is no name and value` };
    const [name, value] = [assignment.slice(0, equals), assignment.slice(equals + 1)];
    const problem = name === "seed" ? changeSeed(change, value) : changeSetting(lab, change, name, value);
    if (problem) return { problem };
  }
  return { change };
}

/** Adds a seed to a change. Returns what is wrong with it, or null. */
export function changeSeed(change: RecipeChange, text: string): string | null {
  const seed = parseWhole(text);
  if (Number.isNaN(seed)) return notWhole("seed", text);
  if (change.unit === 0) return "A run that has not begun is started with another seed, not changed to it";
  change.seed = seed;
  return null;
}

/** Adds a setting to a change. Returns what is wrong with it, or null. */
export function changeSetting(lab: LabInfo, change: RecipeChange, name: string, text: string): string | null {
  const field = fieldCalled(lab, name);
  if (!field) return `${lab.about.title} has no setting called ${quoted(name)}`;
  if (!field.live) return `${name} cannot change during a run`;
  // A value of a link has no decimal comma, because commas separate the settings of a change there.
  const parsed = parseValue(field, text);
  if ("problem" in parsed) return parsed.problem;
  change.settings[field.name] = parsed.value;
  return null;
}

/** A change as it stands in a link, without data. */
export function changeText(lab: LabInfo, { unit, settings, seed }: RecipeChange): string {
  const names = lab.fields.map(({ name }) => name).filter((name) => name in settings);
  const parts = names.map((name) => `${name}=${settingText(settings[name] as JsonValue)}`);
  if (seed !== null) parts.push(`seed=${seed}`);
  return `${unit}:${parts.join(",")}`;
}

/**
 * The changes that a link can hold: those of settings and of the seed. Data is left out, and so are changes of the data
 * alone.
 */
export function changesInLink(changes: RecipeChange[]): RecipeChange[] {
  const held = changes.map((change) => ({ ...change, data: null }));
  return held.filter(({ settings, seed }) => Object.keys(settings).length > 0 || seed !== null);
}

/**
 * Leaves out changes that are not in the order of their units or come after the last unit, and reports them in
 * sentences.
 */
export function inOrder(changes: RecipeChange[], units: number | null, report: (problem: string) => void) {
  const kept: RecipeChange[] = [];
  for (const change of changes) {
    const last = kept.at(-1);
    if (last && change.unit <= last.unit) {
      report(`The change at ${change.unit} does not come after the one at ${last.unit}, so it is left out`);
    } else if (units !== null && change.unit > units) {
      report(`The change at ${change.unit} comes after the last unit, ${units}, so it is left out`);
    } else kept.push(change);
  }
  return kept;
}

/** A fingerprint in a link: `fused:0123456789abcdef`, or without the class of bits. */
const FINGERPRINT_PATTERN = /^(?:(fused|plain|gpu):)?([0-9a-f]{8,64})$/i;

/** The class of bits and the digits of a fingerprint; null if the text is none. */
export function parseBits(text: string): { bitsClass: string | null; digits: string } | null {
  const [, bitsClass, digits] = FINGERPRINT_PATTERN.exec(text) ?? [];
  return digits ? { bitsClass: bitsClass?.toLowerCase() ?? null, digits: digits.toLowerCase() } : null;
}

/** The unit at which the replay of a run ends: the one that is given, or that of the last change. */
export const endOf = ({ units, changes }: { units: number | null; changes: readonly RecipeChange[] }): number =>
  units ?? changes.at(-1)?.unit ?? 0;

// The runs of a class as the teacher's page lists them, and which of them can be compared: those with the same lab,
// settings, changes and metric, of the same class of bits.

import { bandOf, type BandRow } from "../core/compare/statistics";
import { noFormula, toCsv } from "../core/csv";
import { formatCount, formatInteger } from "../core/format";
import { metricLabel } from "../core/labels";
import type { LabInfo } from "../generated/protocol";
import { roundingAt, type Answer, type BitsClass, type PointCurve, type ReadResult } from "./code";
import { nameOf, type ClassChallenge } from "./done-challenges";
import type { ServerPupil } from "./server";
import { recipeOf } from "./task";

/** One pupil's run. */
export interface Entry {
  /** Identifies the entry in the table. */
  id: string;
  name: string;
  lab: LabInfo;
  seed: number;
  /** The run without its seed and its end (task.ts). */
  recipe: string;
  units: number;
  metric: string;
  target: number | null;
  curve: PointCurve;
  /** Null if the pupil's tab has told nothing yet. */
  bits: BitsClass | null;
  answers: Answer[];
  /** What was handed in, for a spot check; null before. */
  result: ReadResult | null;
  /** Whether a code was handed in that cannot be read: then nothing of the pupil counts. */
  isDamaged?: boolean;
  /** The unit in which the class's challenge was done, as the pupil's tab says; null or none if it says nothing. */
  told?: number | null;
  /** What the pupil does, in a word; empty for results that were collected. */
  state: string;
}

/** The entry of a result that was collected. */
export async function entryOf(result: ReadResult): Promise<Entry> {
  const { code, name, lab, request, metric, target, curve, bits, answers } = result;
  const recipe = await recipeOf(request);
  const { seed, units } = request;
  return { id: code, name, lab, seed, recipe, units, metric, target, curve, bits, answers, result, state: "" };
}

/** Whether the run of an entry has begun. Before, it has nothing that could be compared. */
export const hasBegun = ({ units }: Pick<Entry, "units">): boolean => units > 0;

/**
 * The entry of a pupil's tab. As soon as a result is handed in, the whole row is what its code says, because a check
 * repeats that and nothing else. `notes` then say where it is not the run of this seat; with other settings it cannot
 * be compared. Before, the tab is believed: the row is the run that it trains. `recipe` is that of the class; with
 * `hidesNames` no note has a name.
 */
export async function seatEntry(
  { seat, seed, name, progress, answers, challenge }: Omit<ServerPupil, "state" | "result" | "measured">,
  result: ReadResult | null,
  lab: LabInfo,
  recipe: string,
  hidesNames = false,
): Promise<{ entry: Entry; notes: string[] }> {
  const own = { id: String(seat), name, answers, state: "", told: challenge };
  const otherSeed = (of: number) => of !== seed && `another seed than this pupil was given (${seed})`;
  if (result) {
    const entry = { ...(await entryOf(result)), ...own };
    const notes = [
      otherSeed(entry.seed),
      result.name !== name && (hidesNames ? "its code has another name" : `its code has the name “${result.name}”`),
      progress !== null && progress.seed !== entry.seed && `its tab trains with seed ${progress.seed} now`,
    ].filter((note) => note !== false);
    return { entry, notes };
  }
  const { curve = { units: [], values: [] }, units = 0, bits = null, target = null } = progress ?? {};
  const metric = progress?.metric ?? lab.about.charts[0] ?? "";
  const toldSeed = progress?.seed ?? seed;
  const entry = {
    ...own,
    lab,
    seed: toldSeed,
    recipe: progress?.recipe ?? recipe,
    units,
    metric,
    target,
    curve,
    bits,
    result,
  };
  return { entry, notes: [otherSeed(toldSeed)].filter((note) => note !== false) };
}

/** How many runs there are, how many of them are compared, and how many pupils have none yet, in sentences. */
export function countWords(entries: readonly Entry[], compared: number): string {
  const begun = entries.filter(hasBegun).length;
  const waiting = entries.length - begun;
  const runs = begun === 1 ? "One run" : `${formatInteger(begun)} runs`;
  const comparable = compared === 0 || compared === begun ? "" : `, ${formatInteger(compared)} of them comparable`;
  const missing = `${formatCount(waiting, "pupil")} ${waiting === 1 ? "has" : "have"} not begun.`;
  return [begun > 0 && `${runs}${comparable}.`, waiting > 0 && missing].filter(Boolean).join(" ");
}

/** What runs are compared by. */
export type Group = Pick<Entry, "recipe" | "metric" | "bits">;

/**
 * What the most entries have in common, of those that have begun, with this recipe if there is one; null without any.
 */
export function largestGroup(entries: readonly Entry[], recipe: string | null): Group | null {
  const counts = new Map<string, { group: Entry; count: number }>();
  for (const entry of entries) {
    if (!hasBegun(entry) || entry.isDamaged || (recipe !== null && entry.recipe !== recipe)) continue;
    const key = JSON.stringify([entry.recipe, entry.metric, entry.bits]);
    const known = counts.get(key) ?? { group: entry, count: 0 };
    known.count++;
    counts.set(key, known);
  }
  const [first = null, ...others] = counts.values();
  return first && others.reduce((most, each) => (each.count > most.count ? each : most), first).group;
}

/** Why the bits of two runs differ though all else is the same: `plain` beside `fused`, or a GPU. */
export const OTHER_ARITHMETIC = "rounds differently (another kind of browser or device)";

/** Why an entry cannot be compared with a group, in a few words; null if it can. */
export function whyNotComparable(entry: Entry, group: Group | null): string | null {
  if (entry.isDamaged) return "its result code is damaged";
  if (!group || entry.recipe !== group.recipe) return "other settings";
  if (entry.metric !== group.metric) return "another metric";
  return entry.bits === group.bits ? null : OTHER_ARITHMETIC;
}

/**
 * Whether a value of the entry's curve reaches its goal; false without a goal. Values in a code are rounded, so one
 * counts if it may be the rounded goal.
 */
function reachesGoal({ lab, metric, target, curve, result }: Entry, row: number): boolean {
  const { values } = curve;
  const value = values[row];
  if (target === null || value === undefined) return false;
  const better = lab.about.metrics.find(({ name }) => name === metric)?.better;
  // A tab keeps as many digits of all its values as a code does of the last one.
  const rounding = roundingAt(result ? values : [value], result ? row : 0);
  return (better === "lower" ? value - target : target - value) <= rounding;
}

/** Whether the last value of an entry's curve reaches the goal. */
export const endsAtGoal = (entry: Entry): boolean => reachesGoal(entry, entry.curve.values.length - 1);

/**
 * The unit (training iteration) of the first point of an entry's curve that reaches the goal; null if none does. A long
 * curve has lost points (`thinned` in code.ts), so a test before that unit may have reached the goal too.
 */
export function goalUnit(entry: Entry): number | null {
  const { units, values } = entry.curve;
  return units[values.findIndex((_, row) => reachesGoal(entry, row))] ?? null;
}

/** A challenge that the run of an entry has done, in words. */
interface NamedChallenge {
  name: string;
  unit: number;
  isOfClass: boolean;
  /** Whether the result code says it. Otherwise the pupil's tab has told it, perhaps of another run. */
  isHandedIn: boolean;
}

/** What is known of challenges that an entry's run has done, that of the class first. */
export function challengesOf({ lab, result, told }: Entry, ofClass: ClassChallenge | null): NamedChallenge[] {
  const done = result?.challenges ?? [];
  const first = done.find(({ key }) => key === ofClass?.key && lab.about.id === ofClass.lab);
  const others = done.filter((each) => each !== first);
  const isTold = ofClass !== null && !first && typeof told === "number";
  return [
    ...(ofClass && first ? [{ name: ofClass.title, unit: first.unit, isOfClass: true, isHandedIn: true }] : []),
    ...(isTold ? [{ name: ofClass.title, unit: told, isOfClass: true, isHandedIn: false }] : []),
    ...others.map((each) => ({ name: nameOf(each, lab), unit: each.unit, isOfClass: false, isHandedIn: true })),
  ];
}

/** Those challenges as a text: `CartPole: balance the pole (iteration 41)`. */
export function challengeTexts(entry: Entry, ofClass: ClassChallenge | null): string {
  const { unit } = entry.lab.about;
  const texts = challengesOf(entry, ofClass).map(({ name, unit: at, isHandedIn }) => {
    const told = entry.result && !isHandedIn ? ", only the tab says so" : "";
    return `${name} (${unit} ${formatInteger(at)}${told})`;
  });
  return texts.join("; ");
}

/**
 * Entries, as they are shown, as a table of comma-separated values. Numbers have all digits that came with the results.
 * `checkOf` says what a check has found.
 */
export function resultsTable(
  entries: readonly Entry[],
  ofClass: ClassChallenge | null,
  checkOf: (entry: Entry) => string,
): string {
  const heads = [
    "Name",
    "Lab",
    "Seed",
    "Units",
    "Goal reached at (by the curve)",
    "Metric",
    "Value",
    "Goal",
    "Arithmetic",
    "Settings",
    "Challenges done",
    "Check",
  ];
  const rows = entries.map((entry) => {
    const { name, lab, seed, units, metric, curve, target, bits, recipe } = entry;
    const texts = [noFormula(name), lab.about.title, seed, units, goalUnit(entry) ?? ""];
    const label = metricLabel(lab, metric);
    const numbers = [curve.values.at(-1) ?? "", target ?? "", bits ?? ""];
    const said = [recipe, challengeTexts(entry, ofClass), checkOf(entry)].map(noFormula);
    return [...texts, label, ...numbers, ...said].map(String);
  });
  return toCsv([heads, ...rows]);
}

/** The median and the range of some runs, by units. A run counts up to its end. */
export function classBand(entries: readonly Entry[]): BandRow[] {
  return bandOf(
    entries.map(({ curve, units }) => ({
      units: [...curve.units, units],
      values: [...curve.values, curve.values.at(-1) ?? NaN],
      solved: false,
    })),
  );
}

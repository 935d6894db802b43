// Which results of a class are of one run: settings, seed and class of bits determine a run, so pupils with one seed
// have trained the same run, and such results count it more than once. Only what was handed in is looked at: nobody can
// check what a tab tells. `compared` are entries that can be compared (entries.ts), which differ by their seeds.

import { formatInteger, listed } from "../core/format";
import { roundingAt } from "./code";
import type { Entry } from "./entries";

/** Sentences about the results with the same seed; none if all seeds are different. */
export function sameSeedSentences(compared: readonly Entry[]): string[] {
  const handedIn = compared.filter(({ result }) => result !== null);
  const seeds = [...new Set(handedIn.map(({ seed }) => seed))];
  const groups = seeds.map((seed) => handedIn.filter((entry) => entry.seed === seed));
  return groups.filter(({ length }) => length > 1).flatMap(sentencesOf);
}

/** What is said of several entries with one seed. */
function sentencesOf(entries: Entry[]): string[] {
  const runs = runsAmong(entries);
  // Two GPUs may round differently, so there only the fingerprint at a common end shows that runs are the same.
  if (entries[0]?.bits === "gpu" && (runs.length > 1 || !sameLength(entries)))
    return [
      `${subject(entries)} and settings, so the same random numbers: they are not independent, though GPUs may round differently. The median and the band count each of them.`,
    ];
  const differ =
    runs.length > 1
      ? [
          `${subject(entries)}, settings and arithmetic, but they differ: at least one was edited, or made by another version of the page.`,
        ]
      : [];
  return [...differ, ...runs.filter(({ length }) => length > 1).map(sameRunSentence)];
}

function sameRunSentence(entries: Entry[]): string {
  const extent = sameLength(entries) ? "" : "as far as each of them goes, ";
  const times = entries.length === 2 ? "twice" : `${formatInteger(entries.length)} times`;
  return `${subject(entries)}, settings and arithmetic, so ${extent}they are one and the same run, which the median and the band count ${times}.`;
}

function subject(entries: Entry[]): string {
  const names = [...new Set(entries.map(({ name }) => name))];
  return `The ${formatInteger(entries.length)} results of ${listed(names)} have the same seed (${entries[0]?.seed})`;
}

const sameLength = (entries: Entry[]): boolean => entries.every(({ units }) => units === entries[0]?.units);

/** Entries with one seed by the run that they can be of. */
function runsAmong(entries: Entry[]): Entry[][] {
  const runs: Entry[][] = [];
  for (const entry of entries) {
    const run = runs.find((others) => others.every((other) => mayBeOneRun(entry, other)));
    if (run) run.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

/**
 * Whether two results agree in all that both hold: the values at common units, and the fingerprint at a common end. At
 * different ends a run has different fingerprints.
 */
function mayBeOneRun(a: Entry, b: Entry): boolean {
  const [left, right] = [a.result?.fingerprint ?? "", b.result?.fingerprint ?? ""];
  const isSameEnd = left.startsWith(right) || right.startsWith(left);
  if (isSameEnd !== (a.units === b.units)) return false;
  return a.curve.units.every((unit, i) => {
    const j = b.curve.units.indexOf(unit);
    if (j < 0) return true;
    const distance = Math.abs((a.curve.values[i] as number) - (b.curve.values[j] as number));
    return distance <= roundingAt(a.curve.values, i) + roundingAt(b.curve.values, j);
  });
}

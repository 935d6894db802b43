// What is said of runs with several seeds. While they train: in which unit (training iteration) they are, and about how
// long it will take, as soon as runs that are done tell how long one takes. Once they were stopped: what is left of them.

import type { CompareRun } from "../core/compare/compare-run";
import type { SeedSweep } from "../core/compare/seed-sweep";
import { formatCount, formatEstimate } from "../core/format";
import { quoted } from "../core/values";
import type { SeedsPart } from "./format";
import type { SeedsResult } from "./measures";
import { doneRuns } from "./outcome";
import type { Begun } from "./state";

/** What is needed of a run. */
type Trained = Pick<CompareRun, "ending" | "position" | "seconds">;
type Swept = { run: Trained | null }[];

/** Estimates are rounded up to a multiple of so many seconds, so that they do not change all the time. */
const ROUNDED_TO_SECONDS = 10;

/** What is said beside how many runs are done; empty while the first runs are loading. */
export function detailWords({ seeds, setup }: SeedSweep, { units }: Pick<SeedsPart, "units">): string {
  const { unit } = setup.lab.about;
  const at = seeds.flatMap(({ run }) => (run?.position && run.ending === null ? [run.position.units] : []));
  if (at.length === 0) return "";
  const [least, most] = [Math.min(...at), Math.max(...at)];
  const range = least === most ? `${unit} ${least}` : `${unit}s ${least} to ${most}`;
  const who = at.length === 1 ? "One run is" : `${formatCount(at.length, "run")} are`;
  const seconds = secondsLeft(seeds, setup.atATime, units);
  const left = seconds === null ? "" : ` All runs together need about ${formatEstimate(roundedUp(seconds))} more.`;
  return `${who} training, in ${range} of at most ${units}.${left}`;
}

/** What is said of runs that were stopped, or have failed, before all were done. */
export function stoppedWords(
  part: SeedsPart,
  result: SeedsResult,
  { failures, stoppedFor }: Pick<Begun, "failures" | "stoppedFor">,
  /** Whether they are kept when the lesson is left, and whether they have the settings that are chosen now. */
  { isKept, isChosen }: { isKept: boolean; isChosen: boolean },
): string {
  const done = doneRuns(part, result).length;
  const why = failures || (stoppedFor === null ? "Stopped." : `Stopped, because ${quoted(stoppedFor)} began.`);
  if (done === 0) return `${why} No run was done, so nothing counts yet.`;
  const are = `${done} of ${formatCount(part.seeds, "run")} ${done === 1 ? "is" : "are"} done`;
  const other = part.dials.length > 0 ? " or train with other settings" : "";
  const kept = !isKept
    ? `${are}, and kept only until you leave this lesson${other}.`
    : isChosen
      ? `${are} and kept.`
      : `${are}, and kept until a run with the newly chosen settings is done.`;
  // A run that fails by its own fault fails each time, and no other can take its place.
  const again = failures ? " If it fails again, close other tabs, load this page again, and train the rest then." : "";
  return `${why} ${kept} The results count when all are done.${again}`;
}

const roundedUp = (seconds: number) => Math.max(1, Math.ceil(seconds / ROUNDED_TO_SECONDS)) * ROUNDED_TO_SECONDS;

/**
 * About how many more seconds all runs need; null before one is done. A run is expected to take as many units as those
 * that are done on average, and one that has more units than that to go on to its last one. Failed runs tell nothing.
 */
export function secondsLeft(seeds: Swept, atATime: number, units: number): number | null {
  const done = seeds.flatMap(({ run }) =>
    run?.position && run.ending !== null && run.ending !== "failed" && run.position.units > 0 ? [run] : [],
  );
  if (done.length === 0) return null;
  const sum = (each: (run: Trained) => number) => done.reduce((total, run) => total + each(run), 0);
  const seconds = sum((run) => run.seconds);
  const trained = sum((run) => run.position?.units ?? 0);
  const [perUnit, usual] = [seconds / trained, trained / done.length];
  const left = seeds.flatMap(({ run }) => {
    if (run && run.ending !== null) return [];
    const at = run?.position?.units ?? 0;
    return [perUnit * Math.max(0, (at < usual ? usual : units) - at)];
  });
  // The runs share the places; none ends before the longest of them.
  const total = left.reduce((a, b) => a + b, 0);
  return Math.max(total / Math.max(1, atATime), ...left);
}

// How much a lab's library keeps, which runs go when that is exceeded, and in which order runs are listed.

import { formatCount, formatInteger } from "./format";
import type { RunMetadata } from "./run-metadata";

/** A run of the library. */
export interface KeptRun {
  id: string;
  metadata: RunMetadata;
  /** The size of its folder: the checkpoint, its metadata and the moments of the timeline. */
  bytes: number;
}

/** The most runs and bytes that a library keeps. */
export interface Budget {
  runs: number;
  bytes: number;
}

/** What the library of one lab keeps at most, without the open run and pinned ones, which never go. */
export const BUDGET: Budget = { runs: 100, bytes: 500e6 };

/** The rule as a sentence. */
export const BUDGET_RULE =
  `At most ${BUDGET.runs} runs and ${megabytes(BUDGET.bytes)} are kept for each lab. ` +
  "When there are more, the oldest ones that are neither pinned nor open are removed.";

/** The runs as they are listed: pinned ones first, then by the time of their last save, the newest first. */
export function inOrder(runs: KeptRun[]): KeptRun[] {
  return [...runs].sort(
    (a, b) => Number(b.metadata.pinned) - Number(a.metadata.pinned) || b.metadata.savedAt - a.metadata.savedAt,
  );
}

/** The runs that may be removed to make room, the oldest first. `open` are the ids of runs that are in use. */
export function removable(runs: KeptRun[], open: ReadonlySet<string>): KeptRun[] {
  return runs
    .filter(({ id, metadata }) => !metadata.pinned && !open.has(id))
    .sort((a, b) => a.metadata.savedAt - b.metadata.savedAt);
}

/** The runs to remove so that the others are within the budget. The newest stays, even if it alone exceeds it. */
export function overBudget(runs: KeptRun[], open: ReadonlySet<string>, budget = BUDGET): KeptRun[] {
  const candidates = removable(runs, open).slice(0, -1); // the last one is the newest
  let count = runs.length;
  let bytes = totalBytes(runs);
  return candidates.filter((run) => {
    const isExceeded = count > budget.runs || bytes > budget.bytes;
    if (isExceeded) [count, bytes] = [count - 1, bytes - run.bytes];
    return isExceeded;
  });
}

export const totalBytes = (runs: KeptRun[]): number => runs.reduce((sum, run) => sum + run.bytes, 0);

/** The line about the whole library: "7 runs, 14 MB of at most 500 MB". */
export function totalText(runs: KeptRun[]): string {
  return `${formatCount(runs.length, "run")}, ${megabytes(totalBytes(runs))} of at most ${megabytes(BUDGET.bytes)}`;
}

/** A size for people: 12 kB, 1.4 MB, 230 MB. */
export function megabytes(bytes: number): string {
  if (bytes < 1e6) return `${formatInteger(Math.ceil(bytes / 1e3))} kB`;
  return `${bytes < 10e6 ? (bytes / 1e6).toFixed(1) : formatInteger(bytes / 1e6)} MB`;
}

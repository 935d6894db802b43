// Branches: starts a new run from a moment of the open one, which is saved and stays as it is.

import { readHeader } from "./core/checkpoint";
import { isSolved } from "./core/goal";
import type { Moments } from "./core/moments";
import { dataLike } from "./core/program";
import { newNote } from "./core/store";
import { setAside, type SetAsideContext } from "./open-file";
import type { BranchPoint } from "./ui/timeline";

/** The parts of the page that `branchRun` uses. */
export interface BranchContext extends SetAsideContext {
  loadMoments: () => Promise<Moments>;
}

/** A run that has a branch is kept even if it is short, because the visitor was told that it stays. */
const MIN_UNITS_OF_PARENT = 1;

/**
 * Replaces the open run by one that continues an earlier moment of it, with changes of live settings or another seed.
 */
export async function branchRun(
  page: BranchContext,
  { bytes, units, seconds, settings, seed }: BranchPoint,
): Promise<void> {
  const { run } = page;
  const { lab, progress, note: parent } = run;
  if (!lab) return;
  const wasSolved = isSolved(progress, units);
  const { solvedSeconds, solvedWork } = wasSolved ? parent : newNote();
  const note = { ...newNote(), parent: { id: parent.id, units }, seconds, solvedSeconds, solvedWork };
  await setAside(page, lab, MIN_UNITS_OF_PARENT);
  if (!run.open || run.note.id !== parent.id) throw new Error("another run was opened meanwhile");
  if (units === 0 && seed !== null) {
    // Before its first unit a run cannot change its seed: one with another seed is another run, which is started.
    const { config = {}, changes = [] } = readHeader(bytes) ?? {};
    const data = dataLike(changes, lab.about.id, config);
    await run.start(lab, { ...config, ...settings }, seed, note);
    if (data !== null) run.command(data);
    run.play();
    return;
  }
  const momentBytes = bytes.slice(); // a copy, because `resume` transfers `bytes` to the worker
  await run.resume(bytes, note);
  void page.loadMoments().then(
    (moments) => moments.keep(units, momentBytes),
    () => {}, // without a network the page works on without them
  );
  if (Object.keys(settings).length > 0) void run.configure(settings);
  if (seed !== null) void run.reseed(seed);
  run.play();
}

// Lets the open run train at slow speed while its tab is hidden, which leaves the processor to what the visitor does
// meanwhile. Browsers slow down the timers of a hidden tab, but a worker at max speed uses none.

import type { Run } from "./run";

/** `tell` is called when the visitor comes back to a run that has trained slowly. */
export function slowWhileHidden(run: Run, tell: () => void): void {
  /** The units (training iterations) of the run when it became slow; null while it is not. */
  let unitsBefore: number | null = null;
  const follow = () => {
    const isSlower = run.setSlowed(document.hidden);
    // A look at another tab is often too short for a unit to end.
    if (!document.hidden && isSlower && unitsBefore !== null && run.progress.units > unitsBefore) tell();
    unitsBefore = document.hidden && isSlower ? run.progress.units : null;
  };
  document.addEventListener("visibilitychange", follow);
  run.on("opened", () => (unitsBefore = document.hidden ? run.progress.units : null));
  follow();
}

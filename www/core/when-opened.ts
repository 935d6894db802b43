// What follows once the worker has opened a run.

import type { Run } from "./run";

/**
 * Call it just before the worker is asked for a run. It calls `action` once that run is open, and never if the worker
 * refuses it, fails or is replaced.
 */
export function whenOpened(run: Run, action: () => void): void {
  const end = (then?: () => void) => {
    for (const unsubscribe of subscriptions) unsubscribe();
    then?.();
  };
  const subscriptions = [
    run.on("opened", () => end(action)),
    run.on("refused", ({ request }) => (request === "start" || request === "resume") && end()),
    run.on("closed", () => end()),
  ];
}

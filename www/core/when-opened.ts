// What follows once the worker has opened a run.

import type { Run } from "./run";

/**
 * Calls `action` when the run that the worker is asked for next is open; not if the worker refuses it, fails or is
 * replaced.
 */
export function whenOpened(run: Run, action: () => void): void {
  const end = (next?: () => void) => {
    for (const unsubscribe of subscriptions) unsubscribe();
    next?.();
  };
  const subscriptions = [
    run.on("opened", () => end(action)),
    run.on("refused", ({ request }) => (request === "start" || request === "resume") && end()),
    run.on("closed", () => end()),
  ];
}

// A checkpoint of the open run as a promise.

import { Superseded } from "./incoming";
import type { Run } from "./run";

/**
 * Saves the run at the end of its unit, and returns the file. `purpose` tells its answer from the answers to other
 * saves. Rejects with the reason if the run cannot be saved, and with `Superseded` if another is opened meanwhile.
 */
export function savedCheckpoint(run: Run, purpose: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const subscriptions = [
      run.on("saved", (saved) => saved.purpose === purpose && end(() => resolve(saved.bytes))),
      run.on("refused", ({ request, message }) => request === "save" && end(() => reject(new Error(message)))),
      run.on("failed", ({ message }) => end(() => reject(new Error(message)))),
      run.on("opened", () => end(() => reject(new Superseded()))),
    ];
    /** Stops listening, then resolves or rejects. */
    const end = (settle: () => void) => {
      for (const unsubscribe of subscriptions) unsubscribe();
      settle();
    };
    run.save(purpose);
  });
}

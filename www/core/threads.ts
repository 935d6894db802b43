// The page's side of a pool of threads: creates a worker for each thread that a session worker asks for, and ends them.
// See load-bundle.ts for the workers' side.

import type { Failed, LoadRequest, ThreadsRequest, ThreadStart, ThreadStarted } from "./worker-messages";

export class Threads {
  /** The workers are kept here because a browser may end workers that nothing refers to. */
  #workers: Worker[] = [];

  /**
   * `createWorker` creates a worker that calls `runThread` (load-bundle.ts). `onFailure` is called if one cannot start.
   */
  constructor(
    readonly createWorker: () => Worker,
    readonly onFailure: (failed: Failed) => void,
  ) {}

  /** Starts the threads for a worker that has loaded this bundle. */
  start(request: ThreadsRequest, { bundle, program }: Pick<LoadRequest, "bundle" | "program">): void {
    const { count, module, memory, receiver, later, started } = request;
    const start: ThreadStart = { type: "thread", bundle, program, module, memory, receiver, later };
    let missing = count;
    for (let thread = 0; thread < count; thread++) {
      let worker: Worker;
      try {
        worker = this.createWorker();
      } catch (error) {
        return this.onFailure({ type: "failed", kind: "load", message: String(error) });
      }
      this.#workers.push(worker);
      worker.onmessage = ({ data }: MessageEvent<ThreadStarted | Failed>) => {
        if (data.type === "failed") this.onFailure(data);
        else if (--missing === 0) started.postMessage(null);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        this.onFailure({ type: "failed", kind: "load", message: event.message || "A thread could not be loaded." });
      };
      worker.postMessage(start);
    }
  }

  close(): void {
    for (const worker of this.#workers.splice(0)) worker.terminate();
  }
}

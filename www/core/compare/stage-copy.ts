// A copy of the open run in a worker of its own, of which only the stage (its interactive picture) is used: the copy does
// not train, and the page's stage stays as it is.

import type { JsonValue } from "../../generated/protocol";
import { Superseded } from "../requests";
import type { Run } from "../run";
import type { AnyView } from "../run-events";
import { CompareRun } from "./compare-run";

const CLOSED = "the second agent was closed";

export class StageCopy {
  /** The checkpoint that copies are opened from; null before the first. */
  #bytes: Uint8Array<ArrayBuffer> | null = null;
  #copy: CompareRun | null = null;
  #isClosed = false;

  constructor(readonly run: Run) {}

  /** How many units (training iterations) the copy has done; null before there is one. */
  get units(): number | null {
    return this.#copy?.position?.units ?? null;
  }

  /** Opens a copy of the run as it was at the first call, in place of the copy before. */
  async open(): Promise<void> {
    const { run } = this;
    const { lab, settings, seed } = run;
    if (!lab) throw new Error("no run is open");
    const bytes = (this.#bytes ??= await checkpointOf(run));
    if (this.#isClosed) throw new Error(CLOSED);
    this.#copy?.close();
    const limits = { goal: false, units: null, seconds: null };
    // The bytes are transferred to the worker, so it gets some of its own.
    const setup = { lab, settings, seed, limits, load: () => Promise.resolve(bytes.slice()) };
    const copy = (this.#copy = new CompareRun(run.cpuBundle, 1, setup));
    await new Promise<void>((resolve, reject) => {
      copy.on("opened", () => resolve());
      void copy.done.then(() => reject(new Error(copy.failure ?? CLOSED)));
    });
  }

  command(command: JsonValue): void {
    this.#copy?.command(command);
  }

  /** The next view, for which the stage has been animated for so many seconds. */
  view(seconds: number): Promise<AnyView> {
    return new Promise((resolve, reject) => {
      const copy = this.#copy;
      if (!copy?.alive) return reject(new Error(copy?.failure ?? CLOSED));
      const unsubscribe = copy.on("view", (view) => {
        unsubscribe();
        resolve(view);
      });
      void copy.done.then(() => reject(new Error(copy.failure ?? CLOSED)));
      copy.requestView(seconds);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#copy?.close();
  }
}

/** A checkpoint of the open run. */
async function checkpointOf(run: Run): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return (await run.save()).bytes;
  } catch (error) {
    throw error instanceof Superseded ? new Error("another run was opened") : error;
  }
}

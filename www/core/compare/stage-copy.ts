// A copy of the open run in a worker of its own, of which only the stage (its interactive picture) is used: the copy is
// allowed no unit of training, and the page's stage stays as it is. Visitors read of it as "the second agent".

import type { JsonValue } from "../../generated/protocol";
import { Superseded } from "../requests";
import type { Run } from "../run";
import type { AnyView } from "../run-events";
import { CompareRun, type CompareSetup } from "./compare-run";

const CLOSED = "the second agent was closed";
/** A stage needs no more. */
const THREADS = 1;

/** What copies are opened from. */
type Origin = Omit<CompareSetup, "load"> & { bytes: Uint8Array<ArrayBuffer> };

export class StageCopy {
  /** The run at the first call of `open`; null before. */
  #origin: Promise<Origin> | null = null;
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
    this.#origin ??= originOf(run);
    const { bytes, ...setup } = await this.#origin.catch((error: unknown) => {
      this.#origin = null; // the next call tries again
      throw error;
    });
    if (this.#isClosed) throw new Error(CLOSED);
    this.#copy?.close();
    // The bytes are transferred to the worker, so it gets some of its own.
    const load = () => Promise.resolve(bytes.slice());
    const copy = (this.#copy = new CompareRun(run.cpuBundle, THREADS, { ...setup, load }));
    await new Promise<void>((resolve, reject) => {
      copy.on("opened", () => resolve());
      void copy.done.then(() => reject(new Error(copy.failure ?? CLOSED)));
    });
  }

  command(command: JsonValue): void {
    this.#copy?.command(command);
  }

  /** The next view, for which the stage has been animated for `seconds` seconds. */
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

/** The open run: its settings and a checkpoint. */
async function originOf(run: Run): Promise<Origin> {
  const { lab, settings, seed } = run;
  if (!lab) throw new Error("no run is open");
  const limits = { goal: false, units: null, seconds: null };
  try {
    const { bytes } = await run.save();
    return { lab, settings, seed, limits, bytes };
  } catch (error) {
    throw error instanceof Superseded ? new Error("another run was opened") : error;
  }
}

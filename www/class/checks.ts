// The spot checks of a teacher's page. A spot check repeats a pupil's run on this machine and compares the end. Checks
// are made one after the other, because each trains on all threads.

import type { BundleChoice } from "../core/bundle";
import { Emitter } from "../core/events";
import { sentenceEnd } from "../core/format";
import { SpotCheck, type Verdict } from "./check";
import type { ReadResult } from "./code";
import { OTHER_ARITHMETIC } from "./entries";

/** Where a spot check is: it waits for others, repeats the run, or has ended. */
export type CheckState = { kind: "waits" } | { kind: "repeats"; units: number; last: number } | Verdict;

export class Checks extends Emitter<{ changed: null }> {
  #states = new Map<string, CheckState>();
  #queue: ReadResult[] = [];
  #current: SpotCheck | null = null;
  /** Whether `#work` goes on, even between two checks. */
  #working = false;

  /** `usual` is the bundle (the build of the crates) that the page trains with on the CPU; a check may need another. */
  constructor(readonly usual: BundleChoice) {
    super();
  }

  /** True while results are checked or wait for it. */
  get busy(): boolean {
    return this.#working || this.#queue.length > 0;
  }

  stateOf(result: ReadResult): CheckState | null {
    return this.#states.get(result.code) ?? null;
  }

  /** Checks a result after those that wait already. */
  add(result: ReadResult): void {
    const kind = this.stateOf(result)?.kind;
    if (kind === "waits" || kind === "repeats") return;
    this.#queue.push(result);
    this.#set(result, { kind: "waits" });
    if (!this.#working) void this.#work();
  }

  /** Ends all checks. */
  stop(): void {
    for (const result of this.#queue.splice(0)) this.#states.delete(result.code);
    this.#current?.stop();
    this.emit("changed", null);
  }

  async #work(): Promise<void> {
    this.#working = true;
    for (let result = this.#queue.shift(); result; result = this.#queue.shift()) {
      const checked = result;
      this.#current = new SpotCheck(checked, this.usual, (units, last) => {
        this.#set(checked, { kind: "repeats", units, last });
      });
      this.#set(checked, { kind: "repeats", units: 0, last: checked.request.units });
      const verdict = await this.#current.check();
      this.#current = null;
      this.#set(checked, verdict);
    }
    this.#working = false;
    this.emit("changed", null);
  }

  #set(result: ReadResult, state: CheckState): void {
    this.#states.set(result.code, state);
    this.emit("changed", null);
  }
}

/** Why a result can differ. A code that was damaged on its way does not get this far: it is refused when it is read. */
const EDITED = "edited, or made by another version of the page";

/** What the table says of a check. `tone` is how it is marked. */
export function checkWords(state: CheckState): { text: string; tone: "good" | "wrong" | "" } {
  switch (state.kind) {
    case "waits":
      return { text: "waits", tone: "" };
    case "repeats":
      return { text: `repeats ${state.units} of ${state.last}`, tone: "" };
    case "same":
      return { text: "same, bit for bit", tone: "good" };
    case "differs":
      // Either the run itself, or only the values that the code says.
      return state.what === "fingerprint"
        ? { text: `differs: ${EDITED}`, tone: "wrong" }
        : { text: `same run, but other values: ${EDITED}`, tone: "wrong" };
    case "otherBits":
      return { text: `cannot be checked here: ${OTHER_ARITHMETIC}`, tone: "" };
    case "stopped":
      return { text: "stopped", tone: "" };
    case "failed":
      return { text: `could not be checked: ${sentenceEnd(state.message)}`, tone: "wrong" };
  }
}

// The spot checks of a teacher's page. A spot check repeats a pupil's run on this machine and compares the end. Checks
// are made one after the other, because each trains on all threads.

import type { BundleChoice } from "../core/bundle";
import { Emitter } from "../core/events";
import { sentenceEnd } from "../core/format";
import { SpotCheck, type Differs, type Verdict } from "./check";
import type { ReadResult } from "./code";
import { OTHER_ARITHMETIC } from "./entries";
import { forgetRefuted, keepRefuted, keptRefuted } from "./store";

/** Where a spot check is: it waits for others, repeats the run, or has ended. */
export type CheckState = { kind: "waits" } | { kind: "repeats"; units: number; last: number } | Verdict;

/** What can differ, in the words in which it is kept. */
const PARTS = ["fingerprint", "metrics", "challenges"] as const;

export class Checks extends Emitter<{ changed: null }> {
  #states = new Map<string, CheckState>();
  /** Those of the codes that differ; if they are kept, also of checks before the page was loaded. */
  #refuted = new Map<string, Differs>();
  #queue: ReadResult[] = [];
  #current: SpotCheck | null = null;
  /** Whether `#work` goes on, even between two checks. */
  #working = false;
  /** Goes up when everything is forgotten: what a check that ends later has found is not noted. */
  #generation = 0;

  /**
   * `usual` is the bundle (the build of the crates) that the page trains with on the CPU; a check may need another.
   * With `keeps`, what was found to differ is kept in this browser, as the codes are.
   */
  constructor(
    readonly usual: BundleChoice,
    readonly keeps: boolean,
  ) {
    super();
    if (!keeps) return;
    for (const [code, kept] of Object.entries(keptRefuted())) {
      const what = PARTS.find((each) => each === kept);
      if (what) this.#refuted.set(code, { kind: "differs", what });
    }
  }

  /** True while results are checked or wait for it. */
  get busy(): boolean {
    return this.#working || this.#queue.length > 0;
  }

  stateOf(result: ReadResult): CheckState | null {
    return this.#states.get(result.code) ?? this.#refuted.get(result.code) ?? null;
  }

  /** Whether a check has found that the result differs from the run; also while it is checked again. */
  isRefuted(result: ReadResult): boolean {
    return this.#refuted.has(result.code);
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

  /** Ends all checks, and forgets what they have found. */
  forget(): void {
    this.#generation++;
    this.stop();
    this.#states.clear();
    this.#refuted.clear();
    if (this.keeps) forgetRefuted();
    this.emit("changed", null);
  }

  async #work(): Promise<void> {
    this.#working = true;
    for (let result = this.#queue.shift(); result; result = this.#queue.shift()) {
      const [checked, generation] = [result, this.#generation];
      this.#current = new SpotCheck(checked, this.usual, (units, last) => {
        this.#set(checked, { kind: "repeats", units, last });
      });
      this.#set(checked, { kind: "repeats", units: 0, last: checked.request.units });
      const verdict = await this.#current.check();
      this.#current = null;
      if (generation !== this.#generation) continue;
      if (verdict.kind === "differs") this.#note(checked, verdict);
      else if (verdict.kind === "same" && this.isRefuted(checked)) this.#note(checked, null);
      this.#set(checked, verdict);
    }
    this.#working = false;
    this.emit("changed", null);
  }

  /** Notes what differs; null if nothing does. */
  #note({ code }: ReadResult, differs: Differs | null): void {
    if (differs) this.#refuted.set(code, differs);
    else this.#refuted.delete(code);
    if (this.keeps) keepRefuted(code, differs?.what ?? null);
  }

  #set(result: ReadResult, state: CheckState): void {
    this.#states.set(result.code, state);
    this.emit("changed", null);
  }
}

/** Why a result can differ. A code that was damaged on its way does not get this far: it is refused when it is read. */
const EDITED = "edited, or made by another version of the page; not counted";
/** What differs of a result. */
const DIFFERENCES: Record<Differs["what"], string> = {
  fingerprint: "differs",
  metrics: "same run, but other values",
  challenges: "same run, but a challenge in its code was not done, or not in that iteration",
};

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
      return { text: `${DIFFERENCES[state.what]}: ${EDITED}`, tone: "wrong" };
    case "otherBits":
      return { text: `cannot be checked here: ${OTHER_ARITHMETIC}`, tone: "" };
    case "stopped":
      return { text: "stopped", tone: "" };
    case "failed":
      return { text: `could not be checked: ${sentenceEnd(state.message)}`, tone: "wrong" };
  }
}

// Repeats a run from its start: one unit (training iteration) after the other up to the last one of a link or a recipe
// file, with each change at its unit. Then the fingerprint is compared with the recorded one, if there is one.

import type { JsonValue } from "../generated/protocol";
import { Emitter } from "./events";
import { endOf, parseBits, type RecipeChange } from "./recipe";
import { Refusal } from "./requests";
import type { Run } from "./run";

/** The changes to repeat, and how far. */
export interface ReplayPlan {
  changes: RecipeChange[];
  /** The unit at which the replay ends; null for that of the last change. */
  units: number | null;
  /** The fingerprint at the last unit, see `parseBits`; null if it is not known. */
  bits: string | null;
}

/** How a replay has ended. */
export type ReplayEnd =
  /** At its last unit, and there is no fingerprint to compare. */
  | { kind: "done" }
  /** The run has the fingerprint of the plan. */
  | { kind: "same" }
  /** `found` is the fingerprint of the run, `expected` that of the plan, with the class of bits if that is known. */
  | { kind: "different"; found: string; expected: string; expectedClass: string | null }
  /** Stopped by the visitor. */
  | { kind: "stopped" }
  /** The visitor lets the run go on, or has changed a setting. */
  | { kind: "left" }
  /** The learner has refused a change, or the run cannot be saved. */
  | { kind: "refused"; message: string };

export interface ReplayEvents {
  progress: { units: number; last: number };
  ended: ReplayEnd;
}

export class Replay extends Emitter<ReplayEvents> {
  /** The unit that the replay leads to. */
  readonly last: number;
  /** The units of the run when the last unit was requested; -1 before the first. Each unit is requested only once. */
  #requestedAt = -1;
  /** The changes that have not been made yet. */
  #changes: RecipeChange[];
  /** The answers to changes that have not come yet. */
  #unanswered = 0;
  /** Whether the run is moving to another worker. */
  #held = false;
  #ended = false;
  /** Whether the fingerprint at the end has been requested. */
  #comparing = false;
  #subscriptions: (() => void)[];

  /** Begins to repeat a run that has just been opened and is at its start. */
  constructor(
    readonly run: Run,
    readonly plan: ReplayPlan,
  ) {
    super();
    this.last = endOf(plan);
    this.#changes = [...plan.changes];
    this.#subscriptions = [
      run.on("progress", () => this.#next()),
      run.on("configured", () => {
        // An answer that was not asked for belongs to a change by the visitor.
        if (this.#unanswered === 0) return this.#end({ kind: "left" });
        this.#unanswered--;
        this.#next();
      }),
      run.on("refused", ({ request, message }) => {
        if (this.#unanswered > 0 && ["configure", "reseed", "command"].includes(request))
          this.#end({ kind: "refused", message });
      }),
      // Another run was opened, or this one has failed. While the replay is held, the run only moves to another worker.
      run.on("opened", () => !this.#held && this.#end({ kind: "left" })),
      run.on("failed", () => !this.#held && this.#end({ kind: "left" })),
    ];
  }

  /** Makes the first change or requests the first unit. */
  start(): void {
    this.run.setReplaying(true);
    this.#next();
  }

  /** Ends the replay where the run is. */
  stop(): void {
    this.#end({ kind: "stopped" });
  }

  /** Ends the replay, because the run is no longer the one that is repeated. */
  leave(): void {
    this.#end({ kind: "left" });
  }

  /** Waits, because the run moves to another worker. */
  hold(): void {
    this.#held = true;
  }

  /** Goes on after `hold`. The request to the old worker is sent to the new one. */
  release(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#requestedAt = -1;
    this.#comparing = false;
    this.#next();
  }

  #next(): void {
    const { run, last } = this;
    if (this.#ended || this.#held || this.#comparing || !run.open) return;
    const { units, running } = run.progress;
    // If the visitor has pressed Run meanwhile, the replay ends and the run goes on.
    if (running) return this.#end({ kind: "left" });
    this.emit("progress", { units, last });
    if (this.#unanswered > 0) return;
    const change = this.#changes[0];
    if (change?.unit === units) {
      this.#changes.shift();
      this.#makeChange(change);
    } else if (units >= last) this.#finish();
    else if (units > this.#requestedAt) {
      this.#requestedAt = units;
      void run.finishUnit();
    }
  }

  /** Makes a change. The worker answers each of its parts. */
  #makeChange({ settings, seed, data }: RecipeChange): void {
    const { run } = this;
    const parts = [
      Object.keys(settings).length > 0 ? () => run.configure(settings) : null,
      seed !== null ? () => run.reseed(seed) : null,
      data !== null ? () => run.command(data as JsonValue) : null,
    ].filter((part) => part !== null);
    this.#unanswered = parts.length;
    for (const part of parts) part();
  }

  #finish(): void {
    if (this.plan.bits === null) return this.#end({ kind: "done" });
    this.#comparing = true;
    this.run.save({ fingerprint: true }).then(
      ({ fingerprint }) => this.#compare(fingerprint ?? ""),
      (error: unknown) => {
        if (error instanceof Refusal) this.#end({ kind: "refused", message: error.message });
      },
    );
  }

  #compare(found: string): void {
    const expected = parseBits(this.plan.bits ?? "");
    if (!expected || found.startsWith(expected.digits)) return this.#end({ kind: "same" });
    const { digits, bitsClass } = expected;
    this.#end({ kind: "different", found, expected: digits, expectedClass: bitsClass });
  }

  #end(end: ReplayEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    this.run.setReplaying(false);
    this.emit("ended", end);
  }
}

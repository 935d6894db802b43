// The runs of an `@seeds` block while they train. They belong to the open lesson and not to what is shown of it, so
// they go on while the reader is in another step or reads the notes.

import type { BundleChoice } from "../core/bundle";
import { SeedSweep, seedsFrom } from "../core/compare/seed-sweep";
import type { JsonValue } from "../generated/protocol";
import type { SeedsPart } from "./format";
import type { SeedsResult } from "./measures";
import { resultOfSweep } from "./outcome";
import type { Begun, LessonState } from "./state";

/** Shortest time between two readings of the results. */
const READ_MS = 300;

export class LessonSweep implements Begun {
  result: SeedsResult;
  #sweep: SeedSweep;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly part: SeedsPart,
    readonly state: LessonState,
    bundle: BundleChoice,
    data: JsonValue | null,
  ) {
    state.beginTraining(part.name, this.stop);
    this.#sweep = new SeedSweep(bundle, {
      lab: state.lab,
      settings: part.settings,
      seeds: seedsFrom(part.from, part.seeds),
      atATime: bundle.threads,
      limits: { goal: part.goal, units: part.units, seconds: null },
      data,
    });
    this.#sweep.on("changed", () => (this.#timer ??= setTimeout(() => this.#read(), READ_MS)));
    this.result = resultOfSweep(this.#sweep, part.metric);
  }

  get training(): boolean {
    return this.#sweep.training;
  }

  get failures(): string {
    return [...new Set(this.#sweep.seeds.flatMap(({ run }) => run?.failure ?? []))].join(" ");
  }

  get progress(): string {
    return `${this.#sweep.ended} of ${this.part.seeds} runs are done.`;
  }

  /** Ends the runs. What they have measured so far is shown, but counts for nothing. */
  stop = (): void => {
    this.state.endTraining(this.stop);
    if (!this.training) return;
    this.#sweep.stop();
    this.#read();
  };

  /** Takes over what has been measured so far. */
  #read(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { state, part } = this;
    if (state.sweeps.get(part.name) !== this) return; // everything was cleared, or another one has begun
    if (!this.training) state.endTraining(this.stop);
    const result = (this.result = resultOfSweep(this.#sweep, part.metric));
    if (result.complete || (result.seeds.length > 0 && state.result(part.name) === undefined))
      state.setResult(part.name, result);
    state.sweepWentOn();
  }
}

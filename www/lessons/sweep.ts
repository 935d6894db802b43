// The runs of an `@seeds` block while they train. They belong to the open lesson and not to what is shown of it, so
// they go on while the reader is in another step or reads the notes.

import type { BundleChoice } from "../core/bundle";
import { SeedSweep, seedsFrom } from "../core/compare/seed-sweep";
import type { Settings } from "../core/values";
import type { JsonValue } from "../generated/protocol";
import type { SeedsPart } from "./format";
import type { SeedsResult } from "./measures";
import { detailWords } from "./sweep-words";
import { isWorthKeeping, joined, resultOfSweep } from "./outcome";
import type { Begun, LessonState } from "./state";

/** Shortest time between two readings of the results. */
const READ_MS = 300;

export class LessonSweep implements Begun {
  result: SeedsResult;
  stoppedFor: string | null = null;
  #seeds: number[];
  #sweep: SeedSweep;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly part: SeedsPart,
    readonly state: LessonState,
    settings: Settings,
    bundle: BundleChoice,
    data: JsonValue | null,
    /** The runs that were done before the others were stopped; null to train all of them. */
    readonly earlier: SeedsResult | null,
  ) {
    this.#seeds = seedsFrom(part.from, part.seeds);
    const done = new Set(earlier?.seeds.map(({ seed }) => seed));
    state.beginTraining(part.name, this.stop);
    this.#sweep = new SeedSweep(bundle, {
      lab: state.lab,
      settings,
      seeds: this.#seeds.filter((seed) => !done.has(seed)),
      atATime: bundle.threads,
      limits: { goal: part.goal, units: part.units, seconds: null },
      data,
    });
    this.#sweep.on("changed", () => (this.#timer ??= setTimeout(() => this.#read(), READ_MS)));
    this.result = this.#join();
  }

  #join(): SeedsResult {
    return joined(this.earlier, resultOfSweep(this.#sweep, this.part.metric), this.#seeds);
  }

  get training(): boolean {
    return this.#sweep.training;
  }

  get failures(): string {
    return [...new Set(this.#sweep.seeds.flatMap(({ run }) => run?.failure ?? []))].join(" ");
  }

  get progress(): string {
    return `${(this.earlier?.seeds.length ?? 0) + this.#sweep.ended} of ${this.part.seeds} runs are done.`;
  }

  get detail(): string {
    return this.training ? detailWords(this.#sweep, this.part) : "";
  }

  /** Ends the runs. Those that are done can be joined by the others later, and count once all are done. */
  stop = (stoppedFor: string | null = null): void => {
    this.state.endTraining(this.stop);
    if (!this.training) return;
    this.stoppedFor = stoppedFor;
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
    const result = (this.result = this.#join());
    if (isWorthKeeping(part, result, state.result(part.name))) state.setResult(part.name, result);
    state.sweepWentOn();
  }
}

// The test (evaluation) that the page speaks of: the last one up to the unit that is shown. The sentence, the score
// with its curve and the dock all show this test, and change together, rarely enough to be read.

import { Emitter } from "./events";
import { latestTest, standingOf, type GoalTest, type Standing } from "./goal";
import type { LookBack } from "./look-back";
import type { Run } from "./run";
import type { Measurements } from "./series";

/** Shortest time between two changes while the run goes on. */
const CHANGE_MS = 1_000;

export class ShownTest extends Emitter<{ changed: null }> {
  /** The test; null before the first, and without a goal. */
  test: GoalTest | null = null;
  /** How the run stood to its goal after this test. */
  standing: Standing = "open";
  /** The unit (training iteration) that is shown: the one that is looked back at, or one of the latest. */
  #unit = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #changedAt = 0;
  #lastSaid = "";
  #cleanups: (() => void)[];

  constructor(
    readonly run: Run,
    readonly lookBack: LookBack,
    /** What the lab's view adds, such as an introduction of another agent. With it, all parts change at once too. */
    readonly said: () => unknown = () => null,
  ) {
    super();
    this.#cleanups = [
      run.on("progress", () => this.#schedule()),
      run.on("opened", () => this.#change()),
      run.on("solved", () => this.#change()),
      run.on("view", () => this.#said() !== this.#lastSaid && this.#change()),
      lookBack.on("changed", () => this.#change()),
    ];
    this.#update();
  }

  destroy(): void {
    clearTimeout(this.#timer);
    for (const cleanup of this.#cleanups) cleanup();
  }

  /** The last value of a metric that was measured up to the shown unit, or NaN. */
  last(metric: string): number {
    return this.run.series.last(metric, this.#unit);
  }

  /** The values of a metric that were measured up to the shown unit. */
  measured(metric: string): Measurements {
    return this.run.series.measured(metric, this.#unit);
  }

  /** The unit in which the shown value of a metric was measured; null if there is none. */
  unitOf(metric: string): number | null {
    const { series } = this.run;
    return series.units[series.lastRow(metric, this.#unit)] ?? null;
  }

  #schedule(): void {
    if (this.#timer !== undefined) return;
    const wait = Math.max(0, this.#changedAt + CHANGE_MS - performance.now());
    this.#timer = setTimeout(() => this.#change(), wait);
  }

  #change(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changedAt = performance.now();
    this.#update();
    this.#lastSaid = this.#said();
    this.emit("changed", null);
  }

  /** A text that is the same as long as the view adds the same. */
  #said(): string {
    return JSON.stringify(this.said());
  }

  #update(): void {
    this.#unit = this.lookBack.unit ?? this.run.progress.units;
    this.test = latestTest(this.run, this.#unit);
    this.standing = standingOf(this.run, this.#unit);
  }
}

// The test (evaluation) that the page speaks of: the last one up to the unit that is shown. The sentence, the score
// with its curve and the dock all show this test, and change together, rarely enough to be read.

import { Emitter } from "./events";
import { isWorse, latestTest, standingOf, type GoalTest, type Standing } from "./goal";
import type { LookBack } from "./look-back";
import type { Run } from "./run";
import type { Measurements } from "./series";

/** Shortest time between two changes while the run goes on, and between two tests that are shown. */
const CHANGE_MS = 1_000;

export class ShownTest extends Emitter<{ changed: null }> {
  /** The test; null before the first, and without a goal. */
  test: GoalTest | null = null;
  /** How the run stood to its goal after this test. */
  standing: Standing = "open";
  /** Whether the test has become much worse than the run was. */
  isWorse = false;
  /** The unit (training iteration) that is shown: the one that is looked back at, or one of the latest. */
  #unit = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer ends. */
  #dueAt = 0;
  #changedAt = 0;
  /** When another test was shown last. */
  #testChangedAt = -Infinity;
  /** What the view added at the last change, as a text. */
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

  /** Whether the value of the test is at the goal or beyond. Without a test of its own, as long as the run keeps it. */
  get reachesGoal(): boolean {
    if (this.standing === "open") return false;
    return this.test ? this.test.lead >= 0 : this.standing === "solved";
  }

  /** All parts say something else now, such as what a link tells of its sender's agent. */
  refresh(): void {
    this.#change();
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

  /**
   * Plans the next change, unless an earlier one is planned. A new test waits only for the test before it: if that was
   * shown long ago, the new one is shown at once, although other numbers have changed just before.
   */
  #schedule(): void {
    const dueAt = (this.#hasNewTest() ? this.#testChangedAt : this.#changedAt) + CHANGE_MS;
    if (this.#timer !== undefined && dueAt >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => this.#change(), Math.max(0, dueAt - performance.now()));
  }

  #hasNewTest(): boolean {
    const { goal, series } = this.run;
    if (!goal || this.lookBack.unit !== null) return false;
    return series.units[series.lastRow(goal.metric)] !== this.test?.unit;
  }

  #change(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changedAt = performance.now();
    const before = this.test?.unit;
    this.#update();
    if (this.test?.unit !== before) this.#testChangedAt = this.#changedAt;
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
    this.isWorse = isWorse(this.run, this.#unit);
  }
}

// One lane of a race between different numbers of threads (see www/ui/race.ts): a worker trains from the start to the
// goal, and its progress over time is recorded.

import type { Columns, Goal, LabInfo } from "../generated/protocol";
import type { BundleChoice } from "./bundle";
import type { FromWorker } from "./worker-messages";
import type { Settings } from "./link";
import { WorkerLink } from "./worker-link";

/** The run that both lanes train. */
export interface RaceSetup {
  lab: LabInfo;
  settings: Settings;
  seed: number;
  goal: Goal;
}

/** A measurement during the race. */
interface RacePoint {
  /** Time since the start. */
  seconds: number;
  /** The best metric so far: 0 at its first value, 1 at the goal. */
  progress: number;
  units: number;
}

/** The highest progress shown before the learner reports that the goal is reached, which only the learner decides. */
const MAX_UNSOLVED = 0.99;

export class RaceRun {
  readonly points: RacePoint[] = [];
  /** All metrics, to be compared with those of the other lane. */
  readonly rows: Columns = { units: [], values: [] };
  /** When the lane started, by `performance.now()`. */
  startedAt: number | null = null;
  finished: RacePoint | null = null;
  #link: WorkerLink;
  /** Index of the goal's metric among the lab's metrics. */
  #goalColumn: number;
  /** The first finite value of that metric. */
  #firstValue: number | null = null;
  #resolve: (error: Error | null) => void = () => {}; // replaced on the next line
  /** Resolves at the goal or after `stop`, with the error if there was one. */
  readonly done: Promise<Error | null> = new Promise((resolve) => (this.#resolve = resolve));

  constructor(
    choice: BundleChoice,
    readonly threads: number,
    readonly setup: RaceSetup,
  ) {
    this.#goalColumn = setup.lab.about.metrics.findIndex(({ name }) => name === setup.goal.metric);
    this.#link = new WorkerLink({ ...choice, threads }, setup.lab.about.id, (message) => this.#receive(message));
  }

  stop(error: Error | null = null): void {
    this.#link.close();
    this.#resolve(error);
  }

  /** The last measurement up to a time after the start. */
  pointAt(seconds: number): RacePoint {
    const passed = this.points.filter((point) => point.seconds <= seconds);
    return passed.at(-1) ?? { seconds: 0, progress: 0, units: 0 };
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case "ready": {
        const { lab, settings, seed } = this.setup;
        this.#link.send({ type: "start", lab: lab.about.id, settings, seed });
        break;
      }
      case "opened":
        this.startedAt = performance.now();
        this.#link.send({ type: "run", stepsPerSecond: null });
        break;
      case "progress":
        this.#advance(message.metrics, message.progress.units, typeof message.progress.solvedAt === "number");
        break;
      case "refused":
      case "failed":
        this.stop(new Error(message.message));
    }
  }

  /** Takes the metrics of new units; `unitsSoFar` counts all units of the run. */
  #advance(newRows: Columns, unitsSoFar: number, solved: boolean): void {
    if (this.startedAt === null || this.finished) return;
    this.rows.units.push(...newRows.units);
    newRows.values.forEach((column, i) => (this.rows.values[i] ??= []).push(...column));
    const progress = this.#bestProgress(newRows.values[this.#goalColumn] ?? []);
    const seconds = (performance.now() - this.startedAt) / 1000;
    const point = { seconds, progress: solved ? 1 : progress, units: unitsSoFar };
    this.points.push(point);
    if (!solved) return;
    this.finished = point;
    this.stop();
  }

  /**
   * The progress after new values of the goal's metric. It never decreases, and stays below 1 until the goal is
   * reached.
   */
  #bestProgress(newValues: number[]): number {
    const { target } = this.setup.goal;
    let best = this.points.at(-1)?.progress ?? 0;
    for (const value of newValues.filter(Number.isFinite)) {
      this.#firstValue ??= value;
      const distance = target - this.#firstValue;
      if (distance !== 0) best = Math.max(best, Math.min((value - this.#firstValue) / distance, MAX_UNSOLVED));
    }
    return best;
  }
}

/** The number of units that both lanes have trained, or null if any metric differs between them in any bit. */
export function unitsInAgreement(a: RaceRun, b: RaceRun): number | null {
  const n = Math.min(a.rows.units.length, b.rows.units.length);
  // `Object.is` counts NaN, which stands for "not measured", as equal to itself, and tells -0 from 0.
  const same = (x: number[] = [], y: number[] = []) => {
    for (let i = 0; i < n; i++) if (!Object.is(x[i], y[i])) return false;
    return true;
  };
  const identical =
    same(a.rows.units, b.rows.units) && a.rows.values.every((column, i) => same(column, b.rows.values[i]));
  return identical ? n : null;
}

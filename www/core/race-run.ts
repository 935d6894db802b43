// One lane of a race: a worker that trains from the start to the goal with a given number of threads, and records its
// progress over time.

import type { Columns, Goal, LabInfo } from "../generated/protocol";
import type { BundleChoice } from "./bundle";
import type { FromWorker } from "./worker-messages";
import type { Settings } from "./link";
import { WorkerLink } from "./worker-link";

/** What both lanes have in common. */
export interface RaceSetup {
  lab: LabInfo;
  settings: Settings;
  seed: number;
  goal: Goal;
}

/** The progress after some seconds: 0 at the start, 1 at the goal. */
interface RacePoint {
  seconds: number;
  progress: number;
  units: number;
}

export class RaceRun {
  readonly points: RacePoint[] = [];
  /** Everything measured, to be compared with the other lane. */
  readonly rows: Columns = { units: [], values: [] };
  /** The page's clock at the start. */
  startedAt: number | null = null;
  finished: RacePoint | null = null;
  #link: WorkerLink;
  #column: number;
  #first: number | null = null;
  #resolve: (error: Error | null) => void = () => {};
  /** Resolves at the goal or after `stop`, with the error if there was one. */
  readonly done: Promise<Error | null> = new Promise((resolve) => (this.#resolve = resolve));

  constructor(
    choice: BundleChoice,
    readonly threads: number,
    readonly setup: RaceSetup,
  ) {
    this.#column = setup.lab.about.metrics.findIndex(({ name }) => name === setup.goal.metric);
    this.#link = new WorkerLink({ ...choice, threads }, setup.lab.about.id, (message) => this.#receive(message));
  }

  stop(error: Error | null = null): void {
    this.#link.close();
    this.#resolve(error);
  }

  /** The progress after so many seconds. */
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

  #advance({ units, values }: Columns, unit: number, solved: boolean): void {
    if (this.startedAt === null || this.finished) return;
    this.rows.units.push(...units);
    values.forEach((column, i) => (this.rows.values[i] ??= []).push(...column));
    const best = this.#best(values[this.#column] ?? []);
    const seconds = (performance.now() - this.startedAt) / 1000;
    const point = { seconds, progress: solved ? 1 : best, units: unit };
    this.points.push(point);
    if (!solved) return;
    this.finished = point;
    this.stop();
  }

  /** The fraction of the way from the first value to the goal. It never decreases. */
  #best(fresh: number[]): number {
    const { target } = this.setup.goal;
    let best = this.points.at(-1)?.progress ?? 0;
    for (const value of fresh.filter(Number.isFinite)) {
      this.#first ??= value;
      const way = target - this.#first;
      if (way !== 0) best = Math.max(best, Math.min((value - this.#first) / way, 0.99));
    }
    return best;
  }
}

/** The number of units that both lanes measured, or null if any measurement differs. */
export function unitsInAgreement(a: RaceRun, b: RaceRun): number | null {
  const n = Math.min(a.rows.units.length, b.rows.units.length);
  const same = (x: number[] = [], y: number[] = []) => {
    for (let i = 0; i < n; i++) if (!Object.is(x[i], y[i])) return false;
    return true;
  };
  const alike = same(a.rows.units, b.rows.units) && a.rows.values.every((column, i) => same(column, b.rows.values[i]));
  return alike ? n : null;
}

// Trains up to four runs beside each other, each in a worker of its own with a fair share of the processor's cores, or
// one after the other with all of them. The list of the runs is in contenders.ts.

import type { LabInfo } from "../../generated/protocol";
import type { BundleChoice } from "../bundle";
import { CompareRun, type Limits } from "./compare-run";
import { MAX_CONTENDERS, type Contender } from "../contenders";
import { Emitter } from "../events";
import { mayAdvance, type Pacing, type TrainingPoint } from "./pacing";

export interface CompareOptions {
  /** What is equal for runs that train beside each other: their units, their work or their time. */
  pacing: Pacing;
  /** Whether they train one after the other. */
  inTurn: boolean;
  limits: Limits;
}

/** A place among the runs that are compared. */
export interface Lane {
  contender: Contender;
  /** The number of the lane, from 0. It determines the lane's colour and letter. */
  place: number;
  /** The run; null before it is started. */
  run: CompareRun | null;
}

/** `idle` before the start, and `ended` once all runs have ended or were stopped. */
export type CompareState = "idle" | "training" | "paused" | "ended";

interface ComparisonEvents {
  /** Lanes were added or removed, or have new runs. */
  lanes: Lane[];
  /** The state has changed, or a run has progressed. */
  changed: null;
}

export class Comparison extends Emitter<ComparisonEvents> {
  lanes: Lane[] = [];
  state: CompareState = "idle";
  /**
   * The options of the comparison. Pacing applies at once; the limits and `inTurn` apply to runs that start afterwards.
   */
  options: CompareOptions = { pacing: "unit", inTurn: false, limits: { goal: true, units: null, seconds: null } };
  /** The option `inTurn` as it was when the present runs were started. */
  #inTurn = false;

  /** `bundle` computes on the CPU. */
  constructor(
    readonly lab: LabInfo,
    readonly bundle: BundleChoice,
  ) {
    super();
  }

  /** Whether the present runs train one after the other. */
  get inTurn(): boolean {
    return this.#inTurn;
  }

  /** Takes over the list of the runs that are compared. A run that is added while others train joins them. */
  setContenders(contenders: Contender[]): void {
    for (const { contender, run } of this.lanes) if (!contenders.includes(contender)) run?.close();
    const kept = this.lanes.filter(({ contender }) => contenders.includes(contender));
    const added = contenders.filter((contender) => !kept.some((lane) => lane.contender === contender));
    const places = Array.from({ length: MAX_CONTENDERS }, (_, place) => place);
    const free = places.filter((place) => !kept.some((lane) => lane.place === place));
    const lanes = added.map((contender, i): Lane => ({ contender, place: free[i] ?? 0, run: null }));
    this.lanes = [...kept, ...lanes].sort((a, b) => a.place - b.place);
    if (this.lanes.length === 0) this.state = "idle";
    else if (lanes.length > 0 && this.state === "ended") this.state = "paused"; // the new ones have not trained yet
    this.emit("lanes", this.lanes);
    this.#schedule();
  }

  /** Starts all runs anew. */
  start(): void {
    this.#closeAll();
    this.#inTurn = this.options.inTurn;
    this.state = "training";
    this.emit("lanes", this.lanes);
    this.#schedule();
  }

  pause(): void {
    if (this.state !== "training") return;
    this.state = "paused";
    this.#schedule();
  }

  resume(): void {
    if (this.state !== "paused") return;
    this.state = "training";
    this.#schedule();
  }

  /** Ends all runs. What they have recorded stays. */
  stop(): void {
    for (const { run } of this.lanes) run?.close();
    if (this.state !== "idle") this.state = "ended";
    this.emit("changed", null);
  }

  /** Changes the pacing, which takes effect at once. */
  setPacing(pacing: Pacing): void {
    this.options = { ...this.options, pacing };
    this.#schedule();
  }

  destroy(): void {
    this.#closeAll();
  }

  #closeAll(): void {
    for (const lane of this.lanes) {
      lane.run?.close();
      lane.run = null;
    }
  }

  /** Decides what every run may do now. */
  #schedule(): void {
    if (this.state === "training") {
      this.#createRuns();
      if (this.lanes.every(({ run }) => run && run.ending !== null)) this.state = "ended";
    }
    const active = this.lanes.flatMap(({ run }) => (run && run.ending === null ? [run] : []));
    const positions = active.map(({ position }) => position);
    const pacing = this.#inTurn ? "time" : this.options.pacing;
    const allowed = mayAdvance(pacing, positions);
    active.forEach((run, i) => {
      const units = run.position?.units ?? 0;
      const nextUnits = pacing === "time" ? Infinity : units + 1;
      run.allow(this.state === "training" && allowed[i] ? nextUnits : units);
    });
    this.emit("changed", null);
  }

  /** Creates the runs of the lanes that have none: all of them, or only the next one. */
  #createRuns(): void {
    const { lab, bundle } = this;
    for (const lane of this.lanes) {
      if (this.#inTurn && this.lanes.some(({ run }) => run && run.ending === null)) return;
      if (lane.run) continue;
      const threads = this.#inTurn ? bundle.threads : Math.max(1, Math.floor(bundle.threads / this.lanes.length));
      const run = new CompareRun(bundle, threads, { ...lane.contender, lab, limits: this.options.limits });
      lane.run = run;
      run.on("changed", () => this.#schedule());
      const inTurn = this.#inTurn;
      run.on("opened", () => {
        if (inTurn && run.endless)
          run.fail("It has no goal to reach, so the next run would never start. Set a last unit below.");
      });
      this.emit("lanes", this.lanes);
    }
  }
}

/**
 * The lanes whose run reached the goal first by this measure; none as long as another run could still be before them.
 * `isOver` says that no run goes on or begins.
 */
export function firstToTheGoal(lanes: Lane[], axis: keyof TrainingPoint, isOver = false): Lane[] {
  const reachedAt = lanes.map(({ run }) => run?.reached?.[axis] ?? NaN);
  const least = Math.min(...reachedAt.filter((each) => !Number.isNaN(each)));
  const mayBeBefore = ({ run }: Lane) => {
    if (!run) return true;
    const now = axis === "seconds" ? run.seconds : (run.position?.[axis] ?? 0);
    return run.ending === null && !run.reached && now < least;
  };
  if (!isOver && lanes.some(mayBeBefore)) return [];
  return lanes.filter((_, i) => reachedAt[i] === least);
}

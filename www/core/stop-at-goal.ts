// Stops the open run by itself at its goal, which saves the battery of a visitor who has gone away. It stops a run
// once: if the visitor lets it go on, it trains until it is paused. The choice is kept in this browser.

import type { Progress } from "../generated/protocol";
import { Emitter } from "./events";
import { isAtGoal } from "./goal";
import type { Run } from "./run";
import type { Settings } from "./values";

const STORAGE_KEY = "learnery:stop-at-goal";
/** The stored text of a visitor who has switched it off. */
const OFF = "off";

export interface StopEvents {
  /** The run stands at its goal, and waits until the visitor lets it go on. */
  stopped: null;
  /** The run has gone on, or another one was opened. */
  left: null;
  /** The page leads the visitor elsewhere, or no longer: `exception` may be another one. */
  moved: null;
}

export class StopAtGoal extends Emitter<StopEvents> {
  #wanted = load();
  /** Whether the open run had reached its goal by the last progress outside of what leads the visitor elsewhere. */
  #wasAtGoal = false;
  /** True from the request to pause to the news that the run is paused. */
  #isStopping = false;
  /** True from the event `stopped` to `left`. */
  #isStopped = false;
  /** The id of the open run. It stays when the run moves to another worker. */
  #id = "";
  /** The id of a run that belongs to a task with another end than the goal. */
  #ignored: string | null = null;
  /** The settings of such a task, if the next run with them belongs to it. */
  #ignoresNext: Settings | null = null;

  constructor(
    readonly run: Run,
    /** True while the page leads the visitor to something else than the goal. */
    readonly isElsewhere: () => boolean,
  ) {
    super();
    run.on("opened", () => {
      this.#isStopping = false;
      this.#wasAtGoal = isAtGoal(run) && !this.isElsewhere();
      const { id } = run.note;
      if (id === this.#id) return;
      this.#id = id;
      const task = this.#ignoresNext;
      // A visitor may have left the task, and begun something else.
      if (task && Object.entries(task).every(([name, value]) => run.settings[name] === value)) this.#ignored = id;
      this.#ignoresNext = null;
      this.#leave();
    });
    run.on("refused", ({ request }) => request === "start" && (this.#ignoresNext = null));
    run.on("progress", (progress) => this.#follow(progress));
  }

  /** Whether the visitor wants runs to stop at their goal. */
  get wanted(): boolean {
    return this.#wanted;
  }

  set wanted(wanted: boolean) {
    this.#wanted = wanted;
    save(wanted);
    // A visitor who switches it off where it has stopped the run wants that to go on.
    if (wanted || !(this.#isStopped || this.#isStopping)) return;
    this.#isStopping = false;
    this.run.play();
  }

  /**
   * Lets the open run train beyond the goal, because a task asks for more; or the run that is opened next, if that has
   * the settings of the task.
   */
  ignoreGoal({ ofNextRun }: { ofNextRun: Settings | null }): void {
    if (ofNextRun) this.#ignoresNext = ofNextRun;
    else this.#ignored = this.#id;
  }

  /** Called when the page begins or ends to lead the visitor to something else than the goal. */
  moved(): void {
    this.emit("moved", null);
  }

  /**
   * Why the open run would not stop although that is wanted, to be read after "Stop at the goal"; empty if it would.
   */
  get exception(): string {
    if (!this.#wanted || this.#isStopped) return "";
    if (this.#ignored === this.#id || this.isElsewhere()) return "(off in tours and challenges)";
    return this.run.note.passedGoal ? "(off: this run is past its goal)" : "";
  }

  /** Whether the run stands at its goal, and waits until the visitor lets it go on. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Whether the open run stays paused, if the page itself had paused it or opened it again. */
  get staysStopped(): boolean {
    return this.#stopsRuns() && !this.run.note.passedGoal && (this.#isStopped || isAtGoal(this.run));
  }

  /**
   * Lets a run train on that the page itself had paused or opened again, unless it stays stopped. The visitor has not
   * asked for that, so a goal that was reached meanwhile, as by the end of a unit for a save, still stops it.
   */
  resume(): void {
    if (this.#isStopping) return; // the news that it is paused follows
    if (this.staysStopped) this.#stop();
    else this.run.play();
  }

  #stopsRuns(): boolean {
    return this.#wanted && this.#ignored !== this.#id && !this.isElsewhere();
  }

  #stop(): void {
    this.#isStopping = false;
    this.#isStopped = true;
    this.emit("stopped", null);
  }

  #leave(): void {
    this.#isStopped = false;
    this.emit("left", null);
  }

  /** The run goes on beyond its goal, and is not stopped again. */
  #pass(): void {
    this.run.note.passedGoal = true;
    this.#leave();
  }

  #follow({ running }: Progress): void {
    const { run } = this;
    if (this.#isStopping) {
      if (!running) this.#stop();
      return;
    }
    // It was let go on, also if a later test has fallen short of the goal.
    if (running && this.#isStopped) return this.#pass();
    if (run.note.passedGoal || this.isElsewhere()) return;
    const wasAtGoal = this.#wasAtGoal;
    this.#wasAtGoal = isAtGoal(run);
    if (!running || !this.#wasAtGoal) return;
    // A run that the visitor has paused, that has reached its goal by single steps and trains now, was let go on.
    if (wasAtGoal || !this.#stopsRuns()) return this.#pass();
    this.#isStopping = true;
    run.pause();
  }
}

function load(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== OFF;
  } catch {
    return true; // Storage may be forbidden.
  }
}

function save(wanted: boolean): void {
  try {
    if (wanted) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, OFF);
  } catch {
    // Storage may be forbidden; the choice is then forgotten after this visit.
  }
}

// Stops the open run by itself at its goal, which saves the battery of a visitor who has gone away. It stops a run
// once: if the visitor lets it go on, it trains until it is paused. The choice is kept in this browser.

import type { Progress } from "../generated/protocol";
import { Emitter } from "./events";
import { isAtGoal } from "./goal";
import type { Run } from "./run";

const STORAGE_KEY = "learnery:stop-at-goal";
/** The stored text of a visitor who has switched it off. */
const OFF = "off";

export interface StopEvents {
  /** The run stands at its goal, and waits until the visitor lets it go on. */
  stopped: null;
  /** The run has gone on, or another one was opened. */
  left: null;
}

export class StopAtGoal extends Emitter<StopEvents> {
  #wanted = load();
  /** Whether the open run had reached its goal by the last progress. */
  #wasAtGoal = false;
  /** True from the request to pause to the news that the run is paused. */
  #isStopping = false;
  /** True from the event `stopped` to `left`. */
  #isStopped = false;
  /** The id of the open run. It stays when the run moves to another worker. */
  #id = "";
  /** The id of a run that belongs to a task with another end than the goal, and whether the next run belongs to one. */
  #ignored: string | null = null;
  #ignoresNext = false;

  constructor(
    readonly run: Run,
    /** True while the page leads the visitor to something else than the goal. */
    readonly isElsewhere: () => boolean,
  ) {
    super();
    run.on("opened", () => {
      this.#isStopping = false;
      this.#wasAtGoal = isAtGoal(run);
      const { id } = run.note;
      if (id === this.#id) return;
      this.#id = id;
      if (this.#ignoresNext) this.#ignored = id;
      this.#ignoresNext = false;
      this.#leave();
    });
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

  /** Lets the open run, or the one that is opened next, train beyond the goal, because a task asks for more. */
  ignoreNextGoal(): void {
    this.#ignored = this.#id;
    this.#ignoresNext = true;
  }

  /** Whether the open run, if it was opened again, stays paused, because it had stopped at its goal. */
  get staysStopped(): boolean {
    return this.#stopsRuns() && isAtGoal(this.run) && !this.run.note.passedGoal;
  }

  /** Lets a run that was opened again train on, unless it stays stopped. */
  resume(): void {
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

  #follow({ running }: Progress): void {
    const { run } = this;
    if (run.note.passedGoal && !this.#isStopping) return;
    const wasAtGoal = this.#wasAtGoal;
    this.#wasAtGoal = isAtGoal(run);
    if (!running) {
      if (this.#isStopping) this.#stop();
    } else if (this.#wasAtGoal && !this.#isStopping) {
      // A run that was paused at its goal and trains now was let go on.
      if (!wasAtGoal && this.#stopsRuns()) {
        this.#isStopping = true;
        run.pause();
      } else {
        run.note.passedGoal = true;
        this.#leave();
      }
    }
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

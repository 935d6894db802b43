// Saves the open run in the lab's library: every few seconds while it learns, when it is paused, after each unit
// (training iteration) completed while it is paused, and when the page is hidden or closed. Only one tab at a time
// saves the runs of a lab. A run that has diverged (its losses are not numbers) is not saved, so that the last good
// save remains.

import { Emitter } from "./events";
import { isFull } from "./folder";
import { libraryOf } from "./library";
import type { ReplyOf } from "./requests";
import type { Run } from "./run";
import { claimLab } from "./store";

/** How often a run that learns is saved. */
const INTERVAL_MS = 4_000;
/**
 * Leaving a lab waits at most this long for the last save. A run is saved only at the end of a unit (a training
 * iteration), which may take a while.
 */
const MAX_WAIT_MS = 3_000;

export class Autosave extends Emitter<{ saved: ReplyOf<"saved"> }> {
  /** Whether this tab saves the runs of `#lab`; another tab may have claimed them first. */
  #owned: Promise<boolean> | null = null;
  /** The id of the lab that was opened or asked about last. */
  #lab = "";
  /** Units of the last checkpoint of this run that the worker has sent; -1 for none. */
  #receivedUnits = -1;
  /** Units of the last checkpoint of this run that has been written to the storage; -1 for none. */
  #storedUnits = -1;
  /** Resolves when the worker has answered the last save request, to whether it has saved; null if it has answered. */
  #answer: Promise<boolean> | null = null;
  /** Resolves when the last save has been written. */
  #writing: Promise<void> | null = null;
  /** `running` and `units` of the last progress event. */
  #wasRunning = false;
  #lastUnits = 0;

  /** `report` shows a short text about the last save; `full` is true if the storage was full. */
  constructor(
    readonly run: Run,
    readonly report: (text: string, full: boolean) => void,
  ) {
    super();
    run.on("opened", ({ lab }) => {
      this.#receivedUnits = this.#storedUnits = -1;
      this.#answer = null;
      this.#lastUnits = run.progress.units; // it is stored as it was opened
      if (lab !== this.#lab) this.#owned = claimLab(lab);
      this.#lab = lab;
    });
    run.on("progress", ({ running, units }) => {
      // Units are completed while it is paused too: by single steps, or for a save that another part of the page has
      // asked for.
      if (!running && (this.#wasRunning || units !== this.#lastUnits)) this.save();
      this.#wasRunning = running;
      this.#lastUnits = units;
    });
    setInterval(() => this.run.progress.running && this.save(), INTERVAL_MS);
    document.addEventListener("visibilitychange", () => document.hidden && this.save());
    addEventListener("pagehide", () => this.save());
  }

  /** True if this tab saves the runs of the lab. */
  async ownsLab(lab: string): Promise<boolean> {
    if (lab !== this.#lab) {
      this.#lab = lab;
      this.#owned = claimLab(lab);
    }
    return (await this.#owned) ?? false;
  }

  /**
   * Saves the run and waits for it, at most `maxWaitMs`. Call it before the worker is closed. Returns whether the
   * present state of the run is stored, or there is none to store.
   */
  async finish(maxWaitMs = MAX_WAIT_MS): Promise<boolean> {
    const { open } = this.run;
    const { units } = this.run.progress;
    const timeout = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), maxWaitMs));
    // The first answer may be that to an earlier request, with an older state.
    for (let isSaved = true; isSaved && this.#receivedUnits < units;) {
      this.save({ atOnce: true });
      if (!this.#answer) break;
      isSaved = await Promise.race([this.#answer, timeout]);
    }
    await this.#writing;
    return !open || units === 0 || this.#storedUnits >= units;
  }

  /**
   * Saves the run, unless there is nothing new to save. `atOnce`: the visitor leaves it, or it has stopped at its goal,
   * so the rest of the unit may be computed at once.
   */
  save({ atOnce = false } = {}): void {
    const { run } = this;
    const { units, running } = run.progress;
    if (!run.open || run.diverged || units === 0 || units === this.#receivedUnits) return;
    // A run is saved only at the end of a unit. With `wait`, the run gets there at its own pace. Without it, the worker
    // computes the rest of the unit at once, and the picture jumps. Nobody notices that if the run was paused at max
    // speed (`pace` is null), or if the visitor leaves a slower one. At the goal the jump is accepted.
    const wait = run.pace === null ? running : !atOnce;
    // One request is enough while it waits. A request without `wait` is sent all the same, because it hastens the save.
    if (this.#answer && wait) return;
    const answer = run.save({ wait }).then(
      (saved) => {
        this.emit("saved", saved);
        this.#writing = this.#write(saved.bytes, saved.units);
        return true;
      },
      () => false, // the page shows why
    );
    this.#answer = answer;
    void answer.then((isSaved) => {
      if (this.#answer !== answer) return;
      this.#answer = null;
      // Units that were completed while the answer was on its way asked for no save of their own.
      if (isSaved && !run.progress.running) this.save();
    });
  }

  /** Saves a paused run again, for listeners to `saved` that were added after its last save. */
  repeat(): void {
    if (this.run.progress.running) return; // the next save is due soon
    this.#receivedUnits = -1;
    this.save();
  }

  /** Writes a checkpoint into the browser's storage, if this tab saves the lab's runs. */
  async #write(bytes: Uint8Array<ArrayBuffer>, units: number): Promise<void> {
    const { lab, goal } = this.run;
    const note = this.run.currentNote();
    this.#receivedUnits = units;
    if (!lab) return;
    // Another run may have been opened meanwhile. What came of this save is not said of that one.
    const isOpen = () => this.run.note.id === note.id;
    if (!(await this.#owned)) {
      if (!isOpen()) return;
      this.#owned = claimLab(lab.about.id); // the other tab may have been closed by the next save
      this.report("not saved here: another tab saves this lab", false);
      return;
    }
    try {
      await libraryOf(lab).save(bytes, note, goal, { latest: true });
      if (!isOpen()) return;
      this.#storedUnits = units;
      this.report(`saved at ${lab.about.unit} ${units}`, false);
    } catch (error) {
      if (!isOpen()) return;
      const full = isFull(error);
      this.report(full ? "not saved: the browser's storage is full" : "this browser cannot save runs", full);
    }
  }
}

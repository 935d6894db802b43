// The open run as it was at an earlier unit (training iteration): a second, paused run in a worker of its own with one
// thread. It continues the last moment that was kept at that unit or before, and repeats the units up to it, with the changes
// of settings that the open run had there. What it measures on the way is compared with what the open run has measured.

import { Emitter } from "./events";
import { Incoming } from "./incoming";
import type { Moments } from "./moments";
import type { RecipeChange } from "./recipe";
import { Superseded } from "./requests";
import { Run } from "./run";
import type { Series } from "./series";
import type { LabInfo } from "../generated/protocol";

/** The state of the past run: it is being opened, repeats units, has arrived, or has failed. */
export type PastState =
  | { kind: "opening" }
  | { kind: "replaying"; units: number; target: number }
  /** `same` is false if the past run measured something else than the open run did. */
  | { kind: "there"; units: number; same: boolean }
  | { kind: "failed"; message: string };

interface Target {
  units: number;
  /** False to show the last kept moment up to `units`, without repeating anything. */
  replay: boolean;
}

export class PastRun extends Emitter<{ changed: PastState }> {
  /** The run in the second worker. */
  readonly run: Run;
  state: PastState = { kind: "opening" };
  #target: Target | null = null;
  /** Whether the past run is on the way to a target. */
  #busy = false;
  #incoming: Incoming | null = null;
  /** The units of the past run; null until it has been opened. */
  #units: number | null = null;
  /**
   * Whether the change at unit 0 was made when the run was opened, so that unit 0 shows the agent with what it is to learn.
   * It must not be made again then.
   */
  #hasChangedAtZero = false;
  /** Whether the past run has measured the same as the open run since it was opened. */
  #same = true;

  constructor(
    readonly present: Run,
    readonly moments: Moments,
  ) {
    super();
    this.run = new Run({ ...present.cpuBundle, threads: 1 });
  }

  /** This worker would repeat a run on a GPU with other bits, so such a run is shown only as it was kept. */
  get canReplay(): boolean {
    return this.present.device === "cpu";
  }

  /** Goes to a unit. With `replay`, what was not kept is repeated; otherwise the last moment kept up to it is shown. */
  goTo(units: number, replay: boolean): void {
    this.#target = { units, replay: replay && this.canReplay };
    if (!this.#busy) void this.#work();
  }

  /** Ends the worker. */
  close(): void {
    this.#target = null;
    this.#incoming?.close();
    this.#incoming = null;
    this.run.close();
    this.#units = null;
  }

  /** The checkpoint of the shown unit. `seconds` is the time of training up to the last kept moment. */
  async checkpoint(): Promise<{ bytes: Uint8Array<ArrayBuffer>; units: number; seconds: number }> {
    const units = this.#units;
    if (units === null) throw new Error("the earlier moment is still being opened");
    const moment = this.moments.before(units);
    const kept = moment?.units === units ? await this.moments.load(moment) : null;
    const saved = kept ? { bytes: kept, units } : await this.run.save();
    return { bytes: saved.bytes, units: saved.units, seconds: moment?.seconds ?? 0 };
  }

  /** Approaches the target in small tasks. It may change meanwhile. */
  async #work(): Promise<void> {
    this.#busy = true;
    while (this.#target) {
      try {
        await this.#approach(this.#target);
      } catch (error) {
        if (error instanceof Superseded) continue;
        this.close();
        this.#set({ kind: "failed", message: (error as Error).message });
      }
    }
    this.#busy = false;
  }

  /** Does one task on the way to the target. */
  async #approach(target: Target): Promise<void> {
    const { lab } = this.present;
    if (!lab) throw new Error("the run was closed");
    if (!this.run.isReadyFor(lab, this.present.settings)) {
      this.#set({ kind: "opening" });
      await this.#startWorker(lab);
      return;
    }
    const start = this.moments.before(target.units)?.units ?? 0;
    const goal = target.replay ? target.units : start;
    const at = this.#units;
    if (at === null || at > goal || at < start) {
      await this.#open(start, lab);
    } else if (at === goal) {
      this.#target = null;
      this.#set({ kind: "there", units: at, same: this.#same });
    } else {
      this.#set({ kind: "replaying", units: at, target: goal });
      await this.#repeatUnit(at);
    }
  }

  async #startWorker(lab: LabInfo): Promise<void> {
    const incoming = (this.#incoming = new Incoming(this.run.cpuBundle, lab, this.present.settings, () => {}));
    await incoming.fetched;
    await incoming.start();
    if (this.#incoming !== incoming) throw new Superseded();
    this.#incoming = null;
    this.run.adopt(incoming);
  }

  /** Opens the moment that was kept at `units`, or begins the run anew at unit 0. */
  async #open(units: number, lab: LabInfo): Promise<void> {
    const moment = this.moments.before(units);
    this.#units = null;
    this.#hasChangedAtZero = false;
    if (moment) {
      const bytes = await this.moments.load(moment);
      if (!bytes) return; // `load` has dropped the lost moment from the list, so the next try takes the one before
      await this.run.resume(bytes, null);
    } else {
      const { settings, seed } = this.moments.origin ?? this.present.origin();
      await this.run.start(lab, settings, seed);
      // Without its content the change is left out here, and `#repeatUnit` says so.
      const first = this.#changeAt(0);
      if (first && !isContentLost(first)) {
        await this.#makeChange(first);
        this.#hasChangedAtZero = true;
      }
    }
    this.#units = this.run.progress.units;
    this.#same = true;
  }

  /** Repeats the unit after `at`, with the settings, the seed and the data that the run had. */
  async #repeatUnit(at: number): Promise<void> {
    const change = at === 0 && this.#hasChangedAtZero ? undefined : this.#changeAt(at);
    // If a request below fails or is given up, the run may be halfway through the unit. Then it is opened again.
    this.#units = null;
    if (change) await this.#makeChange(change);
    await this.run.finishUnit();
    this.#units = this.run.progress.units;
    this.#same &&= hasMeasuredSame(this.run.series, this.present.series, this.#units);
  }

  #changeAt(units: number): RecipeChange | undefined {
    return this.present.origin().changes.find(({ unit }) => unit === units);
  }

  /** Makes a change that the run has made. */
  async #makeChange(change: RecipeChange): Promise<void> {
    const { run } = this;
    const { settings, seed, data } = change;
    if (Object.keys(settings).length > 0) await run.configure(settings);
    if (seed !== null) await run.reseed(seed);
    if (data === null) return;
    if (isContentLost(change))
      throw new Error(
        "this part of the run learned from data of your own, which are kept only from the next saved moment on",
      );
    await run.setData(data);
  }

  #set(state: PastState): void {
    this.state = state;
    this.emit("changed", state);
  }
}

/** The content of long data, such as a text, is not in the changes, which then hold an empty object (see `startOf`). */
const isContentLost = ({ data }: RecipeChange): boolean => data !== null && Object.keys(data as object).length === 0;

/** Whether two runs have measured the same at a unit; true if one of them has kept no measurement of it. */
function hasMeasuredSame(a: Series, b: Series, unit: number): boolean {
  const [rowOfA, rowOfB] = [a.units.lastIndexOf(unit), b.units.lastIndexOf(unit)];
  if (rowOfA < 0 || rowOfB < 0) return true;
  // `Object.is` counts NaN, which stands for "not measured", as equal to itself.
  return a.values.every((column, metric) => Object.is(column[rowOfA], b.values[metric]?.[rowOfB]));
}

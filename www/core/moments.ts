// Keeps moments of the open run: checkpoints of earlier units (training iterations), from which the timeline looks
// back. They are the checkpoints that the page saves anyway, thinned by core/moment-schedule.ts, so keeping them costs
// learning nothing. A tab that does not save the lab's runs keeps none.
//
// A moment is a whole checkpoint. The file of the network alone would be smaller, but it lacks the optimiser, so the
// run would not continue with the same bits; and the labs control and logic cannot open such a file.

import type { Autosave } from "./autosave";
import { Emitter } from "./events";
import { isFull } from "./folder";
import { MAX_TOTAL_BYTES, isDue, MAX_MOMENTS, MAX_RUN_BYTES, toDrop } from "./moment-schedule";
import {
  momentFile,
  momentFolders,
  readMoments,
  removeMoments,
  writeList,
  writeMoment,
  type MomentFolder,
  type MomentList,
  type StoredMoment,
} from "./moment-store";
import type { RunStart } from "./recipe";
import type { ReplyOf } from "./requests";
import type { Run } from "./run";
import { claimLab } from "./store";

/** A moment that the timeline can look back at. */
export interface Moment extends StoredMoment {
  /** The id of the run that kept it: the open one, or one that it branched from. */
  run: string;
}

/** The open run with its own moments, and how many it may keep. A new object for each run that is opened. */
interface Keeper extends MomentList {
  lab: string;
  id: string;
  /** The most moments that are kept; fewer than usual once the storage was full. */
  maxMoments: number;
  /** The most bytes that the moments may have together. */
  maxBytes: number;
  /** The moments of other runs; null until they have been counted. */
  others: MomentFolder[] | null;
}

/** If a full storage leaves room for fewer moments than this, no more are kept. */
const FEW_MOMENTS = 4;
/** A run that branched from a branch, and so on, is followed back this far. */
const MAX_ANCESTORS = 20;

export class Moments extends Emitter<{ changed: null }> {
  /** The moments of the open run and of those it branched from, in ascending order. */
  list: Moment[] = [];
  /** Why no more moments are kept, as a sentence; empty while they are. */
  problem = "";
  /** The settings and the seed with which the open run began. */
  origin: RunStart | null = null;
  #keeper: Keeper | null = null;
  /** The moments of the runs that the open run branched from, in ascending order. */
  #inherited: Moment[] = [];
  /** Whether the next checkpoint is kept even if none is due. */
  #keepNext = false;
  /** The chain of writes, made one after the other. */
  #work: Promise<unknown> = Promise.resolve();

  /**
   * Autosaves are kept when a moment is due. `replaced` tells the saves of runs that are about to be replaced: always.
   */
  constructor(
    readonly run: Run,
    readonly autosave: Autosave,
    replaced: Emitter<{ saved: ReplyOf<"saved"> }>,
  ) {
    super();
    run.on("opened", () => this.#begin());
    autosave.on("saved", ({ units, bytes }) => this.#isDue() && this.keep(units, bytes));
    replaced.on("saved", ({ units, bytes }) => this.keep(units, bytes));
    // One wants to look back at a change of settings, and at the goal.
    run.on("configured", () => (this.#keepNext = true));
    run.on("solved", () => {
      this.#keepNext = true;
      autosave.save();
    });
    if (!run.open) return;
    this.#begin();
    // A short run may have ended, and have been saved, before this module was loaded.
    autosave.repeat();
  }

  /** The bytes of the open run's own moments. */
  get ownBytes(): number {
    return this.#keeper?.moments.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
  }

  /** The first unit that can be looked back at; null if there is none. */
  get first(): number | null {
    return startsAtZero(this.run) ? 0 : (this.list[0]?.units ?? null);
  }

  /** The last moment up to a unit; null if the run has to be repeated from its start. */
  before(units: number): Moment | null {
    return this.list.findLast((moment) => moment.units <= units) ?? null;
  }

  /** The checkpoint of a moment, or null if it is lost. */
  async load({ run, units }: Moment): Promise<Uint8Array<ArrayBuffer> | null> {
    const file = this.#keeper && (await momentFile(this.#keeper.lab, run, units));
    if (file) return new Uint8Array(await file.arrayBuffer());
    const isOther = (moment: { units: number }) => moment.units !== units;
    this.#inherited = this.#inherited.filter(isOther);
    if (this.#keeper) {
      this.#keeper.moments = this.#keeper.moments.filter(isOther);
      this.#updateList(this.#keeper);
    }
    return null;
  }

  /** Prepares for the run that was opened. */
  #begin(): void {
    const { lab, note, progress } = this.run;
    if (!lab) return;
    const id = lab.about.id;
    const keeper: Keeper = {
      lab: id,
      id: note.id,
      parent: note.parent,
      moments: [],
      maxMoments: MAX_MOMENTS,
      maxBytes: MAX_RUN_BYTES,
      others: null,
    };
    this.#keeper = keeper;
    this.#keepNext = false;
    this.origin = this.run.origin();
    [this.list, this.#inherited, this.problem] = [[], [], ""];
    this.emit("changed", null);
    this.#enqueue(async () => {
      const own = await readMoments(id, note.id);
      // Moments after the present unit belong to a future that may not come again.
      keeper.moments.push(...own.moments.filter(({ units }) => units <= progress.units));
      const inherited = await ancestorsMoments(id, note.parent);
      if (this.#keeper === keeper) this.#inherited = inherited;
      this.#updateList(keeper);
    });
  }

  /** Whether the next autosave is kept as a moment. */
  #isDue(): boolean {
    const last = this.list.at(-1)?.seconds ?? 0;
    return this.#keepNext || isDue(last, this.run.seconds());
  }

  /** Keeps a checkpoint of the open run as a moment. */
  keep(units: number, bytes: Uint8Array): void {
    const keeper = this.#keeper;
    const seconds = this.run.seconds();
    // A run that was started here can be repeated from its start. A branch, or a run that was opened from a file, can
    // be looked back at only from its first moment on, so the first one must stay.
    const keepFirst = !startsAtZero(this.run) || keeper?.parent !== null;
    this.#keepNext = false;
    if (!keeper || this.problem) return;
    const owned = claimLab(keeper.lab);
    this.#enqueue(async () => {
      if (!(await owned)) {
        this.#stop(keeper, "Another tab keeps the moments of this lab.");
        return;
      }
      const moment = { units, bytes: bytes.length, seconds };
      await this.#store(keeper, moment, bytes, keepFirst);
      this.#updateList(keeper);
    });
  }

  /** Saves the open run, and keeps it as a moment, so that it can be looked back at without repeating anything. */
  async keepPresent(): Promise<void> {
    const { units, bytes } = await this.run.save();
    if (this.list.at(-1)?.units !== units) this.keep(units, bytes);
    await this.#work;
  }

  /** Stores a moment. In a full storage, half of the run's moments make room for it. */
  async #store(keeper: Keeper, moment: StoredMoment, bytes: Uint8Array, keepFirst: boolean): Promise<void> {
    try {
      await writeMoment(keeper.lab, keeper.id, moment.units, bytes);
      const others = keeper.moments.filter(({ units }) => units !== moment.units);
      keeper.moments = [...others, moment].sort((a, b) => a.units - b.units);
      await this.#thin(keeper, keepFirst);
      await makeRoom(keeper);
    } catch (error) {
      if (!isFull(error)) {
        this.#stop(keeper, "This browser cannot keep moments.");
        return;
      }
      keeper.maxMoments = Math.floor(keeper.moments.length / 2);
      if (keeper.maxMoments < FEW_MOMENTS) {
        this.#stop(keeper, "The browser's storage is full, so no more moments are kept.");
        return;
      }
      await this.#thin(keeper, keepFirst).catch(() => {}); // the next try says what is wrong
      await this.#store(keeper, moment, bytes, keepFirst);
    }
  }

  /** Drops the moments that are too many, and writes the list, which removes the files of all others. */
  async #thin(keeper: Keeper, keepFirst: boolean): Promise<void> {
    const dropped = new Set(toDrop(keeper.moments, keepFirst, keeper.maxMoments, keeper.maxBytes));
    keeper.moments = keeper.moments.filter(({ units }) => !dropped.has(units));
    await writeList(keeper.lab, keeper.id, { parent: keeper.parent, moments: keeper.moments });
  }

  #stop(keeper: Keeper, problem: string): void {
    if (this.#keeper !== keeper) return;
    this.problem = problem;
    this.emit("changed", null);
  }

  /** Puts the inherited and the own moments into `list`. Does nothing if another run has been opened meanwhile. */
  #updateList(keeper: Keeper): void {
    if (this.#keeper !== keeper) return;
    const own = keeper.moments.map((moment) => ({ ...moment, run: keeper.id }));
    const first = own[0]?.units ?? Infinity;
    this.list = [...this.#inherited.filter(({ units }) => units < first), ...own];
    this.emit("changed", null);
  }

  #enqueue(task: () => Promise<void>): void {
    this.#work = this.#work.then(task).catch(() => {}); // a task that fails must not stop those after it
  }
}

/** The moments of the runs that a run branched from, up to where it did. */
async function ancestorsMoments(lab: string, parent: MomentList["parent"]): Promise<Moment[]> {
  const found: Moment[] = [];
  let branchedAt = Infinity;
  for (let i = 0; parent && i < MAX_ANCESTORS; i++) {
    const { id } = parent;
    // An ancestor counts only up to the earliest unit at which the line of branches has left it.
    branchedAt = Math.min(branchedAt, parent.units);
    const lastUnit = branchedAt;
    const list = await readMoments(lab, id);
    found.push(...list.moments.filter(({ units }) => units <= lastUnit).map((moment) => ({ ...moment, run: id })));
    parent = list.parent;
  }
  // Of several moments at the same unit, the map keeps the last one, which is that of the oldest run.
  const byUnit = new Map(found.map((moment) => [moment.units, moment]));
  return [...byUnit.values()].sort((a, b) => a.units - b.units);
}

/** Whether the metrics reach back to the first unit, so that the run can be repeated from its start. */
function startsAtZero({ series, progress, networkSince }: Run): boolean {
  // A network that was put into the run is not in its settings.
  if (networkSince !== null) return false;
  // A run without rows counts only if it is at unit 0 itself.
  const [first = progress.units + 1, second = first + 1] = series.units;
  // A long run keeps only the rows at multiples of a power of two. Its history is complete if its first row is as close
  // to unit 0 as its rows are to each other.
  return first <= second - first;
}

/** Removes the moments of other runs, the oldest first, while all moments together take too much room. */
async function makeRoom(keeper: Keeper): Promise<void> {
  keeper.others ??= (await momentFolders())
    .filter(({ lab, run }) => lab !== keeper.lab || run !== keeper.id)
    .sort((a, b) => rank(a, keeper) - rank(b, keeper));
  const size = (list: { bytes: number }[]) => list.reduce((sum, { bytes }) => sum + bytes, 0);
  while (keeper.others.length > 0 && size(keeper.moments) + size(keeper.others) > MAX_TOTAL_BYTES) {
    const [oldest] = keeper.others.splice(0, 1);
    if (oldest) await removeMoments(oldest.lab, oldest.run).catch(() => {}); // they are removed another time
  }
}

/** Moments with lower ranks are removed first: those that were kept longest ago, and the parent's after all others. */
function rank(folder: MomentFolder, keeper: Keeper): number {
  return folder.changedAt + (folder.run === keeper.parent?.id ? Number.MAX_SAFE_INTEGER / 2 : 0);
}

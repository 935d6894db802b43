// The library: all runs of a lab that the browser keeps. Each has a folder `learnery/<lab>/runs/<id>/` in the
// origin-private file system (OPFS) with its last checkpoint `run.safetensors`, its metadata `run.json`, and earlier
// checkpoints for the timeline in `moments/`. The file `latest.id` beside the runs names the run that the next visit
// continues. Listing the runs reads only their metadata.

import type { Goal, LabInfo } from "../generated/protocol";
import { metadataOfCheckpoint } from "./checkpoint-metadata";
import { openChannel } from "./channel";
import { Emitter } from "./events";
import { fileIn, folderBytes, isFull, labFolder, remove, textIn, writeFile, type Folder } from "./folder";
import { inOrder, overBudget, removable, totalBytes, type KeptRun } from "./library-budget";
import { cleanName, readMetadata, type RunMetadata } from "./run-metadata";
import { isRunId, newNote, readNote, type RunNote, type SavedRun } from "./store";
import { isObject } from "./unknown";

/** A run that is replaced by another is kept only if it has at least this many units (training iterations). */
export const MIN_UNITS_TO_KEEP = 3;

const RUN_FILE = "run.safetensors";
const METADATA_FILE = "run.json";
const LATEST_FILE = "latest.id";
/** The folder of the earlier checkpoints that the timeline of a run looks back at. */
const MOMENTS_FOLDER = "moments";

/** Earlier versions kept two runs of a lab, each in a slot of its own. */
const OLD_SLOTS = ["previous", "latest"];

interface LibraryEvents {
  /** Runs were added, changed or removed, here or in another tab. */
  changed: null;
  /** Runs were removed to make room; `full` if that was because the storage is full. */
  removed: { runs: KeptRun[]; full: boolean };
}

/** Metadata that the visitor or the page adds to a saved run. */
export type MetadataUpdate = Partial<Pick<RunMetadata, "name" | "pinned" | "fingerprint">>;

export class Library extends Emitter<LibraryEvents> {
  /** The ids of runs in use, which are never removed to make room: the open run, and one that is being written. */
  readonly inUse = new Set<string>();
  /** Changes are made one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  /** The run that `latest.id` names, once this tab has written it. */
  #latest: string | null = null;
  /** Names that runs get when they are saved for the first time. */
  #names = new Map<string, string>();
  /** Runs that were too short to be kept; a save that is still under way does not bring them back. */
  #discarded = new Set<string>();

  /**
   * `headline` is the metric of the curve of a run whose goal is not known. `folder` opens the lab's folder, and
   * `freeBytes` says how much can still be written.
   */
  constructor(
    readonly lab: string,
    readonly headline: string,
    readonly folder: () => Promise<Folder> = () => labFolder(lab),
    readonly freeBytes: () => Promise<number> = estimateFreeBytes,
  ) {
    super();
  }

  /** All runs, in the order in which the page lists them. */
  async list(): Promise<KeptRun[]> {
    const runs = await this.#runs(false);
    if (!runs) return [];
    const found: Promise<KeptRun | null>[] = [];
    for await (const id of runs.keys()) if (isRunId(id)) found.push(this.#find(runs, id));
    return inOrder((await Promise.all(found)).filter((run) => run !== null));
  }

  /** A run's metadata and size, or null if it is not kept. */
  async find(id: string): Promise<KeptRun | null> {
    const runs = await this.#runs(false);
    return runs && this.#find(runs, id);
  }

  /** A run's checkpoint with its note, or null if it is not kept. */
  async load(id: string): Promise<SavedRun | null> {
    try {
      const folder = await this.#folderOf(id);
      const file = folder && (await fileIn(folder, RUN_FILE));
      if (!file) return null;
      const metadata = readMetadata(await textIn(folder, METADATA_FILE), id);
      const bytes = new Uint8Array(await file.arrayBuffer());
      return { bytes, savedAt: metadata?.savedAt ?? file.lastModified, note: metadata?.note ?? { ...newNote(), id } };
    } catch {
      return null; // removed meanwhile, or damaged
    }
  }

  /** The id of the run that the next visit continues; null if there is none. */
  async latest(): Promise<string | null> {
    const folder = await this.folder().catch(() => null);
    const id = folder && (await textIn(folder, LATEST_FILE));
    return isRunId(id) ? id : null;
  }

  /** The run that the next visit continues; null if there is none. */
  async loadLatest(): Promise<SavedRun | null> {
    const id = await this.latest();
    return id === null ? null : this.load(id);
  }

  /**
   * Saves a run in place of its save before. The name and the pin stay. If the storage is full, the oldest other runs
   * are removed; if that does not help either, this throws a `QuotaExceededError`. With `latest` the next visit
   * continues this run.
   */
  save(bytes: Uint8Array<ArrayBuffer>, note: RunNote, goal: Goal | null, { latest = false } = {}): Promise<void> {
    return this.#inTurn(async () => {
      const { id } = note;
      if (this.#discarded.has(id)) return;
      const metadata = await metadataOfCheckpoint(bytes, { goal, headline: this.headline, note, savedAt: Date.now() });
      if (!metadata) return;
      const before = await this.find(id);
      // A run that was only looked at keeps the time of its last save.
      if (!before || !sameState(before.metadata, metadata))
        await this.#write(id, bytes, metadata, before?.metadata ?? null);
      if (latest && this.#latest !== id) {
        await writeFile(await this.folder(), LATEST_FILE, id);
        this.#latest = id;
      }
      if (!before) await this.#keepWithinBudget(id);
    });
  }

  /** Adds a checkpoint file as a run of its own, and returns this run. Null if the file is no checkpoint. */
  import(bytes: Uint8Array<ArrayBuffer>, name: string | null): Promise<KeptRun | null> {
    return this.#inTurn(async () => {
      const supplied = { goal: null, headline: this.headline, note: null, savedAt: Date.now() };
      const metadata = await metadataOfCheckpoint(bytes, supplied);
      if (!metadata) return null;
      const { id } = metadata.note;
      await this.#write(id, bytes, { ...metadata, name: name && cleanName(name) }, null);
      await this.#keepWithinBudget(id);
      return this.find(id);
    });
  }

  /** Gives a run a name with its first save. */
  nameOnSave(id: string, name: string): void {
    const clean = cleanName(name);
    if (clean !== null) this.#names.set(id, clean);
  }

  /** Renames or pins a run, or adds its fingerprint. */
  update(id: string, update: MetadataUpdate): Promise<void> {
    return this.#inTurn(async () => {
      const run = await this.find(id);
      const folder = run && (await this.#folderOf(id));
      if (folder) await writeFile(folder, METADATA_FILE, JSON.stringify({ ...run.metadata, ...update }));
    });
  }

  delete(id: string): Promise<void> {
    return this.#inTurn(() => this.#remove(id));
  }

  /** Removes a run that is being replaced and too short to be kept, unless the visitor has named or pinned it. */
  discardIfShort(id: string): Promise<void> {
    return this.#inTurn(async () => {
      const metadata = (await this.find(id))?.metadata;
      if (metadata && (metadata.units >= MIN_UNITS_TO_KEEP || metadata.pinned || metadata.name !== null)) return;
      this.#discarded.add(id);
      await this.#remove(id);
    });
  }

  /** Moves the runs that an earlier version has saved in slots into the library. */
  adoptOldSlots(): Promise<void> {
    return this.#inTurn(async () => {
      const folder = await this.folder().catch(() => null);
      for (const slot of folder ? OLD_SLOTS : []) await this.#adoptSlot(folder as Folder, slot);
    });
  }

  async #adoptSlot(folder: Folder, slot: string): Promise<void> {
    const file = await fileIn(folder, `${slot}.safetensors`);
    if (!file) return;
    const stored = parseJson(await textIn(folder, `${slot}.json`));
    const note = readNote(stored);
    // A slot that is adopted a second time, because the tab was closed meanwhile, must lead to the same run.
    const id = note && isObject(stored) && isRunId(stored["id"]) ? note.id : `earlier-${slot}`;
    const bytes = new Uint8Array(await file.arrayBuffer());
    const supplied = { goal: null, headline: this.headline, note: note && { ...note, id }, savedAt: file.lastModified };
    const metadata = await metadataOfCheckpoint(bytes, supplied);
    if (metadata) {
      await this.#write(id, bytes, metadata, null);
      if (slot === "latest") await writeFile(folder, LATEST_FILE, id);
    }
    await remove(folder, `${slot}.safetensors`);
    await remove(folder, `${slot}.json`);
  }

  /** Writes a run, and removes old ones if there is no room for it. */
  async #write(id: string, bytes: Uint8Array, metadata: RunMetadata, before: RunMetadata | null): Promise<void> {
    const runs = await this.#runs(true);
    const folder = await (runs as Folder).getDirectoryHandle(id, { create: true });
    const wasInUse = this.inUse.has(id);
    this.inUse.add(id);
    try {
      // If the tab is closed between the two files, the fingerprint must not belong to an earlier state.
      if (before?.fingerprint) await writeFile(folder, METADATA_FILE, JSON.stringify({ ...before, fingerprint: null }));
      await this.#writeMakingRoom(bytes.length, () => writeFile(folder, RUN_FILE, bytes));
      const merged: RunMetadata = {
        ...metadata,
        name: before ? before.name : (this.#names.get(id) ?? metadata.name),
        pinned: before?.pinned ?? metadata.pinned,
      };
      // The few bytes of the metadata are not worth a count; any run that is removed makes room for them.
      await this.#writeMakingRoom(0, () => writeFile(folder, METADATA_FILE, JSON.stringify(merged)));
    } catch (error) {
      if (!before && !(await fileIn(folder, RUN_FILE))) await removeUnwritten(runs as Folder, folder, id);
      throw error;
    } finally {
      if (!wasInUse) this.inUse.delete(id);
    }
  }

  /**
   * Calls `write`, which needs `neededBytes` of storage. While the storage is full, it removes the oldest run and tries
   * again.
   */
  async #writeMakingRoom(neededBytes: number, write: () => Promise<void>): Promise<void> {
    const removed: KeptRun[] = [];
    try {
      for (;;) {
        try {
          await write();
          return;
        } catch (error) {
          if (!isFull(error)) throw error;
          const candidates = removable(await this.list(), this.inUse);
          const [oldest] = candidates;
          // Nothing is removed if even without all these runs there would not be enough room.
          if (!oldest || (await this.freeBytes()) + totalBytes(candidates) < neededBytes) throw error;
          await this.#remove(oldest.id);
          removed.push(oldest);
        }
      }
    } finally {
      if (removed.length > 0) this.emit("removed", { runs: removed, full: true });
    }
  }

  /** Removes the oldest runs beyond the budget, but not the run `added`. */
  async #keepWithinBudget(added: string): Promise<void> {
    const excess = overBudget(await this.list(), new Set([...this.inUse, added]));
    for (const run of excess) await this.#remove(run.id);
    if (excess.length > 0) this.emit("removed", { runs: excess, full: false });
  }

  async #remove(id: string): Promise<void> {
    const runs = await this.#runs(false);
    if (runs) await remove(runs, id);
  }

  /** The folder of all runs; null if there is none, or this browser saves nothing. */
  async #runs(create: boolean): Promise<Folder | null> {
    try {
      return await (await this.folder()).getDirectoryHandle("runs", { create });
    } catch (error) {
      if (create) throw error;
      return null;
    }
  }

  async #folderOf(id: string): Promise<Folder | null> {
    const runs = await this.#runs(false);
    return runs && runs.getDirectoryHandle(id).catch(() => null);
  }

  async #find(runs: Folder, id: string): Promise<KeptRun | null> {
    try {
      const folder = await runs.getDirectoryHandle(id);
      const [file, metadataFile, momentsBytes] = await Promise.all([
        fileIn(folder, RUN_FILE),
        fileIn(folder, METADATA_FILE),
        folder.getDirectoryHandle(MOMENTS_FOLDER).then(folderBytes, () => 0),
      ]);
      if (!file) return null;
      const supplied = { goal: null, headline: this.headline, note: null, savedAt: file.lastModified };
      const metadata =
        readMetadata((await metadataFile?.text()) ?? null, id) ?? (await metadataOfCheckpoint(file, supplied));
      const bytes = file.size + (metadataFile?.size ?? 0) + momentsBytes;
      return metadata && { id, metadata: { ...metadata, note: { ...metadata.note, id } }, bytes };
    } catch {
      return null; // removed meanwhile
    }
  }

  /**
   * Does `work` after all earlier changes, then tells that something has changed, even if `work` has failed halfway.
   */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.then(
      () => this.emit("changed", null),
      () => this.emit("changed", null),
    );
    return result;
  }

  /** Lets everybody who shows the runs look again, for example because another tab has changed something. */
  refresh(): void {
    this.#latest = null;
    this.emit("changed", null);
  }
}

/** True if two saves of a run have the same units, changes, settings and goal. */
function sameState(a: RunMetadata, b: RunMetadata): boolean {
  const state = ({ units, changes, settings, goal }: RunMetadata) => JSON.stringify([units, changes, settings, goal]);
  return state(a) === state(b);
}

/** Removes the folder of a run that could not be written, unless there is something else in it. */
async function removeUnwritten(runs: Folder, folder: Folder, id: string): Promise<void> {
  await remove(folder, RUN_FILE).catch(() => {}); // the file need not be there
  await runs.removeEntry(id).catch(() => {}); // refused if the folder is not empty
}

/** The value of a JSON text; null if there is no text or it is not JSON. */
function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/** The bytes that the browser still lets this site write. */
async function estimateFreeBytes(): Promise<number> {
  try {
    const { quota = Infinity, usage = 0 } = await navigator.storage.estimate();
    return quota - usage;
  } catch {
    return Infinity; // an old browser, which cannot say it
  }
}

/** The libraries of this page by lab. */
const libraries = new Map<string, Library>();

/** The library of a lab. Its tabs tell each other about changes. */
export function libraryOf({ about }: Pick<LabInfo, "about">): Library {
  const known = libraries.get(about.id);
  if (known) return known;
  const library = new Library(about.id, about.charts[0] ?? "");
  libraries.set(about.id, library);
  // Without a channel, another tab sees a change when it looks the next time.
  const channel = openChannel(`learnery-runs-${about.id}`);
  if (channel) {
    // `refresh` emits "changed" for a change that another tab has made. Sent back, it would go round for ever.
    let isRefreshing = false;
    channel.onmessage = () => {
      isRefreshing = true;
      library.refresh();
      isRefreshing = false;
    };
    library.on("changed", () => !isRefreshing && channel.postMessage(null));
  }
  return library;
}

/** The units (training iterations) of the run that a lab's next visit continues; null if there is none. */
export async function savedUnits(lab: string): Promise<number | null> {
  try {
    const folder = await labFolder(lab, false);
    const library = new Library(lab, "", () => Promise.resolve(folder));
    const id = await library.latest();
    if (id !== null) return (await library.find(id))?.metadata.units ?? null;
    // A run that an earlier version has saved in a slot. Only its units are read, so the other metadata do not matter.
    const oldSlot = await fileIn(folder, "latest.safetensors");
    const supplied = { goal: null, headline: "", note: null, savedAt: 0 };
    return (oldSlot && (await metadataOfCheckpoint(oldSlot, supplied)))?.units ?? null;
  } catch {
    return null; // Nothing was saved, or this browser saves nothing.
  }
}

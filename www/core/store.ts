// Saves runs in the browser's origin-private file system, in one folder per lab. The slot `latest` holds the lab's run,
// `previous` the run that it replaced. A lock lets only one tab at a time save a lab's runs.

export type SaveSlot = "latest" | "previous";

/** What a checkpoint file does not contain, saved beside it. */
export interface RunNote {
  /** Running time of the run over all visits. */
  seconds: number;
  /** Running time and work (such as environment steps or tokens) when the goal was reached; null before. */
  solvedSeconds: number | null;
  solvedWork: number | null;
}

export interface SavedRun {
  bytes: Uint8Array;
  /** Milliseconds since 1970. */
  savedAt: number;
  note: RunNote | null;
}

async function labFolder(lab: string): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  const all = await root.getDirectoryHandle("learnery", { create: true });
  return all.getDirectoryHandle(lab, { create: true });
}

/** Writes a file atomically: the browser replaces the old file when the stream is closed. */
async function writeFile(dir: FileSystemDirectoryHandle, name: string, data: Uint8Array | string): Promise<void> {
  const handle = await dir.getFileHandle(name, { create: true });
  const writable = await handle.createWritable();
  await writable.write(data as FileSystemWriteChunkType);
  await writable.close();
}

/** Saves a run in a slot of its lab, in place of the one before. */
export async function saveRun(lab: string, slot: SaveSlot, bytes: Uint8Array, note: RunNote | null): Promise<void> {
  const dir = await labFolder(lab);
  await writeFile(dir, `${slot}.safetensors`, bytes);
  await writeFile(dir, `${slot}.json`, JSON.stringify(note));
}

/** The run in a slot of a lab, or null if there is none. */
export async function loadRun(lab: string, slot: SaveSlot): Promise<SavedRun | null> {
  try {
    const dir = await labFolder(lab);
    const file = await (await dir.getFileHandle(`${slot}.safetensors`)).getFile();
    if (file.size === 0) return null;
    const bytes = new Uint8Array(await file.arrayBuffer());
    const text = await dir
      .getFileHandle(`${slot}.json`)
      .then((h) => h.getFile())
      .then(
        (f) => f.text(),
        () => "null",
      );
    return { bytes, savedAt: file.lastModified, note: readNote(text) };
  } catch {
    return null; // Nothing was saved, or this browser saves nothing (private windows).
  }
}

/** Reads a note, or returns null if it is missing or damaged. The run can be continued without it. */
function readNote(text: string): RunNote | null {
  try {
    const note = JSON.parse(text) as RunNote | null;
    return note && typeof note.seconds === "number" ? note : null;
  } catch {
    return null;
  }
}

/**
 * Tries to become the tab that saves this lab's runs. The lock is held until the tab is closed. Where there are no
 * locks, or they are forbidden, every tab saves.
 */
export async function claimLab(lab: string): Promise<boolean> {
  try {
    return await new Promise((resolve, reject) => {
      navigator.locks
        .request(`learnery:${lab}`, { ifAvailable: true }, (lock) => {
          resolve(lock !== null);
          // A promise that never resolves holds the lock.
          return lock ? new Promise(() => {}) : undefined;
        })
        .catch(reject);
    });
  } catch {
    return true;
  }
}

// Where runs survive a reload: the origin-private file system, one folder a lab. `latest` is the run of
// this lab, `previous` the one a link pushed aside. A lock lets one tab at a time write.

export type SaveSlot = "latest" | "previous";

/** What the checkpoint file does not say, kept beside it. */
export interface RunNote {
  seconds: number;
  solvedSeconds: number | null;
  solvedWork: number | null;
}

export interface SavedRun {
  bytes: Uint8Array;
  savedAt: number;
  note: RunNote | null;
}

async function labFolder(lab: string): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  const all = await root.getDirectoryHandle("learnery", { create: true });
  return all.getDirectoryHandle(lab, { create: true });
}

/** Writes whole or not at all: the browser swaps the file in when it is closed. */
async function writeFile(dir: FileSystemDirectoryHandle, name: string, data: Uint8Array | string): Promise<void> {
  const handle = await dir.getFileHandle(name, { create: true });
  const writable = await handle.createWritable();
  await writable.write(data as FileSystemWriteChunkType);
  await writable.close();
}

export async function saveRun(lab: string, slot: SaveSlot, bytes: Uint8Array, note: RunNote | null): Promise<void> {
  const dir = await labFolder(lab);
  await writeFile(dir, `${slot}.safetensors`, bytes);
  await writeFile(dir, `${slot}.json`, JSON.stringify(note));
}

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
    return null; // nothing kept, or this browser keeps nothing (private windows)
  }
}

function readNote(text: string): RunNote | null {
  try {
    const note = JSON.parse(text);
    return note && typeof note.seconds === "number" ? note : null;
  } catch {
    return null;
  }
}

/** Tries to become the tab that saves this lab; the lock lasts as long as the tab. */
export function claimLab(lab: string): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    navigator.locks
      .request(`learnery:${lab}`, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock ? new Promise(() => {}) : undefined;
      })
      .catch(() => resolve(true));
  });
}

// Where runs survive a reload: the origin-private file system, one folder a lab. `latest` is the run of
// this lab, `previous` the one a link pushed aside. A lock lets one tab at a time write.

export type Slot = "latest" | "previous";

/** What the checkpoint file does not say, kept beside it. */
export interface Note {
  seconds: number;
  solvedSeconds: number | null;
  solvedWork: number | null;
}

export interface Kept {
  bytes: Uint8Array;
  when: number;
  note: Note | null;
}

async function folder(lab: string): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  const all = await root.getDirectoryHandle("learnery", { create: true });
  return all.getDirectoryHandle(lab, { create: true });
}

/** Writes whole or not at all: the browser swaps the file in when it is closed. */
async function put(dir: FileSystemDirectoryHandle, name: string, data: Uint8Array | string): Promise<void> {
  const handle = await dir.getFileHandle(name, { create: true });
  const writable = await handle.createWritable();
  await writable.write(data as FileSystemWriteChunkType);
  await writable.close();
}

export async function keep(lab: string, slot: Slot, bytes: Uint8Array, note: Note | null): Promise<void> {
  const dir = await folder(lab);
  await put(dir, `${slot}.safetensors`, bytes);
  await put(dir, `${slot}.json`, JSON.stringify(note));
}

export async function recall(lab: string, slot: Slot): Promise<Kept | null> {
  try {
    const dir = await folder(lab);
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
    return { bytes, when: file.lastModified, note: readNote(text) };
  } catch {
    return null; // nothing kept, or this browser keeps nothing (private windows)
  }
}

function readNote(text: string): Note | null {
  try {
    const note = JSON.parse(text);
    return note && typeof note.seconds === "number" ? note : null;
  } catch {
    return null;
  }
}

/** Tries to become the tab that saves this lab; the lock lasts as long as the tab. */
export function claim(lab: string): Promise<boolean> {
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

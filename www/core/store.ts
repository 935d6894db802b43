// Saves runs in the browser's origin-private file system, in one folder per lab. The slot `latest` holds the lab's run,
// `previous` the run that it replaced. A lock lets only one tab at a time save a lab's runs.

import { readHeader } from "./checkpoint";

export type SaveSlot = "latest" | "previous";

/** What a checkpoint file does not contain, saved beside it. */
export interface RunNote {
  /** Identifies the run among all runs of this browser; a resumed run keeps it. */
  id: string;
  /** The run that this one branched from, and at which unit; null for a run that started anew. */
  parent: { id: string; units: number } | null;
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

/** A saved run's header is smaller than this, so that the rest of its file need not be read for it. */
const MAX_HEADER_BYTES = 1 << 20;

/** The units (training iterations) of a lab's saved run, or null if there is none. Creates nothing. */
export async function savedUnits(lab: string): Promise<number | null> {
  try {
    const root = await navigator.storage.getDirectory();
    const dir = await (await root.getDirectoryHandle("learnery")).getDirectoryHandle(lab);
    const file = await (await dir.getFileHandle("latest.safetensors")).getFile();
    return readHeader(new Uint8Array(await file.slice(0, MAX_HEADER_BYTES).arrayBuffer()))?.units ?? null;
  } catch {
    return null; // Nothing was saved, or this browser saves nothing.
  }
}

/** The note of a run that starts. */
export function newNote(): RunNote {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return {
    id: `${high?.toString(36)}${low?.toString(36)}`,
    parent: null,
    seconds: 0,
    solvedSeconds: null,
    solvedWork: null,
  };
}

/** Reads a note, or returns null if it is missing or damaged. The run can be continued without it. */
function readNote(text: string): RunNote | null {
  try {
    const note = JSON.parse(text) as Partial<RunNote> | null;
    // Notes of earlier versions have no `id`.
    return note && typeof note.seconds === "number" ? { ...newNote(), ...note } : null;
  } catch {
    return null;
  }
}

/** The labs whose runs this tab saves. */
const claimed = new Set<string>();

/** Tries to become the tab that saves this lab's runs. The lock is held until the tab is closed. */
export function claimLab(lab: string): Promise<boolean> {
  if (claimed.has(lab)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const claim = (lock: Lock | null) => {
      resolve(lock !== null);
      if (!lock) return undefined;
      claimed.add(lab);
      return new Promise(() => {}); // a promise that never resolves holds the lock
    };
    try {
      navigator.locks.request(`learnery:${lab}`, { ifAvailable: true }, claim).catch(() => resolve(true));
    } catch {
      resolve(true); // An old browser has no locks, or they are forbidden. Every tab then saves.
    }
  });
}

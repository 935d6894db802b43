// Stores the moments of runs in the browser's origin-private file system: checkpoints of earlier units (training
// iterations), in `learnery/<lab>/runs/<run>/moments/<unit>.safetensors`, and a list of them in `moments.json`.

import { allLabs, fileIn, labFolder, remove, textIn, writeFile, type Folder } from "./folder";
import type { RunNote } from "./store";

/** A kept moment. */
export interface StoredMoment {
  units: number;
  /** Size of the file. */
  bytes: number;
  /** Running time of the run at this unit. */
  seconds: number;
}

/** The moments of one run. */
export interface MomentList {
  /** The run from which this one branched. The parent's earlier moments belong to this run too. */
  parent: RunNote["parent"];
  /** In ascending order. */
  moments: StoredMoment[];
}

/** The moments of one run taken together, to find the runs whose moments were not used for longest. */
export interface MomentFolder {
  lab: string;
  run: string;
  bytes: number;
  /** When a moment was last kept, in milliseconds since 1970. */
  changedAt: number;
}

const MOMENTS_FOLDER = "moments";
const LIST_FILE = "moments.json";

const fileOf = (units: number) => `${units}.safetensors`;

/** The folder of a run's moments. Without `create` it throws if there is none. */
async function momentsFolder(lab: string, run: string, create = false): Promise<Folder> {
  let found = await labFolder(lab, create);
  for (const name of ["runs", run, MOMENTS_FOLDER]) found = await found.getDirectoryHandle(name, { create });
  return found;
}

/** The moments of a run; none if they are missing or cannot be read. */
export async function readMoments(lab: string, run: string): Promise<MomentList> {
  try {
    const dir = await momentsFolder(lab, run);
    const { parent = null, moments } = JSON.parse((await textIn(dir, LIST_FILE)) ?? "{}") as Partial<MomentList>;
    const files = new Set<string>();
    for await (const name of dir.keys()) files.add(name);
    const sound = (moments ?? []).filter(
      ({ units, bytes, seconds }) => [units, bytes, seconds].every(Number.isFinite) && files.has(fileOf(units)),
    );
    return { parent, moments: sound.sort((a, b) => a.units - b.units) };
  } catch {
    return { parent: null, moments: [] };
  }
}

/** Writes the file of a moment. Throws if it cannot be written. */
export async function writeMoment(lab: string, run: string, units: number, bytes: Uint8Array): Promise<void> {
  await writeFile(await momentsFolder(lab, run, true), fileOf(units), bytes);
}

/** Writes the list of a run's moments, and removes the files that are not on it. */
export async function writeList(lab: string, run: string, list: MomentList): Promise<void> {
  const dir = await momentsFolder(lab, run, true);
  const kept = new Set([LIST_FILE, ...list.moments.map(({ units }) => fileOf(units))]);
  const names: string[] = [];
  for await (const name of dir.keys()) names.push(name);
  for (const name of names) if (!kept.has(name)) await dir.removeEntry(name);
  await writeFile(dir, LIST_FILE, JSON.stringify(list));
}

/** The file of a moment, or null if it is lost. */
export async function momentFile(lab: string, run: string, units: number): Promise<File | null> {
  const dir = await momentsFolder(lab, run).catch(() => null);
  return dir && fileIn(dir, fileOf(units));
}

/** The runs of all labs that have moments. */
export async function momentFolders(): Promise<MomentFolder[]> {
  const found: MomentFolder[] = [];
  try {
    for await (const [lab, entry] of (await allLabs()).entries()) {
      if (entry.kind !== "directory") continue;
      const runs = await entry.getDirectoryHandle("runs").catch(() => null);
      if (!runs) continue;
      for await (const run of runs.keys()) {
        const { moments } = await readMoments(lab, run);
        const dir = await momentsFolder(lab, run).catch(() => null);
        const list = dir && (await fileIn(dir, LIST_FILE));
        if (list) {
          const bytes = moments.reduce((sum, moment) => sum + moment.bytes, 0);
          found.push({ lab, run, bytes, changedAt: list.lastModified });
        }
      }
    }
  } catch {
    // Nothing has been stored yet, or this browser stores nothing.
  }
  return found;
}

/** Removes the moments of a run, and its folder if nothing else is in it. */
export async function removeMoments(lab: string, run: string): Promise<void> {
  const runs = await (await labFolder(lab, false)).getDirectoryHandle("runs");
  await remove(await runs.getDirectoryHandle(run), MOMENTS_FOLDER);
  await runs.removeEntry(run).catch(() => {}); // it holds the run itself
}

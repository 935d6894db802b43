// Reads the header of a checkpoint, which is a saved run as a safetensors file, and downloads files. A safetensors file
// begins with the length of its JSON header as a 64-bit little-endian integer; the header's metadata contains the run's
// own header. The page reads nothing else. The learner validates the file when it opens it.

import type { Change } from "../generated/protocol";
import type { Settings } from "./link";

/** Size of the header's length at the start of the file. */
const LENGTH_BYTES = 8;
const LITTLE_ENDIAN = true;
/** The browser reads a download's bytes within this time, after which they are released. */
const RELEASE_MS = 10_000;

export interface CheckpointHeader {
  /** The id of the lab. */
  lab: string;
  /** The settings when it was saved; the file's name for them is `config`. */
  config: Settings;
  /** The seed when it was saved. */
  seed: number;
  /** Training iterations so far. */
  units: number;
  /** What changed during the run. */
  changes: Change[];
}

/** The header as it is in the file. Files of the first format have no `changes`. */
interface StoredHeader extends Omit<CheckpointHeader, "changes"> {
  work?: unknown;
  solved_at?: unknown;
  network_only?: unknown;
  changes?: Change[];
}

/** The header of a checkpoint as it is in the file, or null if the bytes are no checkpoint. */
export function readStoredHeader(bytes: Uint8Array): StoredHeader | null {
  try {
    const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, LITTLE_ENDIAN));
    const text = new TextDecoder().decode(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
    const { __metadata__: metadata } = JSON.parse(text) as { __metadata__: { learnery: string } };
    const { header } = JSON.parse(metadata.learnery) as { header: StoredHeader };
    const { lab, config, seed, units, changes = [] } = header;
    const sound = typeof lab === "string" && config && [seed, units].every(Number.isInteger) && Array.isArray(changes);
    return sound ? header : null;
  } catch {
    return null; // The learner gives the reason in words when it opens the file.
  }
}

/** The header of a checkpoint, or null if the bytes are no checkpoint. */
export function readHeader(bytes: Uint8Array): CheckpointHeader | null {
  const header = readStoredHeader(bytes);
  if (!header) return null;
  const { lab, config, seed, units, changes = [] } = header;
  return { lab, config, seed, units, changes };
}

/** The name under which a checkpoint is downloaded. */
export function fileName(lab: string, seed: number, units: number, { networkOnly = false } = {}): string {
  return `learnery-${lab}-seed${seed}-${units}${networkOnly ? "-network" : ""}.safetensors`;
}

/** The name under which a recipe is downloaded. */
export function recipeName(lab: string, seed: number, units: number): string {
  return `learnery-${lab}-seed${seed}-${units}-recipe.json`;
}

/** Downloads a file. */
export function download(name: string, content: Uint8Array | Blob): void {
  const bytes = { type: "application/octet-stream" };
  const blob = content instanceof Blob ? content : new Blob([content as BlobPart], bytes);
  const url = URL.createObjectURL(blob);
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_MS);
}

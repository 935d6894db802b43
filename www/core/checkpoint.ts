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

/**
 * The name under which a checkpoint is downloaded. A checkpoint knows nothing of the name that the visitor gave the
 * run, so that stands in the file's name: `learnery-cube-seed3-12 My run.safetensors`.
 */
export function fileName(
  lab: string,
  seed: number,
  units: number,
  { networkOnly = false, name = null }: { networkOnly?: boolean; name?: string | null } = {},
): string {
  const words = name === null ? "" : ` ${encoded(name)}`;
  return `learnery-${lab}-seed${seed}-${units}${networkOnly ? "-network" : ""}${words}.safetensors`;
}

/** File systems allow 255 bytes; the rest of a name needs 56 at most, and the digits of the units. */
const MAX_NAME_BYTES = 190;

/**
 * The name with escapes (`%3F`) for what file systems refuse. A number in brackets at its end is escaped too, because
 * browsers add one to the name of a file that exists already, and `nameInFile` removes that. Its bracket is marked by a
 * line break first, which no name contains (`cleanName`). The name is cut to `MAX_NAME_BYTES`.
 */
function encoded(name: string): string {
  const escape = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  const characters = [...name.replace(/\((?=\d+\)$)/, "\n")].map((each) =>
    each === "\n" ? escape("(") : /[<>:"/\\|?*%]/.test(each) ? escape(each) : each,
  );
  const encoder = new TextEncoder();
  let bytes = 0;
  const fitting = characters.filter((each) => (bytes += encoder.encode(each).length) <= MAX_NAME_BYTES);
  return fitting.join("");
}

/**
 * The name of a run by the name of its file: null for none, undefined for a file whose name was not made by `fileName`.
 */
export function nameInFile(file: string): string | null | undefined {
  const withoutNumber = file.replace(/ ?\(\d+\)(?=\.safetensors$)/, "");
  const found = /^learnery-[\w-]+(?: (.+))?\.safetensors$/.exec(withoutNumber);
  if (!found) return undefined;
  const name = found[1]?.replace(/%([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  return name ?? null;
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

// Reads the metadata of a run from its checkpoint, a safetensors file:
// - the length of the header in bytes, as a 64-bit little-endian integer;
// - the header, a JSON object: for each tensor by its name `dtype` and `data_offsets`, which count from the end of the
//   header, and under `__metadata__` the run's own header (see checkpoint.ts);
// - the bytes of the tensors. `history/units` and `history/<metric>` hold the rows of the run's history.
//
// Most metadata is in the run's own header; the curve of one metric comes from the history. Only these parts are read,
// however large the file is. The learner validates the whole file when it opens the run.

import { readStoredHeader } from "./checkpoint";
import type { Goal } from "../generated/protocol";
import { plainSettings, thinnedCurve, type Curve, type RunChange, type RunMetadata } from "./run-metadata";
import { newNote, type RunNote } from "./store";
import { isAmount, isObject } from "./unknown";

/** A checkpoint as a file, or its bytes. */
type Checkpoint = Blob | Uint8Array<ArrayBuffer>;

/** Metadata that a checkpoint does not hold and that its caller supplies. */
export interface SuppliedMetadata {
  /** The goal; null if it is not known. */
  goal: Pick<Goal, "metric" | "target"> | null;
  /** The metric of the curve if the goal is not known, such as the first one of the lab's charts. */
  headline: string;
  note: RunNote | null;
  /** Milliseconds since 1970. */
  savedAt: number;
}

/** Size of the header's length at the start of the file. */
const LENGTH_BYTES = 8;
const LITTLE_ENDIAN = true;
/** Headers of real checkpoints are shorter. A file that declares a longer one is not read into memory. */
const MAX_HEADER_BYTES = 16 << 20;

/** The metadata of a checkpoint, or null if the file is no checkpoint or cannot be read. */
export async function metadataOfCheckpoint(
  file: Checkpoint,
  { goal, headline, note, savedAt }: SuppliedMetadata,
): Promise<RunMetadata | null> {
  try {
    const head = await readHead(file);
    const header = head && readStoredHeader(head);
    if (!header) return null;
    const { seed, units, work, config, solved_at: solvedAt } = header;
    return {
      name: null,
      pinned: false,
      seed,
      settings: plainSettings(config),
      changes: (header.changes ?? []).map(readChange).filter((change) => change !== null),
      units,
      work: isAmount(work) ? work : 0,
      solvedAt: isAmount(solvedAt) ? solvedAt : null,
      goal: goal && { metric: goal.metric, target: goal.target },
      curve: await readCurve(file, head, goal?.metric ?? headline),
      note: note ?? newNote(),
      fingerprint: null,
      savedAt,
    };
  } catch {
    return null; // The learner gives the reason in words when it opens the file.
  }
}

/** A change in the header; null if it is damaged. A new seed is listed among the settings, as `RunChange` defines. */
function readChange(change: unknown): RunChange | null {
  if (!isObject(change) || !isAmount(change["unit"])) return null;
  const { unit, after, seed } = change;
  const settings = isObject(after) ? plainSettings(after) : {};
  if (isObject(seed) && isAmount(seed["after"])) settings["seed"] = seed["after"];
  return { unit, settings };
}

/** The curve of a metric from a checkpoint; empty if there is none. */
export async function curveOfCheckpoint(file: Checkpoint, metric: string): Promise<Curve> {
  const head = await readHead(file).catch(() => null);
  const curve = head && (await readCurve(file, head, metric).catch(() => null));
  return curve ?? { metric, units: [], values: [] };
}

/** The beginning of a file with its header; null if it declares more than a checkpoint has. */
async function readHead(file: Checkpoint): Promise<Uint8Array<ArrayBuffer> | null> {
  const start = await readPart(file, 0, LENGTH_BYTES);
  const headerBytes = Number(new DataView(start.buffer, start.byteOffset).getBigUint64(0, LITTLE_ENDIAN));
  return headerBytes > MAX_HEADER_BYTES ? null : readPart(file, 0, LENGTH_BYTES + headerBytes);
}

/** The curve of a metric from the history of a checkpoint; empty if the history lacks the metric. */
async function readCurve(file: Checkpoint, head: Uint8Array, metric: string): Promise<Curve> {
  // `readStoredHeader` returns only the run's own header; the entries of the tensors stand beside that.
  const header = JSON.parse(new TextDecoder().decode(head.subarray(LENGTH_BYTES))) as Record<string, unknown>;
  /** The bytes of a tensor whose numbers have 8 bytes each; null if the file has no such tensor. */
  const readTensor = async (name: string, dtype: "U64" | "F64") => {
    const tensor = header[name];
    if (!isObject(tensor) || tensor["dtype"] !== dtype) return null;
    const [from = 0, to = 0] = tensor["data_offsets"] as number[];
    // A typed array of 8-byte numbers must begin at a multiple of 8 bytes. A part of a file may not, but a copy does.
    return (await readPart(file, head.length + from, head.length + to)).slice().buffer;
  };
  const units = await readTensor("history/units", "U64");
  const values = await readTensor(`history/${metric}`, "F64");
  if (!units || !values) return { metric, units: [], values: [] };
  return thinnedCurve(metric, Array.from(new BigUint64Array(units), Number), Array.from(new Float64Array(values)));
}

/** The bytes of a file from the position `from` up to, but not including, the position `to`. */
async function readPart(file: Checkpoint, from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
  return file instanceof Uint8Array
    ? file.subarray(from, to)
    : new Uint8Array(await file.slice(from, to).arrayBuffer());
}

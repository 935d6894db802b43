// Reads the metadata of a run from its checkpoint: most of it from the header, and the curve of the headline metric
// from the history. Only these parts of a file are read, however large it is. The learner validates the whole file when
// it opens the run.

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
  /** The metric of the curve if the goal is not known. */
  headline: string;
  note: RunNote | null;
  savedAt: number;
}

const LENGTH_BYTES = 8;
/** The longest header that occurs. A file that declares a longer one is no checkpoint of this project. */
const MAX_HEADER_BYTES = 16 << 20;

/** The metadata of a checkpoint, or null if the file is no checkpoint. */
export async function metadataOfCheckpoint(
  file: Checkpoint,
  { goal, headline, note, savedAt }: SuppliedMetadata,
): Promise<RunMetadata | null> {
  try {
    const start = await part(file, 0, LENGTH_BYTES);
    const length = Number(new DataView(start.buffer, start.byteOffset).getBigUint64(0, true));
    if (length > MAX_HEADER_BYTES) return null;
    const head = await part(file, 0, LENGTH_BYTES + length);
    const header = readStoredHeader(head);
    if (!header) return null;
    const { seed, units, work, config, solved_at: solvedAt } = header;
    return {
      name: null,
      pinned: false,
      seed,
      settings: plainSettings(config),
      changes: (header.changes ?? []).flatMap(readChange),
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
    return null;
  }
}

function readChange(change: unknown): RunChange[] {
  if (!isObject(change) || !isAmount(change["unit"])) return [];
  const { unit, after, seed } = change;
  const settings = isObject(after) ? plainSettings(after) : {};
  if (isObject(seed) && isAmount(seed["after"])) settings["seed"] = seed["after"];
  return [{ unit, settings }];
}

/** A metric from the history of a checkpoint; empty if it is not in there. */
async function readCurve(file: Checkpoint, head: Uint8Array, metric: string): Promise<Curve> {
  const tensors = JSON.parse(new TextDecoder().decode(head.subarray(LENGTH_BYTES))) as Record<string, unknown>;
  /** The bytes of a tensor with numbers of 8 bytes. */
  const read = async (name: string, dtype: string) => {
    const tensor = tensors[name];
    if (!isObject(tensor) || tensor["dtype"] !== dtype) return null;
    const [from = 0, to = 0] = tensor["data_offsets"] as number[];
    return (await part(file, head.length + from, head.length + to)).slice().buffer; // a copy begins at a multiple of 8
  };
  const [units, values] = [await read("history/units", "U64"), await read(`history/${metric}`, "F64")];
  if (!units || !values) return { metric, units: [], values: [] };
  return thinnedCurve(metric, Array.from(new BigUint64Array(units), Number), Array.from(new Float64Array(values)));
}

async function part(file: Checkpoint, from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
  return file instanceof Uint8Array
    ? file.subarray(from, to)
    : new Uint8Array(await file.slice(from, to).arrayBuffer());
}

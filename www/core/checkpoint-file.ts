// Checks a file that the visitor wants to open, as far as its header tells. A safetensors file begins with the length
// of its JSON header as a 64-bit little-endian integer; the numbers of the tensors follow. Only the header is read at
// first, so that a wrong file of many gigabytes does no harm. The learner checks the rest.

import { readHeader } from "./checkpoint";

/** Why a file cannot be opened, as the end of a sentence that begins with the file's name. */
export class WrongFile extends Error {}

/** Size of the header's length at the start of the file. */
const LENGTH_BYTES = 8;
const LITTLE_ENDIAN = true;
/** The shortest header is the JSON object `{}`. */
const MIN_HEADER_BYTES = 2;
/** The id of an unknown lab is cut to this length when it is quoted. */
const MAX_QUOTED_LENGTH = 40;
/** A header of a run has some kilobytes. The format allows 100 megabytes. */
const MAX_HEADER_BYTES = 100e6;
/** The file has to fit into the memory of the learner several times. */
const MAX_BYTES = 400e6;

/** Reads a checkpoint file. Returns its content and the id of its lab, or throws a `WrongFile`. */
export async function readCheckpointFile(
  file: File,
  labs: string[],
): Promise<{ bytes: Uint8Array<ArrayBuffer>; lab: string }> {
  if (file.size === 0) throw new WrongFile("the file is empty");
  const start = await readBytes(file.slice(0, LENGTH_BYTES));
  if (start.byteLength < LENGTH_BYTES) throw notSafetensors();
  const headerBytes = Number(new DataView(start.buffer).getBigUint64(0, LITTLE_ENDIAN));
  if (headerBytes < MIN_HEADER_BYTES || headerBytes > MAX_HEADER_BYTES) throw notSafetensors();
  const headerEnd = LENGTH_BYTES + headerBytes;
  const head = await readBytes(file.slice(0, headerEnd));
  if (head[LENGTH_BYTES] !== "{".charCodeAt(0)) throw notSafetensors();
  if (head.length < headerEnd) throw incomplete(file.size, headerEnd);
  const end = headerEnd + dataBytes(head.subarray(LENGTH_BYTES));
  if (file.size < end) throw incomplete(file.size, end);
  const header = readHeader(head);
  if (!header) throw new WrongFile("it is a safetensors file, but not a run that Learnery has saved");
  if (!labs.includes(header.lab))
    throw new WrongFile(`its lab is called “${header.lab.slice(0, MAX_QUOTED_LENGTH)}”, and there is no such lab here`);
  if (file.size > MAX_BYTES)
    throw new WrongFile(`it has ${megabytes(file.size)} megabytes, and at most ${megabytes(MAX_BYTES)} fit into a tab`);
  return { bytes: await readBytes(file), lab: header.lab };
}

/** The bytes after the header: where the last tensor ends, by the `data_offsets` of all tensors in the header. */
function dataBytes(header: Uint8Array): number {
  try {
    const entries = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(header)) as Record<string, unknown>;
    const ends = Object.values(entries).map((entry) => (entry as { data_offsets?: number[] }).data_offsets?.[1] ?? 0);
    return ends.reduce((largest, end) => Math.max(largest, end), 0);
  } catch {
    throw notSafetensors();
  }
}

async function readBytes(part: Blob): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await part.arrayBuffer());
  } catch {
    throw new WrongFile("it cannot be read (is it a folder, or has it moved?)");
  }
}

const notSafetensors = () => new WrongFile("it is not a safetensors file");

const incomplete = (has: number, needs: number) =>
  new WrongFile(`it is incomplete: it has ${has} bytes, and ${needs} are needed`);

const megabytes = (bytes: number) => Math.round(bytes / 1e6);

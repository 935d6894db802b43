// Reads tensors of a checkpoint, and writes a copy of it in which some of them have other numbers. The format is that
// of checkpoint-metadata.ts. The checksum over the run's own header and all tensors (`Checkpoint::to_bytes` in
// crates/lab) is computed anew.

import { isObject } from "./unknown";

/** A tensor of a checkpoint: its number type such as "F32", its shape, and its bytes, which are little-endian. */
export interface StoredTensor {
  dtype: string;
  shape: number[];
  bytes: Uint8Array<ArrayBuffer>;
}

interface OpenCheckpoint {
  /** By name, in the order of the names. */
  tensors: Map<string, StoredTensor & { start: number }>;
  /** The run's own header as JSON text. */
  header: string;
  checksum: string;
}

/** Size of the header's length at the start of the file. */
const LENGTH_BYTES = 8;
const LITTLE_ENDIAN = true;
const METADATA_KEY = "__metadata__";

/** The tensors of a checkpoint by their names; null if the bytes are none. */
export function readTensors(checkpoint: Uint8Array): Map<string, StoredTensor> | null {
  return open(checkpoint)?.tensors ?? null;
}

/**
 * A copy of a checkpoint in which these tensors have these bytes. Null if the bytes are no checkpoint, or if it has no
 * tensor of such a name and size.
 */
export function replaceTensors(
  checkpoint: Uint8Array,
  replaced: Map<string, Uint8Array>,
): Uint8Array<ArrayBuffer> | null {
  const copy = checkpoint.slice();
  const opened = open(copy);
  if (!opened) return null;
  for (const [name, bytes] of replaced) {
    const tensor = opened.tensors.get(name);
    if (tensor?.bytes.length !== bytes.length) return null;
    copy.set(bytes, tensor.start);
  }
  const { tensors, header, checksum } = open(copy) as OpenCheckpoint;
  const place = indexOfText(copy, checksum);
  if (place < 0) return null;
  copy.set(new TextEncoder().encode(checksumOf(header, tensors)), place);
  return copy;
}

function open(checkpoint: Uint8Array): OpenCheckpoint | null {
  try {
    const view = new DataView(checkpoint.buffer, checkpoint.byteOffset, checkpoint.byteLength);
    const dataStart = LENGTH_BYTES + Number(view.getBigUint64(0, LITTLE_ENDIAN));
    const entries = JSON.parse(new TextDecoder().decode(checkpoint.subarray(LENGTH_BYTES, dataStart))) as object;
    const { learnery } = (entries as { [METADATA_KEY]: { learnery: string } })[METADATA_KEY];
    const { checksum } = JSON.parse(learnery) as { checksum: string };
    // The checksum covers the header as it was written, which is the last part of the envelope.
    const header = /"header":(\{.*\})\}$/s.exec(learnery)?.[1];
    if (header === undefined || typeof checksum !== "string") return null;
    const tensors: [string, StoredTensor & { start: number }][] = [];
    for (const [name, entry] of Object.entries(entries) as [string, unknown][]) {
      if (name === METADATA_KEY || !isObject(entry)) continue;
      const { dtype, shape, data_offsets: offsets } = entry;
      const [from = 0, to = 0] = offsets as number[];
      const bytes = checkpoint.slice(dataStart + from, dataStart + to);
      tensors.push([name, { dtype: dtype as string, shape: shape as number[], bytes, start: dataStart + from }]);
    }
    tensors.sort(([a], [b]) => (a < b ? -1 : 1));
    return { tensors: new Map(tensors), header, checksum };
  } catch {
    return null;
  }
}

/** Where a text of ASCII characters begins; -1 if it is not there. */
function indexOfText(bytes: Uint8Array, text: string): number {
  const wanted = new TextEncoder().encode(text);
  return bytes.findIndex((_, at) => wanted.every((byte, i) => bytes[at + i] === byte));
}

/** The checksum of a checkpoint: CRC-32 over its header and over name, type, shape and bytes of every tensor. */
function checksumOf(header: string, tensors: Map<string, StoredTensor>): string {
  const encoder = new TextEncoder();
  const parts = [...tensors].map(([name, { dtype, shape, bytes }]) => [
    encoder.encode(`${name}${dtype} [${shape.join(", ")}]`),
    bytes,
  ]);
  const checksum = crc32(encoder.encode(header), ...parts.flat());
  return checksum.toString(16).padStart(8, "0");
}

/** The checksum CRC-32 (as in zip) of bytes one after the other. */
export function crc32(...parts: Uint8Array[]): number {
  let crc = 0xffff_ffff;
  for (const part of parts) for (const byte of part) crc = (CRC_TABLE[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8);
  return (crc ^ 0xffff_ffff) >>> 0;
}

/** The polynomial of CRC-32 (as in zip), with its bits reversed. */
const POLYNOMIAL = 0xedb8_8320;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc;
});

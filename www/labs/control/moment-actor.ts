// How a link carries the actor: its weights rounded (quantised) to 8 bits, or to 6 where the link has no room for that,
// with one scale for each tensor, and the statistics of the normaliser unchanged. The critic is left out, and so are
// the rules of a world of the visitor's own, which the link has as data. The copy is only looked at: it is neither
// trained nor evaluated.

import { readTensors, replaceTensors, type StoredTensor } from "../../core/moment-tensors";
import { dequantise, quantise, quantisedBytes, type Bits } from "../../core/moment-rounding";
import type { ControlView } from "../../generated/protocol";
import { UNREADABLE, type AgentCopy, type NoCopy } from "../../ui/lab-moment";
import "./moment.css";

const CARRIED_PATTERN = /^network\/(?:actor|normaliser)\//;
/**
 * F32 tensors with at least so many numbers are rounded. Others are carried as they are: it would save a few bytes
 * only.
 */
const MIN_ROUNDED_NUMBERS = 16;
/** Bytes of a 32-bit float. */
const FLOAT_BYTES = 4;

export const roundedActor: AgentCopy<ControlView> = {
  sign: "A copy of the sender's agent with slightly rounded weights",
  words: "a copy of the sender's agent with slightly rounded weights",
  remark: "It does not learn.",
  pack: (_view, checkpoint) => packed(checkpoint, 8),
  shorter: {
    pack: (_view, checkpoint) => packed(checkpoint, 6),
    words: "a copy of the sender's agent with weights rounded to 6 bits",
  },
  // `untrained` is a checkpoint of a new run with the same settings: its tensors say how to read the bytes.
  unpack: (agent, untrained) => {
    const tensors = readTensors(untrained);
    if (!tensors) return null;
    const carried = carriedTensors(tensors);
    // The length says how many bits a weight has.
    const sizeWith = (bits: Bits) => carried.reduce((sum, [, tensor]) => sum + carriedBytes(tensor, bits), 0);
    const bits = ([8, 6] as const).find((each) => sizeWith(each) === agent.length);
    if (bits === undefined) return null;
    const replacements = new Map<string, Uint8Array>();
    let offset = 0;
    for (const [name, tensor] of carried) {
      const part = agent.slice(offset, (offset += carriedBytes(tensor, bits)));
      const content = isRounded(tensor) ? dequantise(part, countOf(tensor), bits) : part;
      if (!content) return null;
      const bytes = new Uint8Array(content.buffer);
      if (!areFinite(tensor.dtype, bytes)) return null;
      replacements.set(name, bytes);
    }
    return replaceTensors(untrained, replacements);
  },
};

/** The actor of a checkpoint, with so many bits a weight. */
function packed(checkpoint: Uint8Array, bits: Bits): Uint8Array<ArrayBuffer> | NoCopy {
  const tensors = readTensors(checkpoint);
  if (!tensors) return UNREADABLE;
  const carried = carriedTensors(tensors);
  // NaN and infinity have no rounded form.
  if (!carried.every(([, { dtype, bytes }]) => areFinite(dtype, bytes)))
    return { because: "this agent has diverged, so some of its weights are not finite numbers" };
  const parts = carried.map(([, tensor]) => (isRounded(tensor) ? quantise(floatsOf(tensor), bits) : tensor.bytes));
  const agent = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    agent.set(part, offset);
    offset += part.length;
  }
  return agent.length > 0 ? agent : UNREADABLE;
}

/**
 * The tensors that are carried, in the order of their names, by which `readTensors` sorts them. Both sides rely on it,
 * because names are not carried.
 */
const carriedTensors = (tensors: Map<string, StoredTensor>) =>
  [...tensors].filter(([name]) => CARRIED_PATTERN.test(name));

const countOf = ({ bytes }: StoredTensor) => bytes.length / FLOAT_BYTES;
const isRounded = (tensor: StoredTensor) => tensor.dtype === "F32" && countOf(tensor) >= MIN_ROUNDED_NUMBERS;

/** The bytes of a tensor in a link. */
const carriedBytes = (tensor: StoredTensor, bits: Bits) =>
  isRounded(tensor) ? quantisedBytes(countOf(tensor), bits) : tensor.bytes.length;

const floatsOf = ({ bytes }: StoredTensor) => new Float32Array(bytes.slice().buffer);

/** Whether all numbers of a tensor are finite; integers are. */
function areFinite(dtype: string, bytes: Uint8Array): boolean {
  const { buffer } = bytes.slice();
  const numbers = dtype === "F64" ? new Float64Array(buffer) : dtype === "F32" ? new Float32Array(buffer) : [];
  return numbers.every(Number.isFinite);
}

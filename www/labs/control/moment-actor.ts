// How a link carries the actor: its weights rounded (quantised) to 8 bits, with one scale for each tensor, and the
// statistics of the normaliser unchanged. The critic is left out. The copy is only looked at: it is neither trained nor
// evaluated.

import { readTensors, replaceTensors, type StoredTensor } from "../../core/moment-tensors";
import { quantise8, quantisedBytes, dequantise8 } from "../../core/moment-rounding";
import type { ControlView } from "../../generated/protocol";
import { UNREADABLE, type AgentCopy } from "../../ui/lab-moment";
import "./moment.css";

const CARRIED_PATTERN = /^network\/(?:actor|normaliser)\//;
/** The rules of a world of the visitor's own, whose runs need another program (core/program.ts): they have no copy. */
const OWN_WORLD_PATTERN = /^network\/world\//;
/** F32 tensors with at least so many numbers are rounded. All others are carried as they are. */
const MIN_ROUNDED = 16;
/** Bytes of a 32-bit float. */
const FLOAT_BYTES = 4;

export const roundedActor: AgentCopy<ControlView> = {
  sign: "A copy of the sender's agent with slightly rounded weights",
  words: "a copy of the sender's agent with slightly rounded weights",
  remark: "It does not learn.",
  pack: (_view, checkpoint) => {
    const tensors = readTensors(checkpoint);
    if (!tensors) return UNREADABLE;
    if ([...tensors.keys()].some((name) => OWN_WORLD_PATTERN.test(name)))
      return { because: "no link carries the agent of a world of your own" };
    const carried = carriedTensors(tensors);
    // A rounded copy of an agent that has diverged would be another agent.
    if (!carried.every(([, { dtype, bytes }]) => areFinite(dtype, bytes)))
      return { because: "this agent has diverged, so some of its weights are not finite numbers" };
    const parts = carried.map(([, tensor]) => (isRounded(tensor) ? quantise8(floatsOf(tensor)) : tensor.bytes));
    const packed = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let offset = 0;
    for (const part of parts) {
      packed.set(part, offset);
      offset += part.length;
    }
    return packed.length > 0 ? packed : UNREADABLE;
  },
  unpack: (packed, fresh) => {
    const tensors = readTensors(fresh);
    if (!tensors) return null;
    const replacements = new Map<string, Uint8Array>();
    let offset = 0;
    for (const [name, tensor] of carriedTensors(tensors)) {
      const count = tensor.bytes.length / FLOAT_BYTES;
      const length = isRounded(tensor) ? quantisedBytes(count) : tensor.bytes.length;
      const part = packed.slice(offset, (offset += length));
      const content = isRounded(tensor) ? dequantise8(part, count) : part;
      if (!content || part.length !== length) return null;
      const bytes = new Uint8Array(content.buffer);
      if (!areFinite(tensor.dtype, bytes)) return null;
      replacements.set(name, bytes);
    }
    return offset === packed.length ? replaceTensors(fresh, replacements) : null;
  },
};

/** The tensors that are carried, in the order of their names. Both sides rely on it, because names are not carried. */
const carriedTensors = (tensors: Map<string, StoredTensor>) =>
  [...tensors].filter(([name]) => CARRIED_PATTERN.test(name));

const isRounded = ({ dtype, bytes }: StoredTensor) => dtype === "F32" && bytes.length / FLOAT_BYTES >= MIN_ROUNDED;

const floatsOf = ({ bytes }: StoredTensor) => new Float32Array(bytes.slice().buffer);

/** Whether all numbers of a tensor are finite; integers are. */
function areFinite(dtype: string, bytes: Uint8Array): boolean {
  const { buffer } = bytes.slice();
  const numbers = dtype === "F64" ? new Float64Array(buffer) : dtype === "F32" ? new Float32Array(buffer) : [];
  return numbers.every(Number.isFinite);
}

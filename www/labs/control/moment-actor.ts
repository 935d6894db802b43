// The actor as a link carries it: its weights rounded to 8 bits, and what it divides its observations by exactly. The
// critic stays behind. Such a copy is only looked at: its worker is never asked to train, and nothing is measured with it.

import { readTensors, replaceTensors, type StoredTensor } from "../../core/moment-tensors";
import { round8, roundedBytes, unround8 } from "../../core/moment-rounding";
import type { ControlView } from "../../generated/protocol";
import type { AgentCopy } from "../../ui/lab-moment";
import "./moment.css";

const CARRIED_PATTERN = /^network\/(?:actor|normaliser)\//;
/** The texts of worlds of one's own, whose programs need another bundle. */
const OWN_WORLD_PATTERN = /^network\/world\//;
/** Tensors with fewer numbers are carried as they are. */
const MIN_ROUNDED = 16;
const FLOAT_BYTES = 4;

export const agentCopy: AgentCopy<ControlView> = {
  sign: "A slightly rounded copy of the sender's agent",
  words: "a slightly rounded copy of the sender's agent",
  remark: "It does not learn.",
  pack: (_view, checkpoint) => {
    const tensors = readTensors(checkpoint);
    if (!tensors || [...tensors.keys()].some((name) => OWN_WORLD_PATTERN.test(name))) return null;
    const parts = carried(tensors).map(([, tensor]) => (isRounded(tensor) ? round8(floatsOf(tensor)) : tensor.bytes));
    const packed = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      packed.set(part, at);
      at += part.length;
    }
    return packed.length > 0 ? packed : null;
  },
  unpack: (packed, fresh) => {
    const tensors = readTensors(fresh);
    if (!tensors) return null;
    const replaced = new Map<string, Uint8Array>();
    let at = 0;
    for (const [name, tensor] of carried(tensors)) {
      const count = tensor.bytes.length / FLOAT_BYTES;
      const length = isRounded(tensor) ? roundedBytes(count) : tensor.bytes.length;
      const part = packed.slice(at, (at += length));
      const numbers = isRounded(tensor) ? unround8(part, count) : part;
      if (!numbers || part.length !== length) return null;
      replaced.set(name, new Uint8Array(numbers.buffer));
    }
    return at === packed.length ? replaceTensors(fresh, replaced) : null;
  },
};

/** The tensors that are carried, in the order of their names. */
const carried = (tensors: Map<string, StoredTensor>) => [...tensors].filter(([name]) => CARRIED_PATTERN.test(name));

const isRounded = ({ dtype, bytes }: StoredTensor) => dtype === "F32" && bytes.length / FLOAT_BYTES >= MIN_ROUNDED;

const floatsOf = ({ bytes }: StoredTensor) => new Float32Array(bytes.slice().buffer);

// The decided circuit (each gate only its most likely kind) as a link carries it, exactly: four bits for each gate. The
// wires follow from the seed and the attempt of the run, so a link has only a checksum of them, and the attempt if it is
// not the first. The copy is made from a run that has just begun this attempt. How likely each kind was is left out: the
// copy is certain of all of them.

import { crc32, readTensors, replaceTensors } from "../../core/moment-tensors";
import type { LogicView } from "../../generated/protocol";
import { UNREADABLE, type AgentCopy } from "../../ui/lab-moment";
import "./moment.css";

/** The parameters of a gate: a logit for each kind, or for each line of its truth table. */
const [KINDS, LINES] = [16, 4];
/** A logit so large that its kind has a probability of one in 32-bit floats. */
const CERTAIN_LOGIT = 40;
/** The attempt with which a run begins. */
const FIRST_ATTEMPT = 1;
/** The last attempt whose circuit travels, because the run that gets it begins each attempt before. */
const MAX_ATTEMPT = 100;
/** The names of two tensors of a checkpoint. */
const [LOGITS, WIRES] = ["network/logits", "network/wires"];
const LITTLE_ENDIAN = true;

interface PackedCircuit {
  attempt: number;
  /** The checksum of the wires. */
  wires: number;
  /** The number of gates in each layer. */
  layers: number[];
  /** The kind of each gate, layer by layer. */
  kinds: Uint8Array;
}

export const decidedCircuit: AgentCopy<LogicView> = {
  sign: "The sender's decided circuit",
  words: "the decided circuit, gate by gate",
  remark: "Its gates are certain; the sender's may not have been.",
  pack: ({ gates, attempt }, checkpoint) => {
    const wires = readTensors(checkpoint)?.get(WIRES);
    if (!wires) return UNREADABLE;
    if (attempt > MAX_ATTEMPT)
      return { because: `this is attempt ${attempt}, and a link carries the circuits of the first ${MAX_ATTEMPT}` };
    return write({ attempt, wires: crc32(wires.bytes), layers: gates.layers, kinds: gates.kinds });
  },
  begins: (packed) => {
    const { attempt = FIRST_ATTEMPT } = read(packed) ?? {};
    if (attempt === FIRST_ATTEMPT) return null;
    // One update without progress ends an attempt, and is an iteration: each iteration is the first one of the next
    // attempt. The first update cannot make progress, because the mean error that is judged changes little by it. No
    // test is due so early, but without tests there are no restarts.
    return { settings: { anew_after: 1, epochs: 1, prove_every: 10_000 }, units: attempt };
  },
  unpack: (packed, fresh) => {
    const circuit = read(packed);
    const tensors = readTensors(fresh);
    const [wires, logits] = [tensors?.get(WIRES), tensors?.get(LOGITS)];
    if (!circuit || !wires || !logits || crc32(wires.bytes) !== circuit.wires) return null;
    const { layers, kinds } = circuit;
    const numbers = new Float32Array(logits.bytes.length / Float32Array.BYTES_PER_ELEMENT);
    const parameters = numbers.length / kinds.length;
    if (parameters !== KINDS && parameters !== LINES) return null;
    // Shape of each layer: [kinds or lines, gates].
    let first = 0;
    for (const gates of layers) {
      for (let gate = 0; gate < gates; gate++) {
        const kind = kinds[first + gate] as number;
        for (let i = 0; i < parameters; i++) {
          // The highest of a kind's four bits is the first line of its truth table.
          const isLineOn = (kind >> (LINES - 1 - i)) & 1;
          const logit = parameters === KINDS ? Number(i === kind) : 2 * isLineOn - 1;
          numbers[first * parameters + i * gates + gate] = CERTAIN_LOGIT * logit;
        }
      }
      first += gates;
    }
    return replaceTensors(fresh, new Map([[LOGITS, new Uint8Array(numbers.buffer)]]));
  },
  isShown: ({ gates }, packed) => {
    const { kinds = new Uint8Array() } = read(packed) ?? {};
    return kinds.length === gates.kinds.length && kinds.every((kind, gate) => kind === gates.kinds[gate]);
  },
};

/**
 * The bytes before the kinds: four for the checksum of the wires, one for the number of layers, and two for the number
 * of gates in each. A byte after the kinds is the attempt; without it, that is the first one.
 */
const headBytes = (layers: number) => 5 + 2 * layers;

function write({ attempt, wires, layers, kinds }: PackedCircuit): Uint8Array<ArrayBuffer> {
  const start = headBytes(layers.length);
  const end = start + Math.ceil(kinds.length / 2);
  const packed = new Uint8Array(attempt === FIRST_ATTEMPT ? end : end + 1);
  const view = new DataView(packed.buffer);
  view.setUint32(0, wires, LITTLE_ENDIAN);
  view.setUint8(4, layers.length);
  layers.forEach((gates, i) => view.setUint16(headBytes(i), gates, LITTLE_ENDIAN));
  // Two kinds in a byte, that of the even gate in its low half.
  kinds.forEach(
    (kind, gate) =>
      (packed[start + (gate >> 1)] = (packed[start + (gate >> 1)] as number) | (kind << (4 * (gate & 1)))),
  );
  if (attempt !== FIRST_ATTEMPT) packed[end] = attempt;
  return packed;
}

/** Reads what `write` has written; null if it is something else. */
function read(packed: Uint8Array): PackedCircuit | null {
  if (packed.length < headBytes(0)) return null;
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const count = view.getUint8(4);
  const start = headBytes(count);
  if (packed.length < start) return null;
  const layers = Array.from({ length: count }, (_, i) => view.getUint16(headBytes(i), LITTLE_ENDIAN));
  const gates = layers.reduce((sum, each) => sum + each, 0);
  const end = start + Math.ceil(gates / 2);
  if (gates === 0 || packed.length < end || packed.length > end + 1) return null;
  const attempt = packed[end] ?? FIRST_ATTEMPT;
  if (attempt < FIRST_ATTEMPT || attempt > MAX_ATTEMPT) return null;
  const kinds = Uint8Array.from(
    { length: gates },
    (_, gate) => ((packed[start + (gate >> 1)] as number) >> (4 * (gate & 1))) & 15,
  );
  return { attempt, wires: view.getUint32(0, LITTLE_ENDIAN), layers, kinds };
}

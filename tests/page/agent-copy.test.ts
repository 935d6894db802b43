// Copies of agents that travel in links: control's actor, rounded to 8 or 6 bits by a known error, and logic's decided
// circuit (each gate only its most likely kind), exactly. What does not fit the run of the link is refused.
// `tests/golden/runs` has the checkpoints.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readTensors, replaceTensors } from "../../www/core/moment-tensors";
import { dequantise, quantise, type Bits } from "../../www/core/moment-rounding";
import { roundedActor } from "../../www/labs/control/moment-actor";
import { readShown, writeShown } from "../../www/labs/cube/shown";
import { decidedCircuit } from "../../www/labs/logic/decided-circuit";
import type { ControlView, CubeView, LogicView } from "../../www/generated/protocol";

const golden = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../golden/runs/${name}.safetensors`, import.meta.url)));
const floatsOf = (bytes: Uint8Array) => new Float32Array(bytes.slice().buffer);

for (const bits of [8, 6] as const)
  test(`number that is rounded to ${bits} bits differs by at most half a step`, () => {
    const back = (numbers: Float32Array) => dequantise(quantise(numbers, bits), numbers.length, bits) as Float32Array;
    // The largest number is 3 at most, and has 127 steps, or 31, on each side of zero.
    const steps = { 8: 127, 6: 31 }[bits];
    // Sizes that fill the last byte, and others.
    for (const count of [500, 501, 502, 503]) {
      const numbers = Float32Array.from({ length: count }, (_, i) => Math.sin(i) * 3);
      const read = back(numbers);
      numbers.forEach((number, i) => assert.ok(Math.abs(number - (read[i] as number)) <= 3 / (2 * steps) + 1e-6));
      assert.ok(new Set(read).size > steps, "the steps are used");
    }
    assert.deepEqual([...back(new Float32Array(3))], [0, 0, 0]);
    const read = back(Float32Array.from([NaN, Infinity, -1, 0.5]));
    assert.deepEqual([read[0], read[1]], [0, 0]);
    assert.ok(Math.abs((read[2] as number) + 1) < 1e-6);
    const numbers = quantise(new Float32Array(500).fill(1), bits);
    assert.equal(dequantise(numbers, 495, bits), null);
    new DataView(numbers.buffer).setFloat32(0, Infinity, true);
    assert.equal(dequantise(numbers, 500, bits), null);
  });

test("an agent that has diverged has no rounded copy, and damaged numbers make none", () => {
  const checkpoint = golden("control-ppo");
  const tensors = readTensors(checkpoint);
  const [name, tensor] = [...(tensors ?? [])].find(([each]) => /^network\/actor\/.*weight$/.test(each)) ?? [];
  assert.ok(name && tensor);
  const numbers = floatsOf(tensor.bytes);
  numbers[3] = NaN;
  const diverged = replaceTensors(checkpoint, new Map([[name, new Uint8Array(numbers.buffer)]]));
  assert.ok("because" in roundedActor.pack({} as ControlView, diverged ?? new Uint8Array()));
  // A step that is finite, with multiples that are not.
  const packed = roundedActor.pack({} as ControlView, checkpoint) as Uint8Array;
  const damaged = packed.map((_, i) => [0xff, 0xff, 0x7f, 0x7f][i % 4] as number);
  assert.equal(roundedActor.unpack(damaged, checkpoint), null);
});

test("checkpoint with nothing replaced is the same, with its checksum", () => {
  for (const name of ["control-ppo", "logic-life", "language-task"]) {
    const checkpoint = golden(name);
    assert.ok(Buffer.compare(checkpoint, replaceTensors(checkpoint, new Map()) ?? new Uint8Array()) === 0, name);
  }
  const unknown = new Map([["network/nothing", new Uint8Array(4)]]);
  assert.equal(replaceTensors(golden("control-ppo"), unknown), null);
  assert.equal(replaceTensors(new Uint8Array(100), new Map()), null);
  assert.equal(readTensors(new Uint8Array()), null);
});

/** What packs an actor with so many bits a weight, and the largest error as a part of the largest weight. */
const PACKED: [bits: Bits, pack: typeof roundedActor.pack | undefined, error: number][] = [
  [8, roundedActor.pack, 1 / 253],
  [6, roundedActor.shorter?.pack, 1 / 61],
];

for (const name of ["control-ppo", "control-pendulum"])
  for (const [bits, pack, error] of PACKED)
    test(`actor of ${name}, rounded to ${bits} bits, replaces the actor alone`, () => {
      const checkpoint = golden(name);
      const packed = pack?.({} as ControlView, checkpoint) as Uint8Array;
      const copied = roundedActor.unpack(packed, checkpoint) as Uint8Array;
      const [before, after] = [readTensors(checkpoint), readTensors(copied)];
      assert.ok(before && after);
      for (const [tensor, { bytes }] of before) {
        const copy: Uint8Array = after.get(tensor)?.bytes ?? new Uint8Array();
        if (!/^network\/actor\/.*(weight|bias)$/.test(tensor)) {
          assert.deepEqual(copy, bytes, `${tensor} stays`);
          continue;
        }
        const [numbers, rounded] = [floatsOf(bytes), floatsOf(copy)];
        const largest = numbers.reduce((max, number) => Math.max(max, Math.abs(number)), 0);
        numbers.forEach((number, i) => assert.ok(Math.abs(number - (rounded[i] as number)) <= largest * error, tensor));
      }
      // Another network, or one that was cut, does not fit.
      assert.equal(roundedActor.unpack(packed.slice(0, -1), checkpoint), null);
      assert.equal(roundedActor.unpack(new Uint8Array([...packed, 0]), checkpoint), null);
      assert.equal(roundedActor.unpack(packed, golden("logic-life")), null);
      const other = name === "control-ppo" ? "control-pendulum" : "control-ppo";
      assert.equal(roundedActor.unpack(packed, golden(other)), null);
    });

/** A view with gates of these kinds in layers. */
const viewOf = (layers: number[], kinds: Uint8Array, attempt = 1) =>
  ({ attempt, gates: { layers, kinds } }) as unknown as LogicView;

// The parameters of a gate are a logit for each of its 16 kinds, or for each of the 4 lines of its truth table. Each
// run has as many gates as its checkpoint.
for (const [name, parameters, gates] of [["logic-life", 16, 2543] as const, ["logic-async", 4, 4064] as const])
  test(`decided circuit of ${name} is copied exactly`, () => {
    const checkpoint = golden(name);
    const layers = [1000, gates - 1000];
    const kinds = Uint8Array.from({ length: gates }, (_, gate) => (gate * 7 + (gate >> 4)) & 15);
    const view = viewOf(layers, kinds);
    const packed = decidedCircuit.pack(view, checkpoint) as Uint8Array;
    // Half a byte for each gate, and the checksum of the wires with the sizes of the layers.
    assert.ok(packed.length < gates / 2 + 20);
    assert.ok(decidedCircuit.isShown?.(view, packed));
    assert.ok(!decidedCircuit.isShown?.(viewOf(layers, kinds.toReversed()), packed));
    const copied = decidedCircuit.unpack(packed, checkpoint) as Uint8Array;
    const logits = floatsOf(readTensors(copied)?.get("network/logits")?.bytes ?? new Uint8Array());
    let first = 0;
    for (const count of layers) {
      for (let gate = 0; gate < count; gate++) {
        const own = Array.from(
          { length: parameters },
          (_, i) => logits[first * parameters + i * count + gate] as number,
        );
        const kind =
          parameters === 16
            ? own.indexOf(Math.max(...own))
            : own.reduce((sum, logit) => 2 * sum + Number(logit > 0), 0);
        assert.equal(kind, kinds[first + gate], `gate ${first + gate}`);
      }
      first += count;
    }
    // A later attempt has a byte more, and its run begins anew as often.
    assert.equal(decidedCircuit.begins?.(packed), null);
    const later = decidedCircuit.pack(viewOf(layers, kinds, 3), checkpoint) as Uint8Array;
    assert.deepEqual([...later], [...packed, 3]);
    assert.equal(decidedCircuit.begins?.(later)?.units, 3);
    assert.deepEqual(decidedCircuit.unpack(later, checkpoint), copied);
    assert.ok("because" in decidedCircuit.pack(viewOf(layers, kinds, 101), checkpoint));
    for (const attempt of [0, 101, 255])
      assert.equal(decidedCircuit.unpack(new Uint8Array([...packed, attempt]), checkpoint), null);
    assert.equal(decidedCircuit.unpack(new Uint8Array([...later, 3]), checkpoint), null);
    // Other wires, and what was cut.
    assert.equal(decidedCircuit.unpack(packed, golden(name === "logic-life" ? "logic-async" : "logic-life")), null);
    assert.equal(decidedCircuit.unpack(packed.slice(0, -1), checkpoint), null);
    assert.equal(decidedCircuit.unpack(packed.slice(0, 3), checkpoint), null);
    const wired = packed.slice();
    // The copy begins with the checksum of the wires.
    wired[0] = (wired[0] as number) ^ 1;
    assert.equal(decidedCircuit.unpack(wired, checkpoint), null);
  });

test("cube with its turns is read as it was written", () => {
  const solved = [..."URFDLB"].map((face) => face.repeat(4)).join("");
  const stage = { stickers: solved, made: ["R", "U'", "F2"] };
  const text = writeShown({ stage } as unknown as CubeView);
  const read = readShown(text, "2x2x2");
  assert.ok("cube" in read);
  assert.deepEqual(read.cube.turns, stage.made);
  assert.notEqual(read.cube.stickers, solved, "the cube began scrambled");
  assert.match(text, /^[URFDLB]{24}:R\.U'\.F2$/);
  assert.ok("cube" in readShown(solved, "2x2x2"));
  for (const bad of [
    "",
    "URF",
    `${solved}:X`,
    `${solved}:R2'`,
    `${solved}:${"R.".repeat(100)}R`,
    solved.replace("B", "b"),
  ])
    assert.ok("problem" in readShown(bad, "2x2x2"), bad);
  assert.ok("problem" in readShown(solved, "3x3x3"));
});

// Unit tests of the large grid of the logic lab: its camera, the pointers on it, and the shader that is written from a
// circuit.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Camera } from "../../www/labs/logic/large-grid/camera";
import { parseCircuit, stepShader } from "../../www/labs/logic/large-grid/circuit";
import { GridPointer } from "../../www/labs/logic/large-grid/pointer";

function camera(width: number, height: number, size: number): Camera {
  const made = new Camera();
  made.fit(width, height);
  made.showAll(size);
  return made;
}

test("whole grid is shown in the middle, and stays shown when the picture changes its size", () => {
  const seen = camera(800, 400, 4096);
  assert.deepEqual(seen.toGrid(400, 200), [2048, 2048]);
  assert.ok(seen.scale * 4096 <= 400);
  seen.fit(300, 600);
  assert.ok(seen.scale * 4096 <= 300);
  assert.deepEqual(seen.toGrid(150, 300), [2048, 2048]);
});

test("what lies under the pointer stays there while the picture is enlarged", () => {
  const seen = camera(800, 800, 4096);
  seen.zoom(20);
  const before = seen.toGrid(700, 100);
  seen.zoom(1.7, 700, 100);
  const after = seen.toGrid(700, 100);
  for (const i of [0, 1] as const) assert.ok(Math.abs(after[i] - before[i]) < 1e-6, `${before.join()} ${after.join()}`);
});

test("picture never leaves the grid, and cells have a largest size", () => {
  const seen = camera(800, 800, 512);
  seen.zoom(1e9);
  assert.equal(seen.scale, 40);
  seen.pan(1e9, -1e9);
  const [left, top] = seen.toGrid(0, 0);
  assert.ok(left >= -1e-6 && top + 800 / seen.scale <= 512 + 1e-6, `${left}, ${top}`);
  seen.zoom(1e-9);
  assert.deepEqual(seen.toGrid(400, 400), [256, 256]);
});

test("shader loads only what the circuit reads, and its cells may keep their state", () => {
  const text = JSON.stringify({
    experiment: "life",
    channels: 2,
    shown: 1,
    periodic: true,
    fire_rate: 1,
    gates: [
      [6, 0, 13],
      [15, 18, 18],
    ],
    outputs: [18, 19],
  });
  const circuit = parseCircuit(text);
  const shader = stepShader(circuit);
  // Wire 0 is the upper left neighbour in channel 0, wire 13 the cell itself in channel 1.
  assert.match(shader, /let i0 = west\(0u, at, y0, inside0, i1\);/);
  assert.match(shader, /let i13 = word\(1u, at, y1, inside1\);/);
  assert.match(shader, /let g0 = i0 \^ i13;/);
  assert.doesNotMatch(shader, /let i9 |let i2 |awake/);
  const half = stepShader({ ...circuit, fireRate: 0.5 });
  assert.match(half, /= \(g0 & awake\) \| \(before\[/);
  // The rate is written with eight binary digits, each of which is a step of the shader. Those of 1/2 are 10000000.
  assert.equal(half.match(/awake \| hash/g)?.length, 1);
  assert.equal(half.match(/awake & hash/g)?.length, 7);
});

/** A grid of 4,096 cells in a picture of 800 pixels, with what pointers do on it. */
function pointersOnGrid() {
  const canvas = Object.assign(new EventTarget(), { focus: () => {}, setPointerCapture: () => {} });
  const seen = camera(800, 800, 4096);
  const damaged: [number, number][] = [];
  const actions = { changed: () => {}, damage: (x: number, y: number) => void damaged.push([x, y]) };
  new GridPointer(canvas as unknown as HTMLCanvasElement, seen, actions);
  const send = (type: string, pointerId: number, offsetX: number, offsetY: number) =>
    canvas.dispatchEvent(Object.assign(new Event(type), { pointerId, offsetX, offsetY, button: 0, shiftKey: false }));
  return { seen, damaged, send };
}

test("the finger that stays down after two fingers moves the grid and does not damage it", () => {
  const { seen, damaged, send } = pointersOnGrid();
  send("pointerdown", 1, 300, 400);
  send("pointerdown", 2, 500, 400);
  send("pointermove", 2, 700, 400);
  assert.ok(seen.scale > 1.5 * seen.minScale, "two fingers enlarge");
  const before = damaged.length;
  send("pointerup", 1, 300, 400);
  const { x } = seen;
  send("pointermove", 2, 600, 400);
  assert.ok(seen.x > x, "the grid has moved to the left");
  assert.equal(damaged.length, before);
  send("pointerup", 2, 600, 400);
  send("pointerdown", 1, 300, 400);
  send("pointermove", 1, 400, 400);
  assert.ok(damaged.length > before + 1, "a finger alone damages");
});

test("fingers at the same place do not change the size of the cells", () => {
  const { seen, send } = pointersOnGrid();
  seen.zoom(4);
  const { scale } = seen;
  send("pointerdown", 1, 300, 400);
  send("pointerdown", 2, 350, 400);
  send("pointermove", 2, 300, 400);
  send("pointermove", 2, 350, 400);
  assert.equal(seen.scale, scale);
});

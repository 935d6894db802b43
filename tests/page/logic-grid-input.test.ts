// Pointers on the grids of the logic lab: while one draws, another finger is ignored.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogicCommand, LogicStage } from "../../www/generated/protocol";
import type { CellGrid } from "../../www/labs/logic/cell-grid";
import { GridInput } from "../../www/labs/logic/grid-input";

/** An element that only has listeners. */
function target() {
  const listeners = new Map<string, ((event: unknown) => void)[]>();
  return {
    addEventListener: (type: string, listener: (event: unknown) => void) =>
      void listeners.set(type, [...(listeners.get(type) ?? []), listener]),
    setPointerCapture: () => {},
    fire: (type: string, event: object) => listeners.get(type)?.forEach((listener) => listener(event)),
  };
}

test("second finger neither joins nor ends the stroke of the first", () => {
  const [element, canvas] = [target(), target()];
  const grid = { element, canvas, positionOf: ({ x, y }: { x: number; y: number }) => ({ x, y }) };
  const sent: LogicCommand[] = [];
  const input = new GridInput(
    [grid as unknown as CellGrid],
    (command) => sent.push(command),
    () => {},
    () => {},
  );
  input.tool = "draw";
  input.setStage({ width: 16, height: 16, cell: [0, 0], hard: new Array(256).fill(0) } as unknown as LogicStage);
  const fire = (type: string, pointerId: number, x: number) => {
    canvas.fire(type, { pointerId, button: 0, x, y: 0.5 });
    return sent.splice(0).map((command) => (command.type === "paint" ? Math.floor(command.x) : -1));
  };
  assert.deepEqual(fire("pointerdown", 1, 1.5), [1]);
  assert.deepEqual(fire("pointerdown", 2, 12.5), []);
  assert.deepEqual(fire("pointermove", 2, 10.5), []);
  assert.deepEqual(fire("pointerup", 2, 10.5), []);
  assert.equal(Math.max(...fire("pointermove", 1, 3.5)), 3, "the stroke of the first goes on from where it was");
  assert.deepEqual(fire("pointerup", 1, 3.5), []);
  assert.deepEqual(fire("pointermove", 1, 5.5), []);
  assert.deepEqual(fire("pointerdown", 2, 12.5), [12]);
});

// Unit test of which program of a lab a run needs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dataLike, programOf } from "../../www/core/program";

test("a lab's runs have its own program, except worlds of a visitor's own", () => {
  assert.equal(programOf("cube", {}), "cube");
  assert.equal(programOf("control", {}), "control");
  assert.equal(programOf("control", { world: "pendulum", worlds: 16 }), "control");
  assert.equal(programOf("control", { world: "own" }), "control-own-worlds");
  assert.equal(programOf("language", { world: "own" }), "language", "a setting of another lab");
});

test("a new run learns the world of the open one if its settings ask for such a world", () => {
  const command = { type: "world", name: "Dot", text: "" };
  const changes = [
    { unit: 0, before: {}, after: {}, data: { sha256: "", command } },
    { unit: 4, before: {}, after: {} },
  ];
  assert.deepEqual(dataLike(changes, "control", { world: "own" }), command);
  assert.equal(dataLike(changes, "control", { world: "acrobot" }), null);
  assert.equal(dataLike(changes, "language", { source: "text" }), null);
  assert.equal(dataLike([], "control", { world: "own" }), null);
});

// Unit tests of core/program.ts: which program of a lab a run needs, and which data a new run takes from the open one.

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

test("a new run whose settings ask for a visitor's own world learns that of the open run", () => {
  const command = { type: "world", name: "Dot", text: "" };
  const changes = [
    { unit: 0, before: {}, after: {}, data: { sha256: "", command } },
    { unit: 4, before: {}, after: {} }, // a later change of settings does not hide the world
  ];
  assert.deepEqual(dataLike(changes, "control", { world: "own" }), command);
  assert.equal(dataLike(changes, "control", { world: "acrobot" }), null, "a built-in world");
  assert.equal(dataLike(changes, "language", { source: "text" }), null, "the text of another lab");
  assert.equal(dataLike([], "control", { world: "own" }), null, "the open run has no data of its own");
});

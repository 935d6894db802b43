// Unit test of which program of a lab a run needs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { needsCpu, programOf } from "../../www/core/program";

test("a lab's runs have its own program, except worlds of a visitor's own", () => {
  assert.equal(programOf("cube", {}), "cube");
  assert.equal(programOf("control", {}), "control");
  assert.equal(programOf("control", { world: "pendulum", worlds: 16 }), "control");
  assert.equal(programOf("control", { world: "own" }), "control-own-worlds");
  assert.equal(programOf("language", { world: "own" }), "language", "a setting of another lab");
  assert.ok(needsCpu("control", { world: "own" }));
  assert.ok(!needsCpu("control", { world: "cartpole" }));
});

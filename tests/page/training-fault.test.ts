// What the page says about faults of the rules in the training worlds of a world of the visitor's own.

import "./fake-dom";
import assert from "node:assert/strict";
import { test } from "node:test";
import { TrainingFault } from "../../www/labs/control/own-world/training-fault";

test("faults are shown as long as they go on, and announced once", () => {
  const fault = new TrainingFault();
  const [line, announcement] = [...fault.element.childNodes] as HTMLElement[];
  const shown = () => [line?.hidden, line?.textContent, announcement?.textContent];
  const first = "3 of the 9 episodes failed by a fault; one of them in line 4: a division by zero";
  const next = "2 of the 8 episodes failed by a fault; one of them in line 4: a division by zero";
  fault.show(null);
  assert.deepEqual(shown(), [true, "", ""]);
  fault.show(first);
  assert.deepEqual(shown(), [false, `${first}.`, `${first}.`]);
  fault.show(next);
  assert.deepEqual(shown(), [false, `${next}.`, `${first}.`]);
  fault.show(null);
  assert.deepEqual(shown(), [true, "", ""]);
  fault.show(next);
  assert.deepEqual(shown(), [false, `${next}.`, `${next}.`]);
});

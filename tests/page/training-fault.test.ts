// What the page says about faults of the rules in the training worlds of a world of the visitor's own.

import "./fake-dom";
import assert from "node:assert/strict";
import { test } from "node:test";
import { TrainingFault, withLineOf } from "../../www/labs/control/own-world/training-fault";

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

test("a fault is told with the line of the rules that it names", () => {
  const text = 'world "Trap"\nstate x = 3\n  reward 1 / x   # the farther, the less\n\n' + `x' = ${"x + ".repeat(40)}1`;
  const all = "3 of the 9 episodes that ended in the last iteration failed; one of them in ";
  assert.equal(
    withLineOf(`${all}line 3: a division by zero`, text),
    `${all}line 3, “reward 1 / x”: a division by zero`,
  );
  assert.equal(withLineOf("line 3: a division by zero", null), "line 3: a division by zero", "the rules are hidden");
  // A fault may have no line, and a text may be another one by now.
  const noLine =
    "1 of the 9 episodes failed by a fault of the rules; computed again on the CPU, the fault does not occur";
  for (const fault of ["`speed` beyond 1e30", "line 4: a division by zero", "line 99: a division by zero", noLine])
    assert.equal(withLineOf(fault, text), fault);
  assert.match(withLineOf("line 5: `x` beyond 1e30", text), /^line 5, “x' = x \+ .{40,60} …”: `x` beyond 1e30$/);
});

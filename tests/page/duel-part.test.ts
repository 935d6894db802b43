// The part in which agents meet: its form is sent by Enter, and a problem leads to its field.

import { textOf } from "./fake-dom";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Draft } from "../../www/core/draft";
import type { Hold } from "../../www/ui/compare/hold";
import { DuelPart } from "../../www/ui/duel/duel-part";

interface Part {
  childNodes: Part[];
  disabled?: boolean;
  focus: () => void;
  getAttribute: (name: string) => string | null;
  dispatchEvent: (event: Event) => boolean;
}

/** All elements below this one for which this holds. */
const all = (part: Part, holds: (part: Part) => boolean): Part[] =>
  (part.childNodes ?? []).flatMap((child) => [...(holds(child) ? [child] : []), ...all(child, holds)]);

test("a form without a second link says so at its field, which can be typed in then", async () => {
  const hold = { holder: null, on: () => () => {}, set: () => {} } as unknown as Hold;
  const draft = { lab: {}, run: {} } as unknown as Draft;
  const part = new DuelPart(draft, hold, () => Promise.reject(new Error("not reached")), null);
  const element = part.element as unknown as Part;
  const fields = all(element, (each) => each.getAttribute?.("type") === "text");
  const form = all(element, (each) => each.getAttribute?.("class") === "duel-form")[0];
  const buttons = all(form as Part, (each) => each.getAttribute?.("type") === "submit");
  assert.deepEqual([fields.length, buttons.length], [2, 1], "Enter in a field presses the button of its form");
  const focused: (boolean | undefined)[] = [];
  for (const field of fields) {
    Object.assign(field, { value: "", focus: () => focused.push(field.disabled) });
  }
  form?.dispatchEvent(new Event("submit", { cancelable: true }));
  assert.equal(fields[1]?.disabled, true, "while the links are read");
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(focused, [false], "a field that has the focus is not disabled");
  assert.match(textOf(part.element), /Paste the link to another agent here\./);
});

// The part of “Compare” in which two agents meet: its form has a submit button for Enter, and an error is shown at its
// field, which gets the focus.

import { textOf } from "./fake-dom";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Draft } from "../../www/core/draft";
import type { Hold } from "../../www/ui/compare/hold";
import { DuelPart } from "../../www/ui/duel/duel-part";

/** A node of fake-dom. A text has neither children nor attributes. */
interface FakeNode {
  childNodes?: FakeNode[];
  disabled?: boolean;
  getAttribute?: (name: string) => string | null;
  dispatchEvent: (event: Event) => boolean;
}

/** All descendants with this value of an attribute. */
const descendants = (node: FakeNode, name: string, value: string): FakeNode[] =>
  (node.childNodes ?? []).flatMap((child) => [
    ...(child.getAttribute?.(name) === value ? [child] : []),
    ...descendants(child, name, value),
  ]);

test("without a second link, submitting shows the error at the second field, which is enabled and focused", async () => {
  // The lock by which one part of “Compare” computes at a time; here nobody holds it.
  const hold = { holder: null, on: () => () => {}, set: () => {} } as unknown as Hold;
  const draft = { lab: {}, run: {} } as unknown as Draft;
  const part = new DuelPart(draft, hold, () => Promise.reject(new Error("not reached")), null);
  const element = part.element as unknown as FakeNode;
  const [form] = descendants(element, "class", "duel-form");
  assert.ok(form);
  const fields = descendants(form, "type", "text");
  const buttons = descendants(form, "type", "submit");
  assert.deepEqual([fields.length, buttons.length], [2, 1], "so Enter in a field submits the form");
  const focused: { index: number; disabled: boolean | undefined }[] = [];
  for (const [index, field] of fields.entries())
    Object.assign(field, { value: "", focus: () => focused.push({ index, disabled: field.disabled }) });
  form.dispatchEvent(new Event("submit", { cancelable: true }));
  assert.equal(fields[1]?.disabled, true, "while the links are read");
  // Lets the promises of the handler settle: an empty field is refused without any I/O.
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(focused, [{ index: 1, disabled: false }]);
  const [problem] = descendants(element, "id", fields[1]?.getAttribute?.("aria-describedby") ?? "");
  assert.ok(problem);
  assert.match(textOf(problem), /Paste the link to another agent here\./);
});

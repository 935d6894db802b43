// What the dialog of a class shows of a code: its text, and a QR code that can be enlarged if it is short enough for one.

import { textOf } from "./fake-dom";
import assert from "node:assert/strict";
import { test } from "node:test";
import { codeElements } from "../../www/class/code-dialog";
import { MAX_QR_CHARACTERS } from "../../www/class/qr";

Object.assign(globalThis, { location: new URL("https://example.org/page/") });

/** The elements below one, itself included. */
const allOf = (node: Element): Element[] => [node, ...[...node.children].flatMap(allOf)];
const shown = async (code: string) => (await codeElements("Result code", code)).flatMap(allOf);
const buttonOf = (elements: Element[], text: string) => elements.findLast((each) => each.textContent === text);

test("QR code of a code is enlarged in a dialog of its own, which is gone when it is closed", async () => {
  const elements = await shown(`LC1.00000000.${"Ab".repeat(400)}`);
  const [qr] = elements;
  assert.equal(qr?.getAttribute("class"), "class-qr");
  buttonOf(elements, "Enlarge the QR code")?.dispatchEvent(new Event("click"));
  const [dialog] = [...document.body.children] as HTMLDialogElement[];
  assert.ok(dialog);
  assert.equal(dialog.getAttribute("class"), "dialog class-large");
  assert.equal(dialog.getAttribute("open"), "");
  assert.match(textOf(dialog), /^Result code/);
  const large = allOf(dialog).find((each) => each.getAttribute("class") === "class-qr");
  assert.ok(large && large !== qr, "the picture stays in its place");
  const drawn = (picture: Element) => picture.children[1]?.getAttribute("d");
  assert.ok((drawn(large)?.length ?? 0) > 1_000);
  assert.equal(drawn(large), drawn(qr));
  buttonOf(allOf(dialog), "Close")?.dispatchEvent(new Event("click"));
  assert.equal(document.body.children.length, 0);
});

test("code that is too long for a QR code has nothing to enlarge", async () => {
  const elements = await shown(`LC1.00000000.${"A".repeat(MAX_QR_CHARACTERS)}`);
  assert.ok(elements.every((each) => each.getAttribute("class") !== "class-qr"));
  assert.equal(buttonOf(elements, "Enlarge the QR code"), undefined);
  assert.ok(buttonOf(elements, "This code is too long for a QR code. Copy it as text."));
  assert.ok(buttonOf(elements, "Copy the code"));
});

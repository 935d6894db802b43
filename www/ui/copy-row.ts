// A read-only field with a button that copies its text.

import { button, el, listen, write } from "../core/dom";

/** How long the button says that it has copied. */
const COPIED_MS = 1600;

/** A field to copy from. Screen readers announce it as `label`. `mono` is for commands and hashes. */
export function copyableField(id: string, label: string, { mono = false } = {}): HTMLInputElement {
  return el("input", { class: mono ? "copyable mono" : "copyable", readonly: true, id, "aria-label": label });
}

/** The field with its button. */
export function copyRow(field: HTMLInputElement): HTMLElement {
  const copy = async () => {
    const done = await copyText(field.value);
    if (!done) field.select(); // for the visitor to copy
    write(copyButton, done ? "Copied" : "Press Ctrl+C or ⌘C");
    setTimeout(() => write(copyButton, "Copy"), COPIED_MS);
  };
  const copyButton = button("Copy", () => void copy(), { class: "copy" });
  listen(field, { focus: () => field.select() });
  return el("div", { class: "copy-row" }, field, copyButton);
}

/** Puts the text on the clipboard. Returns whether that is allowed here. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

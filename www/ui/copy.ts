// Buttons that copy a text, alone or beside a read-only field with the text.

import { button, el, listen, write } from "../core/dom";

/** How long the button says that it has copied. */
const COPIED_MS = 1600;

/** A field to copy from. Screen readers announce it as `label`. `mono` is for commands and hashes. */
export function copyableField(id: string, label: string, { mono = false } = {}): HTMLInputElement {
  return el("input", { class: mono ? "copyable mono" : "copyable", readonly: true, id, "aria-label": label });
}

/** The field with its button. */
export function copyRow(field: HTMLInputElement): HTMLElement {
  const copy = copyButton("Copy", () => field.value, { class: "copy", select: () => field.select() });
  listen(field, { focus: () => field.select() });
  return el("div", { class: "copy-row" }, field, copy);
}

/**
 * A button that copies a text. Where the page may not use the clipboard, `select` selects the text for the visitor to
 * copy; without it the button says that it is not allowed. `done` is told whether the text was copied.
 */
export function copyButton(
  label: string,
  text: () => string,
  { class: extraClass, select, done }: { class?: string; select?: () => void; done?: (isCopied: boolean) => void } = {},
): HTMLButtonElement {
  const copy = async () => {
    const isCopied = await copyText(text());
    if (!isCopied) select?.();
    write(node, isCopied ? "Copied" : select ? "Press Ctrl+C or ⌘C" : "Not allowed here");
    done?.(isCopied);
    setTimeout(() => write(node, label), COPIED_MS);
  };
  const node = button(label, () => void copy(), extraClass === undefined ? {} : { class: extraClass });
  return node;
}

/** Puts the text on the clipboard. Returns whether that is allowed here. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

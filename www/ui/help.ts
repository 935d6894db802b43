// The dialog that lists the keyboard shortcuts: those of the lab's picture, then those of the page.

import { button, dialogIsOpen, el, listen } from "../core/dom";
import { createDialog } from "./dialog";

type Shortcut = [keys: string, action: string];

const COMMON_SHORTCUTS: Shortcut[] = [
  ["Space", "run or pause training"],
  [".", "make one training step"],
  ["[ ]", "train slower, faster"],
  ["S", "save a checkpoint"],
  ["← → Home End", "on the timeline: go to an earlier moment, and back to now"],
  ["?", "show these shortcuts"],
];

export function openHelpDialog(labShortcuts: Shortcut[]): void {
  if (dialogIsOpen()) return;
  // Keys are separated by spaces.
  const rows = [...labShortcuts, ...COMMON_SHORTCUTS].flatMap(([keys, action]) => [
    el("dt", {}, ...keys.split(" ").map((key) => el("kbd", { text: key }))),
    el("dd", { text: action }),
  ]);
  const dialog: HTMLDialogElement = createDialog(
    { titleId: "help-title", title: "Keyboard shortcuts", closed: () => dialog.remove() },
    el("dl", { class: "keys" }, ...rows),
    button("Close", () => dialog.close()),
  );
  listen(dialog, { keydown: ({ key }) => key === "?" && dialog.close() });
  document.body.append(dialog);
  dialog.showModal();
}

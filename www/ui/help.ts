// The dialog that lists the keyboard shortcuts.

import { button, el, listen } from "../core/dom";
import { createDialog } from "./dialog";

type Shortcut = [keys: string, action: string];

const COMMON: Shortcut[] = [
  ["Space", "run or pause"],
  [".", "one step"],
  ["[ ]", "slower, faster"],
  ["S", "save a checkpoint"],
  ["?", "this help"],
];

export function helpDialog(): { element: HTMLDialogElement; open: (labShortcuts: Shortcut[]) => void } {
  const list = el("dl", { class: "keys" });
  const close = button("Close", () => element.close());
  const element: HTMLDialogElement = createDialog({ titleId: "help-title", title: "Keys" }, list, close);
  listen(element, { keydown: ({ key }) => key === "?" && element.close() });
  return {
    element,
    open(labShortcuts) {
      const rows = [...labShortcuts, ...COMMON].flatMap(([keys, action]) => [
        el("dt", {}, ...keys.split(" ").map((key) => el("kbd", { text: key }))),
        el("dd", { text: action }),
      ]);
      list.replaceChildren(...rows);
      element.showModal();
    },
  };
}

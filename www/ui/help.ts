// The overlay with all keys.

import { el } from "../core/dom";

export function helpDialog(): { element: HTMLDialogElement; open(labKeys: [string, string][]): void } {
  const list = el("dl", { class: "keys" });
  const close = el("button", { type: "button", text: "Close" });
  const element = el(
    "dialog",
    { class: "help", "aria-labelledby": "help-title" },
    el("h2", { id: "help-title", text: "Keys" }),
    list,
    close,
  );
  close.addEventListener("click", () => element.close());
  element.addEventListener("click", (event) => {
    if (event.target === element) element.close();
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === "?") element.close();
  });
  const keys: [string, string][] = [
    ["Space", "run or pause"],
    [".", "one step"],
    ["[ ]", "slower, faster"],
    ["S", "save a checkpoint"],
    ["?", "this help"],
  ];
  return {
    element,
    open(labKeys) {
      const rows = [...labKeys, ...keys].flatMap(([names, does]) => [
        el("dt", {}, ...names.split(" ").map((name) => el("kbd", { text: name }))),
        el("dd", { text: does }),
      ]);
      list.replaceChildren(...rows);
      element.showModal();
    },
  };
}

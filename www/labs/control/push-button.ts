// A button that pushes a world as long as it is held, like its arrow key: on the stage and in a race.

import { el } from "../../core/dom";
import { listenHold } from "./hold";

export type PushKey = "ArrowLeft" | "ArrowRight";

/** Creates a button for a push; `setHeld` is told when it is held and released. */
export function pushButton(key: PushKey, label: string, symbol: string, setHeld: (down: boolean) => void): HTMLElement {
  const button = el("button", {
    class: `push ${key}`,
    type: "button",
    "aria-label": label,
    title: label,
    text: symbol,
  });
  listenHold(button, setHeld);
  return button;
}

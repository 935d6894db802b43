// A button that pushes a world as long as it is held, like its arrow key: on the stage and in a race.

import { el, listen } from "../../core/dom";

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
  const release = () => setHeld(false);
  listen(button, {
    pointerdown: (event) => {
      button.setPointerCapture(event.pointerId);
      setHeld(true);
    },
    pointerup: release,
    pointercancel: release,
    lostpointercapture: release,
    blur: release,
    keyup: release,
    keydown: (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
      setHeld(true);
    },
  });
  return button;
}

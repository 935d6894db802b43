// Buttons that act as long as they are held, by the pointer or by Space and Enter.

import { listen } from "../../core/dom";

/** Calls `hold` with true when a button is pressed, and with false when it is released. */
export function listenHold(node: HTMLButtonElement, hold: (down: boolean) => void): void {
  const release = () => hold(false);
  listen(node, {
    pointerdown: (event) => {
      node.setPointerCapture(event.pointerId);
      hold(true);
    },
    pointerup: release,
    pointercancel: release,
    lostpointercapture: release,
    blur: release,
    keyup: release,
    keydown: (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      // Shortcuts of the page do not see the key.
      event.stopPropagation();
      hold(true);
    },
  });
}

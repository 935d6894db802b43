// The switch for letters on the stickers, which serves colour-blind visitors. The choice is kept for the next visit.

import { el, listen } from "../../core/dom";
import type { CubeAnimation } from "./cube-animation";

const STORAGE_KEY = "learnery:cube-letters";

/** Creates the switch, and shows the letters if the visitor has switched them on before. */
export function lettersSwitch(animation: CubeAnimation): HTMLElement {
  const box = el("input", { type: "checkbox", class: "switch" });
  box.checked = animation.drawing.letters = loadChoice();
  listen(box, {
    change: () => {
      animation.drawing.letters = box.checked;
      animation.paint();
      saveChoice(box.checked);
    },
  });
  const title = "Write the first letter of its colour on each sticker";
  return el("label", { class: "check", title }, box, "Letters");
}

function loadChoice(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === "true";
  } catch {
    return false; // Storage may be forbidden.
  }
}

function saveChoice(on: boolean): void {
  try {
    localStorage.setItem(STORAGE_KEY, String(on));
  } catch {
    // Where storage is forbidden, the choice applies to this visit only.
  }
}

// The choice of what it reads, as a row of small signs.

import { el } from "../../core/dom";
import { OFFERS } from "./offers";
import type { LanguageSource } from "../../generated/protocol";

export class SourceSwitch {
  readonly element = el("div", { class: "worlds language-sources", role: "group", "aria-label": "What it reads" });
  #buttons = new Map<LanguageSource, HTMLElement>();

  constructor(choose: (source: LanguageSource) => void) {
    for (const { source, name, task, sign } of Object.values(OFFERS)) {
      const button = el(
        "button",
        { type: "button", class: "world", title: task, "aria-pressed": "false" },
        el("span", { class: "language-sign mono", "aria-hidden": "true", text: sign }),
        el("span", { class: "world-name", text: name }),
      );
      // One's own text may be changed for another.
      const chosen = () => source !== "text" && button.getAttribute("aria-pressed") === "true";
      button.addEventListener("click", () => chosen() || choose(source));
      this.#buttons.set(source, button);
      this.element.append(button);
    }
  }

  show(source: LanguageSource): void {
    for (const [each, button] of this.#buttons) button.setAttribute("aria-pressed", String(each === source));
  }
}

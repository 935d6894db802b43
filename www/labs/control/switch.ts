// The choice of world, as a row of small drawings.

import { el, svg } from "../../core/dom";
import type { World } from "../../generated/protocol";
import { KINDS } from "./worlds/list";

export class WorldSwitch {
  readonly element = el("div", { class: "worlds", role: "group", "aria-label": "World" });
  #buttons = new Map<World, HTMLElement>();

  constructor(choose: (world: World) => void) {
    for (const { world, name, task, sign } of Object.values(KINDS)) {
      const picture = svg(
        "svg",
        { viewBox: "0 0 40 28", class: "world-sign", "aria-hidden": "true" },
        svg("path", { d: sign.still }),
        svg("path", { d: sign.moving, class: "moving" }),
      );
      const button = el(
        "button",
        { type: "button", class: "world", "aria-pressed": "false" },
        picture as unknown as HTMLElement,
        el("span", { class: "world-name", text: name }),
        el("span", { class: "world-task", text: task }),
      );
      button.addEventListener("click", () => button.getAttribute("aria-pressed") === "true" || choose(world));
      this.#buttons.set(world, button);
      this.element.append(button);
    }
  }

  show(world: World): void {
    for (const [each, button] of this.#buttons) button.setAttribute("aria-pressed", String(each === world));
  }
}

// The choice of experiment, as a row of small pictures.

import { el, svg } from "../../core/dom";
import { OFFERS } from "./experiments";
import type { LogicExperiment } from "../../generated/protocol";

export class ExperimentSwitch {
  readonly element = el("div", { class: "worlds logic-worlds", role: "group", "aria-label": "Experiment" });
  #buttons = new Map<LogicExperiment, HTMLElement>();

  constructor(choose: (experiment: LogicExperiment) => void) {
    for (const { experiment, name, task, sign } of Object.values(OFFERS)) {
      const button = el(
        "button",
        { type: "button", class: "world", "aria-pressed": "false" },
        pixels(sign) as unknown as HTMLElement,
        el("span", { class: "world-name", text: name }),
        el("span", { class: "world-task", text: task }),
      );
      button.addEventListener("click", () => button.getAttribute("aria-pressed") === "true" || choose(experiment));
      this.#buttons.set(experiment, button);
      this.element.append(button);
    }
  }

  show(experiment: LogicExperiment): void {
    for (const [each, button] of this.#buttons) button.setAttribute("aria-pressed", String(each === experiment));
  }
}

function pixels(rows: readonly string[]): SVGSVGElement {
  const path = (sign: string) =>
    rows.flatMap((row, y) => [...row].map((each, x) => (each === sign ? `M${x} ${y}h.9v.9h-.9z` : ""))).join("");
  return svg(
    "svg",
    { viewBox: "0 0 6 6", class: "world-sign", "aria-hidden": "true" },
    svg("path", { d: path("o") }),
    svg("path", { d: path("#"), class: "moving" }),
  );
}

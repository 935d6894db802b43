// The button that resets a setting to its default, beside its name or value.

import { el } from "../core/dom";
import { icon } from "./icons";

export function resetButton(label: string, press: () => void): HTMLButtonElement {
  const attributes = { class: "reset", type: "button", title: "Reset to the default", "aria-label": label };
  return el("button", { ...attributes, on: { click: press } }, icon("restart"));
}

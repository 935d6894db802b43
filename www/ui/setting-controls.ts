// The controls of settings: a slider, a text box, a list of choices, a switch. Each shows a value and reports another
// one. The dials beside the picture and the settings panel are made of them.

import { el, listen } from "../core/dom";
import type { NumberField } from "../core/fields";
import { withUnit } from "../core/format";
import { choiceLabel } from "../core/labels";
import { parseValue, settingText } from "../core/link";
import type { Field, JsonValue } from "../generated/protocol";
import { SliderScale } from "./slider-scale";

export type ChoiceField = Extract<Field, { kind: "choice" }>;

export interface Control {
  element: HTMLElement;
  /** Shows a value. */
  draw: (value: JsonValue) => void;
}

/** Reports a value that the visitor has chosen. */
type Report = (value: JsonValue) => void;

/** A slider, which is named after its setting. The element with the id `help` describes it. */
export function sliderControl(field: NumberField, help: string, report: Report): Control {
  const scale = new SliderScale(field);
  const slider = el("input", {
    type: "range",
    min: 0,
    max: scale.notches,
    step: 1,
    "aria-label": field.title,
    "aria-describedby": help,
  });
  let shown = 0;
  listen(slider, { input: () => report(scale.valueFrom(shown, Number(slider.value))) });
  const draw = (value: JsonValue) => {
    shown = Number(value);
    const notch = scale.notch(shown);
    slider.value = String(notch);
    slider.style.setProperty("--fill", `${(notch / scale.notches) * 100}%`);
    slider.setAttribute("aria-valuetext", withUnit(settingText(value), field.unit));
  };
  return { element: slider, draw };
}

/**
 * A text box for a number. `problem` gets a sentence about a text that is refused, and null once it is accepted or the
 * value is shown again.
 */
export function numberControl(
  field: NumberField,
  { id, help }: { id: string; help: string },
  report: Report,
  problem: (sentence: string | null) => void,
): Control {
  const box = el("input", {
    type: "text",
    inputmode: "decimal",
    id,
    class: "num",
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": help,
  });
  const accept = () => {
    box.removeAttribute("aria-invalid");
    problem(null);
  };
  const change = () => {
    const parsed = parseValue(field, box.value);
    if ("problem" in parsed) {
      box.setAttribute("aria-invalid", "true");
      problem(parsed.problem);
    } else {
      accept();
      box.value = settingText(parsed.value);
      report(parsed.value);
    }
  };
  listen(box, { change });
  let shown: JsonValue = null;
  const draw = (value: JsonValue) => {
    // What the visitor is typing stays, also when it was refused, until the setting has another value: this is called
    // for every change of any setting.
    if (document.activeElement === box && value === shown) return;
    shown = value;
    box.value = settingText(value);
    if (box.hasAttribute("aria-invalid")) accept();
  };
  return { element: box, draw };
}

export function choiceControl(field: ChoiceField, { id, help }: { id: string; help: string }, report: Report): Control {
  const options = field.options.map((option) => el("option", { value: option, text: choiceLabel(option) }));
  const select = el("select", { id, "aria-describedby": help }, ...options);
  listen(select, { change: () => report(select.value) });
  return { element: select, draw: (value) => (select.value = settingText(value)) };
}

export function switchControl({ id, help }: { id: string; help: string }, report: Report): Control {
  const box = el("input", { type: "checkbox", id, class: "switch", "aria-describedby": help });
  listen(box, { change: () => report(box.checked) });
  return { element: box, draw: (value) => (box.checked = value === true) };
}

/** Thrown for options of evaluations, which are no settings. */
export function noSetting({ name }: Field): Error {
  return new Error(`${name} is an option of evaluations and not a setting`);
}

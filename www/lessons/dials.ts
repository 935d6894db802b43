// The sliders, lists and switches of a block: settings of the lab that the reader may change. And what runs with such
// settings have come to, as a list.

import { el, write } from "../core/dom";
import { applies, isNumeric } from "../core/fields";
import { settingText, type Settings } from "../core/values";
import type { Field, JsonValue } from "../generated/protocol";
import { choiceControl, sliderControl, switchControl, type Control } from "../ui/setting-controls";
import { explainedSetting } from "../ui/term";
import type { RunPart, SeedsPart } from "./format";
import { triesOf } from "./sent-results";
import type { LessonState } from "./state";

export class Dials {
  readonly element = el("div", { class: "lesson-dials", hidden: true });
  #dials: { element: HTMLElement; draw: () => void }[];

  /** `settings` are all settings that the next run has; `choose` is called with those that the reader may change. */
  constructor(
    readonly part: RunPart | SeedsPart,
    readonly state: LessonState,
    readonly settings: () => Settings,
    readonly choose: (chosen: Settings) => void,
    ...after: HTMLElement[]
  ) {
    this.element.style.setProperty("--dials", String(part.dials.length));
    const fields = part.dials.flatMap((name) => state.lab.fields.find((each) => each.name === name) ?? []);
    this.#dials = fields.map((field) => this.#dial(field));
    this.element.replaceChildren(...this.#dials.map(({ element }) => element), ...after);
    this.draw();
  }

  draw(): void {
    for (const { draw } of this.#dials) draw();
  }

  #dial(field: Field): { element: HTMLElement; draw: () => void } {
    const { part, state } = this;
    const id = `lesson-${part.name}-${field.name}`;
    const help = `${id}-help`;
    const set = (value: JsonValue) => {
      const settings = { ...this.settings(), [field.name]: value };
      const chosen = Object.fromEntries(part.dials.map((name) => [name, settings[name] as JsonValue]));
      state.setDials(part.name, chosen);
      this.choose(chosen);
    };
    const control: Control | null = isNumeric(field)
      ? sliderControl(field, help, set)
      : field.kind === "choice"
        ? choiceControl(field, { id, help }, set)
        : field.kind === "switch"
          ? switchControl({ id, help }, set)
          : null;
    const value = el("span", { class: "num lesson-dial-value" });
    const name = explainedSetting(field, state.lab.about.id, state.hasOpenPredictions);
    const label = isNumeric(field) ? el("span", {}, name) : el("label", { for: id }, name);
    const helpText = el("span", { class: "unseen", id: help, text: field.help });
    const element = el("div", { class: "lesson-dial" }, label, control?.element, value, helpText);
    const draw = () => {
      const settings = this.settings();
      const now = settings[field.name] as JsonValue;
      control?.draw(now);
      write(value, isNumeric(field) ? settingText(now) : "");
      element.hidden = !applies(field, settings);
    };
    return { element, draw };
  }
}

/** What the runs of a block with different settings have come to. */
export class Tries {
  #list = el("ol", {});
  readonly element = el(
    "div",
    { class: "lesson-tries", hidden: true },
    el("p", { text: "Settings you have tried" }),
    this.#list,
  );

  draw(state: LessonState, part: RunPart | SeedsPart): void {
    const tries = triesOf(state, part);
    this.element.hidden = tries.length === 0;
    const shown = [...this.#list.children].map(({ textContent }) => textContent);
    if (shown.join("\n") !== tries.join("\n")) this.#list.replaceChildren(...tries.map((text) => el("li", { text })));
  }
}

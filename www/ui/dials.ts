// The dials: the few settings that matter most in a lab, beside its picture (in a narrow window in a sheet). They have
// a preset, the settings that have an effect beside the chosen learner or task, and a way to all settings.

import { button, el, listen, write } from "../core/dom";
import type { Draft } from "../core/draft";
import { applies, isNumeric, mainFields } from "../core/fields";
import { formatCount, withUnit } from "../core/format";
import { settingText } from "../core/link";
import { offeredPresets, presetOf, presetSettings } from "../core/presets";
import type { Field, JsonValue } from "../generated/protocol";
import { resetButton } from "./reset-button";
import { choiceControl, noSetting, sliderControl, switchControl, type Control } from "./setting-controls";
import { explainedSetting } from "./term";
import { describeWaiting } from "./waiting";

/** At most this many waiting changes are listed; if there are more, only their number is shown. */
const MAX_LISTED = 2;
/** The value of the list of presets while the settings match no preset. */
const NO_PRESET = "";

export class Dials {
  readonly element: HTMLElement;
  #dials: Dial[];
  #restartDials: Dial[];
  #restartLabel = el("p", { class: "dials-label quiet", text: "Need a restart" });
  #presets = el("select", { id: "dial-preset" });
  #waiting = el("div", { class: "dials-waiting", hidden: true });
  #waitingText = el("p", { role: "status" });

  constructor(
    readonly draft: Draft,
    restart: () => void,
    /** Shows all settings, and moves the focus to one if it is given. */
    showSettings: (name?: string) => void,
  ) {
    const { live, restart: needRestart } = mainFields(draft.lab.fields);
    const create = (field: Field) => new Dial(draft, field, () => showSettings(field.name));
    const liveDials = live.map(create);
    this.#restartDials = needRestart.map(create);
    this.#dials = [...liveDials, ...this.#restartDials];
    this.#createPresets();
    this.#waiting.append(
      this.#waitingText,
      button("Restart to apply", restart, { class: "small apply" }),
      button("Discard", () => draft.resetToRun(), { class: "small" }),
    );
    this.element = el(
      "section",
      { class: "dials", "aria-label": "Dials" },
      el(
        "div",
        { class: "dials-head" },
        el("h2", { text: "Dials" }),
        el("button", { type: "button", class: "link", text: "All settings", on: { click: () => showSettings() } }),
      ),
      el(
        "div",
        { class: "dial" },
        el("label", { class: "dial-name", for: this.#presets.id, text: "preset" }),
        this.#presets,
      ),
      ...liveDials.map(({ element }) => element),
      this.#restartLabel,
      ...this.#restartDials.map(({ element }) => element),
      this.#waiting,
    );
    draft.on("changed", () => this.#draw());
    this.#draw();
  }

  #createPresets(): void {
    const offered = offeredPresets(this.draft.lab);
    const options = this.draft.lab.about.presets.map((preset) =>
      el("option", {
        value: preset.name,
        text: preset.title,
        title: preset.help,
        hidden: !offered.includes(preset),
      }),
    );
    this.#presets.append(el("option", { value: NO_PRESET, text: "Own settings", hidden: true }), ...options);
    const choose = () => {
      const preset = this.draft.lab.about.presets.find(({ name }) => name === this.#presets.value);
      if (preset) this.draft.usePreset(presetSettings(preset));
    };
    listen(this.#presets, { change: choose });
  }

  #draw(): void {
    const { draft } = this;
    for (const dial of this.#dials) dial.draw();
    this.#restartLabel.hidden = this.#restartDials.every(({ element }) => element.hidden);
    const preset = presetOf(draft.lab, draft.settings);
    this.#presets.value = preset ?? NO_PRESET;
    this.#presets.title = draft.lab.about.presets.find(({ name }) => name === preset)?.help ?? "";
    const waiting = describeWaiting(draft);
    this.#waiting.hidden = waiting.length === 0;
    const listed = waiting.length > MAX_LISTED ? formatCount(waiting.length, "change") : waiting.join(", ");
    write(this.#waitingText, waiting.length > 0 ? `Waiting for a restart: ${listed}.` : "");
  }
}

/** One setting as a row: its name, its control, its value, and a button that resets it. */
class Dial {
  readonly element: HTMLElement;
  #control: Control;
  #value = el("button", { type: "button", class: "dial-value num" });
  #reset: HTMLButtonElement;

  constructor(
    readonly draft: Draft,
    readonly field: Field,
    enterValue: () => void,
  ) {
    const { name, help } = field;
    const id = `dial-${name}`;
    const helpId = `${id}-help`;
    this.#reset = resetButton(`Reset ${field.title}`, () => draft.set(field, field.default));
    this.#control = this.#createControl(id, helpId);
    const value = isNumeric(field) && this.#value;
    listen(this.#value, { click: enterValue });
    const unit =
      field.unit && !field.title.includes(field.unit)
        ? el("span", { class: "dial-unit quiet", text: ` (${field.unit})` })
        : "";
    const explained = [explainedSetting(field, draft.lab.about.id), unit];
    // A slider is named after its setting itself.
    const label = isNumeric(field)
      ? el("span", { class: "dial-name" }, ...explained)
      : el("label", { class: "dial-name", for: id }, ...explained);
    this.element = el(
      "div",
      { class: "dial" },
      label,
      this.#reset,
      this.#control.element,
      value,
      el("span", { class: "unseen", id: helpId, text: help }),
    );
  }

  #createControl(id: string, help: string): Control {
    const { field } = this;
    const set = (value: JsonValue) => this.draft.set(field, value);
    if (field.kind === "switch") return switchControl({ id, help }, set);
    if (field.kind === "choice") return choiceControl(field, { id, help }, set);
    if (!isNumeric(field)) throw noSetting(field);
    return sliderControl(field, help, set);
  }

  draw(): void {
    const { draft, field } = this;
    const value = draft.settings[field.name] as JsonValue;
    this.element.hidden = !applies(field, draft.settings);
    this.#control.draw(value);
    const text = settingText(value);
    write(this.#value, text);
    this.#value.title = withUnit(text, field.unit);
    this.#value.setAttribute("aria-label", `${field.title} is ${text}: enter a value`);
    this.element.classList.toggle("changed", value !== field.default);
    this.element.classList.toggle("waits", draft.waits(field));
    this.#reset.style.visibility = value === field.default ? "hidden" : "";
  }
}

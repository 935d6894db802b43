// The settings panel. It is generated from the lab's schema, which has a `Field` for each setting. It shows presets
// (named settings), live settings, which take effect at once, other settings, which are marked until a restart applies
// them, and the seed. The draft holds what the visitor has chosen, next to what the run has.

import { button, el, listen, write } from "../core/dom";
import type { Draft } from "../core/draft";
import { splitHelp } from "../core/effects";
import { spaced } from "../core/format";
import { settingLabel } from "../core/labels";
import { MAX_SEED, parseValue, settingText } from "../core/link";
import { presetSettings } from "../core/presets";
import type { Field, JsonValue } from "../generated/protocol";
import { Choices } from "./choices";
import { icon } from "./icons";
import { SliderScale } from "./slider-scale";
import { explainedSetting, term } from "./term";

/** The button for another seed chooses among this many, so that seeds stay short. */
const RANDOM_SEEDS = 1000;

export class SettingsPanel {
  readonly element: HTMLElement;
  /** Lists the changes that wait for a restart. */
  #waiting = el("p", { class: "waiting-line", role: "status" });
  /** Functions that update the parts of the panel. */
  #updates: (() => void)[] = [];

  constructor(
    readonly draft: Draft,
    restart: () => void,
  ) {
    const { lab } = draft;
    const grid = (live: boolean) => {
      const fields = lab.fields.filter((field) => field.live === live);
      return el("div", { class: "setting-grid" }, ...fields.map((field) => this.#setting(field)));
    };
    const apply = button("Restart to apply", restart, { class: "apply" });
    this.element = el(
      "section",
      { class: "settings", "aria-labelledby": "settings-title" },
      el("div", { class: "section-head" }, el("h2", { id: "settings-title", text: "Settings" }), this.#presets()),
      el("h3", {}, "Change any time ", el("span", { class: "quiet", text: "takes effect at once" })),
      grid(true),
      el("h3", {}, "Needs a restart ", el("span", { class: "quiet", text: "takes effect in a new run" })),
      el(
        "div",
        { class: "setting-grid" },
        ...lab.fields.filter((f) => !f.live).map((f) => this.#setting(f)),
        this.#seed(),
      ),
      el("div", { class: "waiting-row" }, this.#waiting, apply),
    );
    draft.on("changed", () => this.#draw());
    this.#draw();
  }

  #presets(): HTMLElement {
    const { draft } = this;
    const { fields, about } = draft.lab;
    const presets = new Map(about.presets.map((preset) => [preset.name, presetSettings(preset)]));
    const choices = new Choices({
      class: "presets",
      buttonClass: "button preset",
      label: "Presets",
      choices: about.presets.map(({ name, title, help }) => ({ value: name, title: help, content: [title] })),
      choose: (name) => draft.usePreset(presets.get(name) ?? {}),
    });
    this.#updates.push(() => {
      const chosen = [...presets].find(([, settings]) =>
        fields.every((field) => draft.settings[field.name] === (settings[field.name] ?? field.default)),
      );
      choices.show(chosen?.[0] ?? null);
    });
    return choices.element;
  }

  /** A setting with its name, its control, a button that resets it, and its help. */
  #setting(field: Field): HTMLElement {
    const id = `setting-${field.name}`;
    const reset = el("button", {
      class: "reset",
      type: "button",
      title: "Reset to the default",
      "aria-label": `${settingLabel(field.name)}: reset to the default`,
    });
    reset.append(icon("restart"));
    listen(reset, { click: () => set(field.default) });
    const { sentence } = splitHelp(field.help);
    const help = el("p", { class: "setting-help", id: `${id}-help`, text: sentence });
    /** Shows a problem in place of the help, or the help again for null. */
    const showProblem = (problem: string | null) => {
      write(help, problem ?? sentence);
      help.classList.toggle("wrong", problem !== null);
    };
    const value = () => this.draft.settings[field.name] as JsonValue;
    const set = (next: JsonValue) => {
      showProblem(null);
      this.draft.set(field, next);
    };
    const control = this.#control(field, id, value, set, showProblem);
    const element = el(
      "div",
      { class: "setting" },
      el(
        "div",
        { class: "setting-head" },
        el("label", { for: id }, explainedSetting(field, this.draft.lab.about.id)),
        reset,
        ...control.head,
      ),
      ...control.body,
      help,
    );
    this.#updates.push(() => {
      element.classList.toggle("changed", value() !== field.default);
      element.classList.toggle("waits", !field.live && value() !== this.draft.run.settings[field.name]);
      reset.hidden = value() === field.default;
      control.draw();
    });
    return element;
  }

  /**
   * The control of a setting: what belongs beside its name, what belongs below, and a function that shows the value.
   */
  #control(
    field: Field,
    id: string,
    value: () => JsonValue,
    set: (next: JsonValue) => void,
    showProblem: (problem: string | null) => void,
  ): { head: HTMLElement[]; body: HTMLElement[]; draw: () => void } {
    if (field.kind === "switch") {
      const box = el("input", { type: "checkbox", id, class: "switch", "aria-describedby": `${id}-help` });
      listen(box, { change: () => set(box.checked) });
      return { head: [box], body: [], draw: () => (box.checked = value() === true) };
    }
    if (field.kind === "choice") {
      const select = el(
        "select",
        { id, "aria-describedby": `${id}-help` },
        ...field.options.map((o) => el("option", { value: o, text: spaced(o) })),
      );
      listen(select, { change: () => set(select.value) });
      return { head: [select], body: [], draw: () => (select.value = settingText(value())) };
    }
    if (field.kind === "file" || field.kind === "opponent") {
      throw new Error(`${field.name} is an option of evaluations and not a setting`);
    }
    const scale = new SliderScale(field);
    const box = el("input", {
      type: "text",
      inputmode: "decimal",
      id,
      class: "num",
      autocomplete: "off",
      spellcheck: "false",
      "aria-describedby": `${id}-help`,
    });
    const slider = el("input", {
      type: "range",
      min: 0,
      max: scale.notches,
      step: 1,
      "aria-label": settingLabel(field.name),
      "aria-describedby": `${id}-help`,
    });
    const unit = field.unit ? [el("span", { class: "setting-unit quiet", text: field.unit })] : [];
    listen(slider, { input: () => set(scale.value(Number(slider.value))) });
    const applyText = () => {
      const parsed = parseValue(field, box.value);
      if ("problem" in parsed) {
        showProblem(parsed.problem);
        box.setAttribute("aria-invalid", "true");
        return;
      }
      box.removeAttribute("aria-invalid");
      set(parsed.value);
    };
    listen(box, { change: applyText });
    const draw = () => {
      const now = Number(value());
      // A text that was refused stays while the visitor corrects it.
      const isCorrecting = document.activeElement === box && box.hasAttribute("aria-invalid");
      if (!isCorrecting) {
        box.value = String(now);
        box.removeAttribute("aria-invalid");
      }
      const notch = scale.notch(now);
      slider.value = String(notch);
      slider.style.setProperty("--fill", `${(notch / scale.notches) * 100}%`);
      slider.setAttribute("aria-valuetext", `${now} ${field.unit}`.trim());
    };
    return { head: [box, ...unit], body: [slider], draw };
  }

  /** The seed, with a button for another one. */
  #seed(): HTMLElement {
    const box = el("input", {
      type: "text",
      inputmode: "numeric",
      id: "setting-seed",
      class: "num",
      autocomplete: "off",
    });
    listen(box, {
      change: () => {
        const n = Number(box.value);
        if (box.value.trim() !== "" && Number.isInteger(n) && n >= 0 && n <= MAX_SEED) this.draft.setSeed(n);
        else box.value = String(this.draft.seed);
      },
    });
    const roll = el("button", {
      type: "button",
      class: "roll",
      title: "Choose a random seed",
      "aria-label": "Choose a random seed",
    });
    roll.append(icon("dice"));
    listen(roll, { click: () => this.draft.setSeed(Math.floor(Math.random() * RANDOM_SEEDS)) });
    const element = el(
      "div",
      { class: "setting" },
      el("div", { class: "setting-head" }, el("label", { for: "setting-seed" }, term("seed", "seed")), roll, box),
      el("p", {
        class: "setting-help",
        text: "Random seed: the same seed and settings give an identical run, bit for bit.",
      }),
    );
    this.#updates.push(() => {
      box.value = String(this.draft.seed);
      element.classList.toggle("waits", this.draft.seed !== this.draft.run.seed);
    });
    return element;
  }

  #draw(): void {
    for (const update of this.#updates) update();
    const waiting = this.draft.changesNeedingRestart();
    this.element.classList.toggle("has-waiting", waiting.length > 0);
    const { settings, seed } = this.draft.run;
    const change = (name: string) =>
      name === "seed"
        ? `seed ${seed} → ${this.draft.seed}`
        : `${settingLabel(name)} ${settingText(settings[name] ?? null)} → ${settingText(this.draft.settings[name] ?? null)}`;
    write(this.#waiting, waiting.length > 0 ? `Changes that need a restart: ${waiting.map(change).join(", ")}.` : "");
  }
}

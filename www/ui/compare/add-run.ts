// Adds runs to those that are compared: with the settings of the page, with one of them changed, or with another seed.

import { button, el, listen, write } from "../../core/dom";
import { MAX_CONTENDERS, type Contenders } from "../../core/contenders";
import type { Draft } from "../../core/draft";
import { sentenceEnd, spaced } from "../../core/format";
import { changedSettings, MAX_SEED, parseValue, settingText, type Settings } from "../../core/link";
import { dataLike } from "../../core/program";
import type { Field } from "../../generated/protocol";

export class AddRun {
  readonly element: HTMLElement;
  #buttons: HTMLButtonElement[];
  /** Shows or hides the form. */
  #toggleButton: HTMLButtonElement;
  #form: HTMLFormElement;
  #field: HTMLSelectElement;
  #valuePlace = el("span", {});
  /** The control for the value: a text field, or a list of what is allowed. */
  #value: HTMLInputElement | HTMLSelectElement = el("input", { type: "text" });
  #problem = el("p", { class: "compare-problem", role: "alert" });
  #stopListening: () => void;

  constructor(
    readonly draft: Draft,
    readonly contenders: Contenders,
  ) {
    const { lab } = draft;
    this.#toggleButton = button("Add with another setting…", () => this.#toggle(), {
      "aria-expanded": "false",
      "aria-controls": "compare-add",
    });
    this.#buttons = [
      button("Add this run as it is set", () => this.#add(draft.settings, draft.seed)),
      this.#toggleButton,
      button("Add another seed", () => this.#add(draft.settings, this.#freeSeed())),
    ];
    this.#field = el(
      "select",
      { id: "compare-setting" },
      ...lab.fields.map(({ name, title }) => el("option", { value: name, text: title })),
    );
    // The setting that visitors most often want to compare.
    if (lab.fields.some(({ name }) => name === "learning_rate")) this.#field.value = "learning_rate";
    listen(this.#field, { change: () => this.#showValue() });
    this.#form = el(
      "form",
      { class: "compare-add", id: "compare-add", hidden: true },
      el("label", { for: "compare-setting", text: "Setting" }),
      this.#field,
      el("label", { for: "compare-value", text: "Value" }),
      this.#valuePlace,
      el("button", { type: "submit", class: "button", text: "Add" }),
      this.#problem,
    );
    listen(this.#form, {
      submit: (event) => {
        event.preventDefault();
        this.#addChanged();
      },
    });
    this.element = el("div", {}, el("p", { class: "row compare-actions" }, ...this.#buttons), this.#form);
    this.#stopListening = contenders.on("changed", () => this.#draw());
    this.#showValue();
    this.#draw();
  }

  destroy(): void {
    this.#stopListening();
  }

  /** Shows or hides the choice of another setting. */
  #toggle(): void {
    this.#form.hidden = !this.#form.hidden;
    this.#toggleButton.setAttribute("aria-expanded", String(!this.#form.hidden));
    if (this.#form.hidden) return;
    this.#showValue();
    this.#field.focus();
  }

  get #chosen(): Field {
    return this.draft.lab.fields.find(({ name }) => name === this.#field.value) as Field;
  }

  /** Shows the control for the chosen setting, with its present value. */
  #showValue(): void {
    const field = this.#chosen;
    const options = field.kind === "choice" ? field.options : field.kind === "switch" ? ["true", "false"] : null;
    const shown = (option: string) => (field.kind === "switch" ? (option === "true" ? "on" : "off") : spaced(option));
    this.#value = options
      ? el("select", { id: "compare-value" }, ...options.map((value) => el("option", { value, text: shown(value) })))
      : el("input", { type: "text", inputmode: "decimal", id: "compare-value", class: "num", autocomplete: "off" });
    this.#value.value = settingText(this.draft.settings[field.name] ?? field.default);
    this.#valuePlace.replaceChildren(this.#value);
    write(this.#problem, "");
  }

  #addChanged(): void {
    const field = this.#chosen;
    const parsed = parseValue(field, this.#value.value);
    const isWrong = "problem" in parsed;
    this.#value.setAttribute("aria-invalid", String(isWrong));
    write(this.#problem, isWrong ? sentenceEnd(parsed.problem) : "");
    if (isWrong) return;
    this.#add({ ...this.draft.settings, [field.name]: parsed.value }, this.draft.seed);
  }

  #add(settings: Settings, seed: number): void {
    const { lab, run } = this.draft;
    // A new run learns the visitor's own data too, if the open run does.
    const data = dataLike(run.changes, lab.about.id, settings);
    this.contenders.add({ title: "", settings: changedSettings(lab, settings), seed, load: null, data });
  }

  /** The first seed that no run has, counted upwards from the page's seed. */
  #freeSeed(): number {
    const taken = new Set(this.contenders.list.map(({ seed }) => seed));
    let { seed } = this.draft;
    while (taken.has(seed)) seed = seed === MAX_SEED ? 0 : seed + 1;
    return seed;
  }

  #draw(): void {
    const isFull = this.contenders.list.length >= MAX_CONTENDERS;
    for (const each of [...this.#buttons, ...this.#form.querySelectorAll("button")]) {
      each.disabled = isFull;
      each.title = isFull ? `${MAX_CONTENDERS} runs are compared at most` : "";
    }
  }
}

// One setting in the settings panel: its name, its control, whether it waits for a restart, a button that resets it,
// and its help. The seed of the run is shown in the same way.

import { el, listen, write } from "../core/dom";
import type { Draft } from "../core/draft";
import { applies, isNumeric, matchesSearch } from "../core/fields";
import { splitHelp } from "../core/effects";
import { parseWhole } from "../core/recipe";
import type { Field, JsonValue } from "../generated/protocol";
import { icon } from "./icons";
import { resetButton } from "./reset-button";
import {
  choiceControl,
  noSetting,
  numberControl,
  sliderControl,
  switchControl,
  type Control,
} from "./setting-controls";
import { explainedSetting, term } from "./term";

/** The button for another seed chooses among this many, so that seeds stay short. */
const RANDOM_SEEDS = 1000;

export class Setting {
  readonly element: HTMLElement;
  #help: HTMLElement;
  /** What the setting is; its effects are explained at its name. */
  #sentence: string;
  #reset: HTMLButtonElement;
  #controls: Control[];

  constructor(
    readonly draft: Draft,
    readonly field: Field,
  ) {
    const { name, help } = field;
    const id = `setting-${name}`;
    this.#sentence = splitHelp(help).sentence;
    this.#help = el("p", { class: "setting-help", id: `${id}-help`, text: this.#sentence });
    this.#reset = resetButton(`${field.title}: reset to the default`, () => this.#set(field.default));
    const { head, body } = this.#createControls({ id, help: this.#help.id });
    this.#controls = [...head, ...body];
    const unit = field.unit && el("span", { class: "setting-unit quiet", text: field.unit });
    const tag = !field.live && el("span", { class: "setting-tag", text: "needs a restart" });
    this.element = el(
      "div",
      { class: "setting" },
      el(
        "div",
        { class: "setting-head" },
        el("label", { for: id }, explainedSetting(field, draft.lab.about.id)),
        tag,
        this.#reset,
        ...head.map(({ element }) => element),
        unit || null,
      ),
      ...body.map(({ element }) => element),
      this.#help,
    );
  }

  /** The controls beside the name, and those below it. */
  #createControls(ids: { id: string; help: string }): { head: Control[]; body: Control[] } {
    const { field } = this;
    const set = (value: JsonValue) => this.#set(value);
    if (field.kind === "switch") return { head: [switchControl(ids, set)], body: [] };
    if (field.kind === "choice") return { head: [choiceControl(field, ids, set)], body: [] };
    if (!isNumeric(field)) throw noSetting(field);
    const box = numberControl(field, ids, set, (problem) => this.#showProblem(problem));
    return { head: [box], body: [sliderControl(field, ids.help, set)] };
  }

  #set(value: JsonValue): void {
    this.draft.set(this.field, value);
  }

  /** Shows a problem in place of the help, or the help again for null. */
  #showProblem(problem: string | null): void {
    write(this.#help, problem ?? this.#sentence);
    this.#help.classList.toggle("wrong", problem !== null);
  }

  /** Shows the value, and the setting only if it has an effect and the search finds it. */
  draw(search: string): void {
    const { draft, field } = this;
    const value = draft.settings[field.name] as JsonValue;
    for (const control of this.#controls) control.draw(value);
    this.element.hidden = !applies(field, draft.settings) || !matchesSearch(field, search);
    this.element.classList.toggle("changed", this.changed);
    this.element.classList.toggle("waits", draft.waits(field));
    this.#reset.hidden = !this.changed;
  }

  get changed(): boolean {
    return this.draft.settings[this.field.name] !== this.field.default;
  }

  /** Moves the focus to the control. */
  focus(): void {
    this.#controls[0]?.element.focus();
  }
}

const SEED_HELP = "Random seed: the same seed and settings give an identical run, bit for bit.";

/** The seed, with a button for another one. */
export class SeedSetting {
  readonly element: HTMLElement;
  #box = el("input", { type: "text", inputmode: "numeric", id: "setting-seed", class: "num", autocomplete: "off" });
  #shown: number | undefined;

  constructor(readonly draft: Draft) {
    const box = this.#box;
    const change = () => {
      const seed = parseWhole(box.value);
      if (Number.isNaN(seed)) box.value = String(draft.seed);
      else {
        box.value = String(seed);
        draft.setSeed(seed);
      }
    };
    listen(box, { change });
    const label = "Choose a random seed";
    const roll = el("button", {
      type: "button",
      class: "roll",
      title: label,
      "aria-label": label,
      on: { click: () => draft.setSeed(Math.floor(Math.random() * RANDOM_SEEDS)) },
    });
    roll.append(icon("dice"));
    this.element = el(
      "div",
      { class: "setting" },
      el(
        "div",
        { class: "setting-head" },
        el("label", { for: box.id }, term("seed", "seed")),
        el("span", { class: "setting-tag", text: "needs a restart" }),
        roll,
        box,
      ),
      el("p", { class: "setting-help", text: SEED_HELP }),
    );
  }

  draw(search: string): void {
    const { seed } = this.draft;
    // What the visitor is typing stays, until the seed has another value.
    if (document.activeElement !== this.#box || seed !== this.#shown) this.#box.value = String(seed);
    this.#shown = seed;
    this.element.hidden = !SEED_HELP.toLowerCase().includes(search.toLowerCase());
    this.element.classList.toggle("waits", this.draft.seed !== this.draft.run.seed);
  }
}

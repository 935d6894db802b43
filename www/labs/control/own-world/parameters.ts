// The sliders of a world's parameters. They change the running world, not its text.

import { button, el } from "../../../core/dom";
import type { WorldParameter } from "../../../generated/protocol";
import { Slider } from "../../../ui/slider";
import { notchOf, NOTCHES, roundFor, roundIn } from "./notches";

export class Parameters {
  readonly element = el("section", { class: "own-world-parameters", "aria-label": "Parameters" });
  #sliders: Slider[] = [];
  #reset = button("As in the text", () => this.#resetAll(), { class: "small" });
  #shown: WorldParameter[] = [];

  constructor(readonly change: (index: number, value: number) => void) {}

  /** A world has these parameters, and these values of them. */
  show(parameters: WorldParameter[], values: readonly number[]): void {
    if (JSON.stringify(parameters) !== JSON.stringify(this.#shown)) this.#build(parameters);
    this.#sliders.forEach((slider, i) => slider.show(values[i] ?? 0));
    this.#reset.disabled = parameters.every(({ value }, i) => value === values[i]);
  }

  #build(parameters: WorldParameter[]): void {
    this.#shown = parameters;
    this.#sliders = parameters.map(
      ({ name, low, high, value }, index) =>
        new Slider({
          class: "slider own-world-slider",
          label: name,
          title: `The parameter ${name}, from ${low} to ${high}`,
          notches: NOTCHES,
          // The usual value has a notch of its own, so that it can be set again exactly.
          value: (notch) => (notch === notchOf(value, low, high) ? value : roundIn(low, high, notch)),
          notch: (wanted) => notchOf(wanted, low, high),
          format: (shown) => String(roundFor(low, high, shown)),
          change: (wanted) => {
            this.#reset.disabled = false;
            this.change(index, wanted);
          },
        }),
    );
    this.element.hidden = parameters.length === 0;
    this.element.replaceChildren(
      el("div", { class: "own-world-head" }, el("h3", { text: "Parameters" }), this.#reset),
      ...this.#sliders.map(({ element }) => element),
    );
  }

  #resetAll(): void {
    this.#shown.forEach(({ value }, i) => this.change(i, value));
    this.#build([...this.#shown]);
    this.show(
      this.#shown,
      this.#shown.map(({ value }) => value),
    );
  }
}

// A small slider with its label and value, for a quantity of a lab's stage (its interactive picture), such as the
// temperature of sampling. It follows the lab's value, except while the visitor moves it. Its positions (notches) are
// converted to values by its owner.

import { el, listen, write } from "../core/dom";
import { term } from "./term";

interface SliderOptions {
  /** The CSS class of its element. */
  class: string;
  label: string;
  /** The name in docs/glossary.md under which the label is explained, if it is. */
  term?: string;
  title: string;
  /** The last position; the first is 0. */
  notches: number;
  /** Converts a position to a value, and back. */
  value: (notch: number) => number;
  notch: (value: number) => number;
  format: (value: number) => string;
  change: (value: number) => void;
}

/** For this long after the visitor's last move, the lab's data may still contain the old value and are ignored. */
const IGNORE_VIEWS_MS = 500;

export class Slider {
  readonly element: HTMLElement;
  #input: HTMLInputElement;
  #output = el("output", { class: "num" });
  #movedAt = -Infinity;

  constructor(readonly options: SliderOptions) {
    const { label, term: name, title, notches, value, change } = options;
    this.#input = el("input", { type: "range", min: 0, max: notches, step: 1, "aria-label": title });
    listen(this.#input, {
      input: () => {
        this.#movedAt = performance.now();
        change(value(this.#input.valueAsNumber));
        this.#update();
      },
    });
    this.element = el(
      "label",
      name ? { class: options.class } : { class: options.class, title },
      el("span", {}, name ? term(label, name) : label),
      this.#input,
      this.#output,
    );
    this.#update();
  }

  /** Shows the lab's value. */
  show(value: number): void {
    if (performance.now() - this.#movedAt < IGNORE_VIEWS_MS) return;
    const notch = String(Math.round(this.options.notch(value)));
    if (notch === this.#input.value) return;
    this.#input.value = notch;
    this.#update();
  }

  #update(): void {
    const { notches, value, format } = this.options;
    const notch = this.#input.valueAsNumber;
    const text = format(value(notch));
    this.#input.style.setProperty("--fill", `${(100 * notch) / notches}%`);
    this.#input.setAttribute("aria-valuetext", text);
    write(this.#output, text);
  }
}

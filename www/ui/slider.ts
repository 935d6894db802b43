// A small slider with label and value. It follows the lab except while it is moved.

import { el, listen, write } from "../core/dom";

interface SliderOptions {
  /** The class of its element. */
  class: string;
  label: string;
  title: string;
  notches: number;
  /** Converts a position to a value, and back. */
  value: (notch: number) => number;
  notch: (value: number) => number;
  format: (value: number) => string;
  change: (value: number) => void;
}

/** After a move the lab's value may be outdated for so long. */
const HELD_MS = 500;

export class Slider {
  readonly element: HTMLElement;
  #input: HTMLInputElement;
  #output = el("output", { class: "num" });
  #movedAt = -Infinity;

  constructor(readonly options: SliderOptions) {
    const { label, title, notches, value, change } = options;
    this.#input = el("input", { type: "range", min: 0, max: notches, step: 1, "aria-label": title });
    listen(this.#input, {
      input: () => {
        this.#movedAt = performance.now();
        change(value(this.#input.valueAsNumber));
        this.#update();
      },
    });
    this.element = el("label", { class: options.class, title }, el("span", { text: label }), this.#input, this.#output);
    this.#update();
  }

  /** Shows the value of the lab. */
  show(value: number): void {
    if (performance.now() - this.#movedAt < HELD_MS) return;
    const notch = String(Math.round(this.options.notch(value)));
    if (notch === this.#input.value) return;
    this.#input.value = notch;
    this.#update();
  }

  #update(): void {
    const { notches, value, format: words } = this.options;
    const notch = this.#input.valueAsNumber;
    const text = words(value(notch));
    this.#input.style.setProperty("--fill", `${(100 * notch) / notches}%`);
    this.#input.setAttribute("aria-valuetext", text);
    write(this.#output, text);
  }
}

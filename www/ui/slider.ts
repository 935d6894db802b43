// A small slider with its name before it and its value behind, which follows the lab unless somebody holds it.

import { el, listen, write } from "../core/dom";

interface SliderOptions {
  /** Of its element, by which a lab arranges it. */
  class: string;
  label: string;
  title: string;
  notches: number;
  /** The value at a notch, and the notch of a value. */
  value: (notch: number) => number;
  notch: (value: number) => number;
  format: (value: number) => string;
  change: (value: number) => void;
}

/** For so long after a move the lab's answer may still be on its way. */
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

  /** The value as the lab has it. */
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

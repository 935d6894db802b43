// A text field for a whole number, with a sentence about what it takes if it gets something else.

import { el, listen, write } from "../../core/dom";
import { formatInteger } from "../../core/format";

interface NumberBoxOptions {
  id: string;
  label: string;
  min: number;
  max: number;
  /** The first value; null for an empty field, which then stands for "none". */
  value: number | null;
  /** Called after a change that is allowed. */
  changed?: () => void;
}

export class NumberBox {
  readonly element: HTMLElement;
  value: number | null;
  #input: HTMLInputElement;
  #problem = el("span", { class: "compare-problem", role: "alert" });

  constructor({ id, label, min, max, value, changed }: NumberBoxOptions) {
    this.value = value;
    const isOptional = value === null;
    this.#input = el("input", {
      type: "text",
      inputmode: "numeric",
      id,
      class: "num compare-number",
      autocomplete: "off",
      placeholder: isOptional ? "none" : undefined,
      value: value ?? "",
    });
    listen(this.#input, {
      change: () => {
        const text = this.#input.value.trim();
        const n = text === "" ? NaN : Number(text);
        const isAllowed = (isOptional && text === "") || (Number.isInteger(n) && n >= min && n <= max);
        this.#input.setAttribute("aria-invalid", String(!isAllowed));
        write(
          this.#problem,
          isAllowed ? "" : `It takes a whole number from ${formatInteger(min)} to ${formatInteger(max)}.`,
        );
        if (!isAllowed) return;
        this.value = text === "" ? null : n;
        changed?.();
      },
    });
    this.element = el(
      "div",
      { class: "compare-field" },
      el("label", { for: id, text: label }),
      this.#input,
      this.#problem,
    );
  }

  set disabled(disabled: boolean) {
    this.#input.disabled = disabled;
  }
}

// The prompt and the sampling settings: a text box, and sliders for temperature and top-k.

import { button, el, listen } from "../../core/dom";
import { Slider } from "../../ui/slider";
import type { LanguageCommand, LanguageView } from "../../generated/protocol";

/** The prompt is sent when no key has been pressed for so long. */
const SETTLED_MS = 350;
const TEMPERATURES = [0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.5, 2];
/** The number of most probable pieces to sample from; 0 for all. */
const TOP_K = [1, 2, 3, 5, 8, 12, 20, 40, 100, 0];

export class Prompt {
  readonly element: HTMLElement;
  #box = el("input", {
    type: "text",
    class: "language-prompt",
    id: "language-prompt",
    autocomplete: "off",
    spellcheck: "false",
  });
  #temperature: Slider;
  #topK: Slider;
  #sampling = { temperature: 1, topK: 0 };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #typed = false;

  constructor(readonly send: (command: LanguageCommand) => void) {
    const again = button("Write again", () => send({ type: "again" }), {
      title: "Write another text from the same beginning",
    });
    listen(this.#box, {
      input: () => {
        this.#typed = true;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#sendPrompt(), SETTLED_MS);
      },
    });
    const form = el(
      "form",
      { class: "language-ask" },
      el("label", { for: "language-prompt", text: "Prompt" }),
      this.#box,
      again,
    );
    listen(form, {
      submit: (event) => {
        event.preventDefault();
        this.#sendPrompt();
      },
    });
    this.#temperature = new Slider({
      class: "slider language-slider",
      label: "Temperature",
      title: "Temperature: 0 always writes the most probable piece, 1 samples from the probabilities as they are",
      notches: TEMPERATURES.length - 1,
      value: (notch) => TEMPERATURES[notch] as number,
      notch: (warmth) => nearest(TEMPERATURES, warmth),
      format: (warmth) => warmth.toFixed(1),
      change: (temperature) => this.#setSampling({ temperature }),
    });
    this.#topK = new Slider({
      class: "slider language-slider",
      label: "Top-k",
      title: "Top-k: how many of the most probable pieces it samples from",
      notches: TOP_K.length - 1,
      value: (notch) => TOP_K[notch] as number,
      notch: (topK) => (topK === 0 ? TOP_K.length - 1 : nearest(TOP_K.slice(0, -1), topK)),
      format: (topK) => (topK === 0 ? "all" : String(topK)),
      change: (topK) => this.#setSampling({ topK }),
    });
    this.element = el(
      "div",
      { class: "language-controls" },
      form,
      el("div", { class: "language-dials" }, this.#temperature.element, this.#topK.element),
    );
  }

  #setSampling(dials: { temperature?: number; topK?: number }): void {
    Object.assign(this.#sampling, dials);
    this.send({ type: "dials", ...this.#sampling });
  }

  #sendPrompt(): void {
    clearTimeout(this.#timer);
    this.#typed = false;
    this.send({ type: "prompt", text: this.#box.value });
  }

  reset(): void {
    clearTimeout(this.#timer);
    this.#typed = false;
    this.#box.value = "";
  }

  draw({ prompt, temperature, topK }: LanguageView): void {
    if (!this.#typed && document.activeElement !== this.#box && this.#box.value !== prompt) this.#box.value = prompt;
    this.#sampling = { temperature, topK };
    this.#temperature.show(temperature);
    this.#topK.show(topK);
  }
}

function nearest(values: number[], wanted: number): number {
  const far = values.map((value) => Math.abs(value - wanted));
  return far.indexOf(Math.min(...far));
}

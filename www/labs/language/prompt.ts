// The controls below the text that the network writes: a box for the prompt (the beginning that it continues), and
// sliders for the sampling settings temperature and top-k.

import { button, el, listen } from "../../core/dom";
import { Slider } from "../../ui/slider";
import type { LanguageCommand, LanguageView } from "../../generated/protocol";
import { nearestIndex, notchOf, TEMPERATURES } from "./temperatures";

/** A typed prompt is sent once no key has been pressed for this long. */
const TYPING_PAUSE_MS = 350;
/** The lab's value for sampling from all pieces. */
const UNLIMITED_TOP_K = 0;
/** The positions of the slider of top-k, the number of most probable pieces (tokens) to sample from. */
const TOP_K = [1, 2, 3, 5, 8, 12, 20, 40, 100, UNLIMITED_TOP_K];

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
  /** The sampling settings, which are sent together. */
  #sampling = { temperature: 1, topK: UNLIMITED_TOP_K };
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether a typed prompt has not been sent yet. */
  #unsent = false;

  constructor(readonly send: (command: LanguageCommand) => void) {
    const again = button("Generate again", () => send({ type: "again" }), {
      title: "Generate another text from the same prompt",
    });
    listen(this.#box, {
      input: () => {
        this.#unsent = true;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#sendPrompt(), TYPING_PAUSE_MS);
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
      term: "temperature",
      title:
        "Temperature: 0 always writes the most probable token, 1 samples from the probabilities as they are, more is more random",
      notches: TEMPERATURES.length - 1,
      value: (notch) => TEMPERATURES[notch] as number,
      notch: notchOf,
      format: (temperature) => temperature.toFixed(1),
      change: (temperature) => this.#setSampling({ temperature }),
    });
    this.#topK = new Slider({
      class: "slider language-slider",
      label: "Top-k",
      term: "top-k",
      title: "Top-k: how many of the most probable tokens it samples from",
      notches: TOP_K.length - 1,
      value: (notch) => TOP_K[notch] as number,
      notch: (topK) => (topK === UNLIMITED_TOP_K ? TOP_K.length - 1 : nearestIndex(TOP_K.slice(0, -1), topK)),
      format: (topK) => (topK === UNLIMITED_TOP_K ? "all" : String(topK)),
      change: (topK) => this.#setSampling({ topK }),
    });
    this.element = el(
      "div",
      { class: "language-controls" },
      form,
      el("div", { class: "language-sampling" }, this.#temperature.element, this.#topK.element),
    );
  }

  /** Changes some of the sampling settings and sends all of them. */
  #setSampling(changed: { temperature?: number; topK?: number }): void {
    Object.assign(this.#sampling, changed);
    this.send({ type: "dials", ...this.#sampling });
  }

  #sendPrompt(): void {
    clearTimeout(this.#timer);
    this.#unsent = false;
    this.send({ type: "prompt", text: this.#box.value });
  }

  reset(): void {
    clearTimeout(this.#timer);
    this.#unsent = false;
    this.#box.value = "";
  }

  /** Shows the lab's values, but does not overwrite a prompt that the visitor is typing. */
  draw({ prompt, temperature, topK }: LanguageView): void {
    if (!this.#unsent && document.activeElement !== this.#box && this.#box.value !== prompt) this.#box.value = prompt;
    this.#sampling = { temperature, topK };
    this.#temperature.show(temperature);
    this.#topK.show(topK);
  }
}

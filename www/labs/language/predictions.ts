// The most probable next pieces (tokens) after the chosen one in the inspector, as bars. Pressing one appends it to the
// text. Tokens that are not whole characters, such as some bytes of one, share a row at the end, which cannot be
// pressed.

import { el, listen, write } from "../../core/dom";
import { formatShare } from "../../core/format";
import { UNKNOWN, visibleName } from "./token-text";
import type { LanguageGuess } from "../../generated/protocol";

/** The lab sends at most this many predictions. */
const MAX_PREDICTIONS = 12;
/** Time constant with which the bars approach their lengths. */
const SETTLE_SECONDS = 0.12;

/** From here on, a percentage with one decimal would be shown as 1.0%. */
const ROUNDS_TO_ONE_PERCENT = 0.0095;

interface Row {
  element: HTMLButtonElement;
  name: HTMLElement;
  bar: HTMLElement;
  percent: HTMLElement;
  /** The drawn length of the bar, from 0 to 1. */
  length: number;
}

export class Predictions {
  readonly element: HTMLElement;
  #rows: Row[];
  /** The predictions that are shown, the most probable first, except for the row of incomplete characters. */
  #predictions: LanguageGuess[] = [];

  /** `chosen` is called with the text of a pressed prediction. */
  constructor(readonly chosen: (piece: string) => void) {
    this.#rows = Array.from({ length: MAX_PREDICTIONS }, () => {
      const [name, bar, percent] = [
        el("span", { class: "guess-name mono" }),
        el("span", {}),
        el("span", { class: "num" }),
      ];
      const track = el("span", { class: "guess-track" }, bar);
      const element = el("button", { class: "guess", type: "button" }, name, track, percent);
      return { element, name, bar, percent, length: 0 };
    });
    this.element = el("ol", { class: "language-guesses", "aria-label": "Most probable next tokens" });
    this.element.append(...this.#rows.map(({ element }) => el("li", {}, element)));
    this.#rows.forEach(({ element }, i) => listen(element, { click: () => this.#choose(i) }));
  }

  #choose(i: number): void {
    const prediction = this.#predictions[i];
    if (prediction) this.chosen(prediction.text);
  }

  draw(guesses: LanguageGuess[], seconds: number): void {
    const predictions = withOthersLast(guesses);
    this.#predictions = predictions;
    const rate = 1 - Math.exp(-seconds / SETTLE_SECONDS);
    for (const [i, row] of this.#rows.entries()) {
      const prediction = predictions[i];
      const probability = prediction?.probability ?? 0;
      row.length += (probability - row.length) * rate;
      row.bar.style.transform = `scaleX(${row.length.toFixed(4)})`;
      write(row.name, prediction ? visibleName(prediction.text) : "");
      write(row.percent, prediction ? formatProbability(probability) : "");
      row.element.classList.toggle("none", !prediction);
      // A part of a character cannot be appended: as text it would be another token.
      row.element.disabled = prediction?.text.includes(UNKNOWN) ?? false;
    }
  }
}

/**
 * Puts tokens that are not whole characters, such as some bytes of one, into one row at the end, because they all look
 * the same.
 */
export function withOthersLast(guesses: LanguageGuess[]): LanguageGuess[] {
  const others = guesses.filter(({ text }) => text === UNKNOWN);
  if (others.length === 0) return guesses;
  const probability = others.reduce((sum, each) => sum + each.probability, 0);
  return [...guesses.filter(({ text }) => text !== UNKNOWN), { text: UNKNOWN, probability }];
}

/** A probability of a token as a percentage, with one decimal below 1%. */
export function formatProbability(probability: number): string {
  return formatShare(probability, probability < ROUNDS_TO_ONE_PERCENT ? 1 : 0);
}

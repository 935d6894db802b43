// The dozen most probable next pieces, as bars.

import { el, listen, write } from "../../core/dom";
import { visibleName } from "./token-text";
import type { LanguageGuess } from "../../generated/protocol";

const ROWS = 12;
const SETTLE_SECONDS = 0.12;

interface Row {
  element: HTMLElement;
  name: HTMLElement;
  bar: HTMLElement;
  share: HTMLElement;
  shown: number;
}

export class Predictions {
  readonly element: HTMLElement;
  #rows: Row[];

  constructor(readonly choose: (piece: string) => void) {
    this.#rows = Array.from({ length: ROWS }, () => {
      const [name, bar, share] = [
        el("span", { class: "guess-name mono" }),
        el("span", {}),
        el("span", { class: "num" }),
      ];
      const element = el("li", { class: "guess" }, name, el("span", { class: "guess-track" }, bar), share);
      return { element, name, bar, share, shown: 0 };
    });
    this.element = el("ol", { class: "language-guesses", "aria-label": "What it predicts next" });
    this.element.append(...this.#rows.map(({ element }) => element));
    this.#rows.forEach(({ element }, i) => listen(element, { click: () => this.#choose(i) }));
  }

  #predictions: LanguageGuess[] = [];

  #choose(i: number): void {
    const guess = this.#predictions[i];
    if (guess) this.choose(guess.text);
  }

  draw(guesses: LanguageGuess[], seconds: number): void {
    this.#predictions = guesses;
    const step = 1 - Math.exp(-seconds / SETTLE_SECONDS);
    for (const [i, row] of this.#rows.entries()) {
      const guess = guesses[i];
      const probability = guess?.probability ?? 0;
      row.shown += (probability - row.shown) * step;
      row.bar.style.transform = `scaleX(${row.shown.toFixed(4)})`;
      write(row.name, guess ? visibleName(guess.text) : "");
      write(row.share, guess ? formatPercent(probability) : "");
      row.element.classList.toggle("none", !guess);
    }
  }
}

export function formatPercent(share: number): string {
  return share >= 0.0005 && share < 0.0095 ? `${(100 * share).toFixed(1)}%` : `${Math.round(100 * share)}%`;
}

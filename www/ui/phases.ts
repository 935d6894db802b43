// The phases of training, such as acting, learning and evaluation. At full speed they alternate many times a second, so
// each mark shows its share of the recent past instead of flickering.

import { el } from "../core/dom";

const SETTLE_SECONDS = 0.4;

export class Phases<Name extends string> {
  readonly element = el("span", { class: "phases", "aria-hidden": "true" });
  #marks: HTMLElement[];
  #shares: number[];

  /** Each phase with its name on the page. */
  constructor(readonly names: [Name, string][]) {
    this.#marks = names.map(([, label]) => el("span", { class: "phase", text: label }));
    this.#shares = names.map(() => 0);
    this.element.append(...this.#marks);
  }

  draw(phase: Name, seconds: number, running: boolean): void {
    const step = 1 - Math.exp(-seconds / SETTLE_SECONDS);
    this.names.forEach(([name], i) => {
      const before = this.#shares[i] as number;
      const share = before + ((running && name === phase ? 1 : 0) - before) * step;
      this.#shares[i] = share;
      this.#marks[i]?.style.setProperty("--share", share.toFixed(2));
    });
  }
}

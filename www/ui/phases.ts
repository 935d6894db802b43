// Shows which phase training is in, such as acting, learning or evaluation. At full speed the phases alternate many
// times per second, so each label shows its share of the recent time instead of flickering.

import { el } from "../core/dom";

/** Time constant of the shares. */
const SETTLE_SECONDS = 0.4;

export class Phases<Name extends string> {
  readonly element = el("span", { class: "phases", "aria-hidden": "true" });
  #labels: HTMLElement[];
  #shares: number[];

  /** Each phase with its label. */
  constructor(readonly names: [Name, string][]) {
    this.#labels = names.map(([, label]) => el("span", { class: "phase", text: label }));
    this.#shares = names.map(() => 0);
    this.element.append(...this.#labels);
  }

  draw(phase: Name, seconds: number, running: boolean): void {
    const step = 1 - Math.exp(-seconds / SETTLE_SECONDS);
    this.names.forEach(([name], i) => {
      const before = this.#shares[i] as number;
      const share = before + ((running && name === phase ? 1 : 0) - before) * step;
      this.#shares[i] = share;
      this.#labels[i]?.style.setProperty("--share", share.toFixed(2));
    });
  }
}

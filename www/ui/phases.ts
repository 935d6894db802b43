// Shows which phase training is in, such as acting, learning or evaluation. At max speed the phases alternate many
// times per second. So that the labels do not flicker, each is as strong as its phase's share of the recent time.

import { el } from "../core/dom";

/** Time constant of the shares, which are an exponential moving average. */
const SETTLE_SECONDS = 0.4;

export class Phases<Name extends string> {
  readonly element = el("span", { class: "phases", "aria-hidden": "true" });
  #labels: HTMLElement[];
  #shares: number[];

  constructor(readonly phases: [name: Name, label: string][]) {
    this.#labels = phases.map(([, label]) => el("span", { class: "phase", text: label }));
    this.#shares = phases.map(() => 0);
    this.element.append(...this.#labels);
  }

  /** Shows the present phase. `seconds` have passed since the previous call. All shares fade while nothing runs. */
  draw(present: Name, seconds: number, running: boolean): void {
    const weight = 1 - Math.exp(-seconds / SETTLE_SECONDS);
    this.phases.forEach(([name], i) => {
      const before = this.#shares[i] as number;
      const share = before + ((running && name === present ? 1 : 0) - before) * weight;
      this.#shares[i] = share;
      this.#labels[i]?.style.setProperty("--share", share.toFixed(2));
    });
  }
}

// What the learner spends its time on: acting, learning, being examined. At full speed these follow one
// another many times a second, so each mark shows its share of the last moment and stays calm.

import { el } from "../../core/dom";
import type { Phase } from "../../generated/protocol";

const PHASES: [Phase, string][] = [
  ["collecting", "acting"],
  ["learning", "learning"],
  ["examined", "exam"],
];
const SETTLE_SECONDS = 0.4;

export class Phases {
  readonly element = el("span", { class: "phases", "aria-hidden": "true" });
  #marks = PHASES.map(([, label]) => el("span", { class: "phase", text: label }));
  #shares = PHASES.map(() => 0);

  constructor() {
    this.element.append(...this.#marks);
  }

  draw(phase: Phase, seconds: number, running: boolean): void {
    const step = 1 - Math.exp(-seconds / SETTLE_SECONDS);
    PHASES.forEach(([name], i) => {
      const before = this.#shares[i] as number;
      const share = before + ((running && name === phase ? 1 : 0) - before) * step;
      this.#shares[i] = share;
      this.#marks[i]?.style.setProperty("--share", share.toFixed(2));
    });
  }
}

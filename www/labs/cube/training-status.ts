// What it learns from just now: how long the scrambles are, and whether it learns or is being judged.

import { el, write } from "../../core/dom";
import { formatCount } from "../../core/format";
import type { CubePhase, CubeView } from "../../generated/protocol";

const PHASES: [CubePhase, string][] = [
  ["learning", "learning"],
  ["judged", "judged"],
];
/** At full speed phases follow one another many times a second: a mark shows its share of the last moment. */
const SETTLE_SECONDS = 0.4;

export class Lessons {
  readonly phases = el("span", { class: "phases", "aria-hidden": "true" });
  readonly level = el("div", { class: "level" });
  #marks = PHASES.map(([, label]) => el("span", { class: "phase", text: label }));
  #shares = PHASES.map(() => 0);
  #says = el("span", { class: "level-says num" });
  #steps = el("span", { class: "level-steps", "aria-hidden": "true" });
  #trained = el("button", { type: "button", class: "link", text: "See one that is trained" });
  #told = el("span", { role: "status" });
  #drawn = "";

  constructor(seeTrained: () => void) {
    this.phases.append(...this.#marks);
    this.#trained.addEventListener("click", seeTrained);
    this.level.append(this.#says, this.#steps, this.#trained, this.#told);
  }

  /** How it goes with the trained one. */
  tell(text: string, busy = false): void {
    write(this.#told, text);
    this.#trained.disabled = busy;
  }

  draw({ phase, learner, level, levelTo }: CubeView, seconds: number, running: boolean): void {
    const settled = 1 - Math.exp(-seconds / SETTLE_SECONDS);
    PHASES.forEach(([name], i) => {
      const before = this.#shares[i] as number;
      const share = before + ((running && name === phase ? 1 : 0) - before) * settled;
      this.#shares[i] = share;
      this.#marks[i]?.style.setProperty("--share", share.toFixed(2));
    });
    const drawn = `${learner} ${level} ${levelTo}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    // Only deep Q-learning begins with easy ones.
    const climbs = learner === "dqn" && levelTo > 1;
    write(this.#says, climbs ? `Level ${level} of ${levelTo}: scrambles of up to ${formatCount(level, "turn")}` : "");
    if (!climbs) write(this.#says, `It learns from scrambles of up to ${formatCount(level, "turn")}`);
    const step = (i: number) => el("span", { class: i < level ? "reached" : undefined });
    this.#steps.replaceChildren(...Array.from({ length: climbs ? levelTo : 0 }, (_, i) => step(i)));
  }
}

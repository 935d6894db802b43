// The state of the cube lab's training, below the columns of solved states: its phase, the length of its scrambles, and
// the button that loads a trained network.

import { el, write } from "../../core/dom";
import { formatCount } from "../../core/format";
import { Phases } from "../../ui/phases";
import type { CubeSmallView } from "../../generated/protocol";

export class TrainingStatus {
  readonly phases = new Phases<CubeSmallView["phase"]>([
    ["learning", "learning"],
    ["evaluating", "evaluating"],
  ]);
  readonly element = el("div", { class: "level" });
  #text = el("span", { class: "num" });
  #levelBar = el("span", { class: "level-steps", "aria-hidden": "true" });
  /** The values that are shown now. */
  #shown = "";

  constructor(trained: HTMLElement) {
    this.element.append(this.#text, this.#levelBar, trained);
  }

  /** `level` is the length of the longest scrambles in training now, `levelTo` what it rises to. */
  draw({ phase, learner, level, levelTo }: CubeSmallView, seconds: number, running: boolean): void {
    this.phases.draw(phase, seconds, running);
    const shown = `${learner} ${level} ${levelTo}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    const scrambles = `scrambles of up to ${formatCount(level, "turn")}`;
    // Only deep Q-learning has a curriculum: it starts with short scrambles.
    const curriculum = learner === "dqn" && levelTo > 1;
    write(this.#text, curriculum ? `Level ${level} of ${levelTo}: ${scrambles}` : `Training data: ${scrambles}`);
    const step = (i: number) => el("span", { class: i < level ? "reached" : undefined });
    this.#levelBar.replaceChildren(...Array.from({ length: curriculum ? levelTo : 0 }, (_, i) => step(i)));
  }
}

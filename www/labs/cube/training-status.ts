// What the cube's learner is doing: its phase, the length of its scrambles, and a button that loads a trained network.

import { el, write } from "../../core/dom";
import { formatCount } from "../../core/format";
import { Phases } from "../../ui/phases";
import type { CubeView } from "../../generated/protocol";

export class TrainingStatus {
  readonly phases = new Phases<CubeView["phase"]>([
    ["learning", "learning"],
    ["evaluating", "evaluation"],
  ]);
  readonly element = el("div", { class: "level" });
  #text = el("span", { class: "num" });
  #steps = el("span", { class: "level-steps", "aria-hidden": "true" });
  #loadTrained: HTMLButtonElement;
  #message = el("span", { role: "status" });
  #drawn = "";

  constructor(loadTrained: () => void) {
    this.#loadTrained = el("button", {
      type: "button",
      class: "link",
      text: "See a trained one",
      on: { click: loadTrained },
    });
    this.element.append(this.#text, this.#steps, this.#loadTrained, this.#message);
  }

  showLoading(text: string, busy = false): void {
    write(this.#message, text);
    this.#loadTrained.disabled = busy;
  }

  draw({ phase, learner, level, levelTo }: CubeView, seconds: number, running: boolean): void {
    this.phases.draw(phase, seconds, running);
    const drawn = `${learner} ${level} ${levelTo}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const scrambles = `scrambles of up to ${formatCount(level, "turn")}`;
    // Only deep Q-learning has a curriculum: it starts with short scrambles.
    const levels = learner === "dqn" && levelTo > 1;
    write(this.#text, levels ? `Level ${level} of ${levelTo}: ${scrambles}` : `It learns from ${scrambles}`);
    const step = (i: number) => el("span", { class: i < level ? "reached" : undefined });
    this.#steps.replaceChildren(...Array.from({ length: levels ? levelTo : 0 }, (_, i) => step(i)));
  }
}

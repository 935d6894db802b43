// What the agent is about to do: the probability of each action, or the torque it has chosen.

import { el, write } from "../../core/dom";
import type { ControlStage } from "../../generated/protocol";
import type { WorldKind, State } from "./worlds/world-kind";

/** The strongest torque of the agent, in newton metres, where actions are continuous. */
const TORQUE = 2;

export class ActionProbabilities {
  readonly element: HTMLElement;
  #bar = el("span", { class: "probabilities-bar" });
  #left = el("span", { class: "probabilities-left" });
  #right = el("span", { class: "probabilities-right" });
  #texts = [
    el("span", { class: "num" }),
    el("span", { class: "quiet num probabilities-idle" }),
    el("span", { class: "num" }),
  ];

  constructor(readonly kind: WorldKind) {
    const [left, right] = kind.sides;
    const [first, middle, last] = this.#texts as [HTMLElement, HTMLElement, HTMLElement];
    this.#bar.append(this.#left, this.#right);
    this.element = el(
      "div",
      { class: "probabilities", title: "What the agent is about to do" },
      el(
        "span",
        { class: "probabilities-text" },
        el("span", {}, `${left} `, first),
        middle,
        el("span", {}, last, ` ${right}`),
      ),
      this.#bar,
    );
  }

  draw(stage: ControlStage, probabilities: State): void {
    const n = probabilities.length;
    this.#bar.classList.toggle("two", n === 2);
    this.#bar.classList.toggle("gauge", n === 0);
    if (n === 0) {
      const torque = stage.agent * TORQUE;
      this.#write("", Number.isFinite(torque) ? `torque ${Math.abs(torque).toFixed(1)} N m` : "–", "");
      this.#left.style.transform = `scaleX(${(this.kind.pushSign * stage.agent || 0).toFixed(3)})`;
      return;
    }
    const [low, high] = [probabilities[0] as number, probabilities[n - 1] as number];
    const [left, right] = this.kind.pushSign > 0 ? [low, high] : [high, low];
    const idle = n === 3 ? `nothing ${percent(probabilities[1] as number)}` : "what the agent is about to do";
    this.#write(percent(left), idle, percent(right));
    this.#left.style.transform = `scaleX(${(left || 0).toFixed(3)})`;
    this.#right.style.transform = `scaleX(${(right || 0).toFixed(3)})`;
  }

  #write(...texts: string[]): void {
    this.#texts.forEach((node, i) => write(node, texts[i] as string));
  }
}

/** A diverged network has no number. */
function percent(share: number): string {
  return Number.isFinite(share) ? `${Math.round(share * 100)}%` : "–";
}

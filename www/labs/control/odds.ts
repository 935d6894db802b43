// What the agent wants to do: how likely each action is, or the torque it has chosen.

import { el, write } from "../../core/dom";
import type { ControlStage as Stage } from "../../generated/protocol";
import type { Kind, State } from "./worlds/kind";

/** The strongest torque of the agent where it is free to choose one, in newton metres. */
const TORQUE = 2;

export class Odds {
  readonly element: HTMLElement;
  #bar = el("span", { class: "odds-bar" });
  #left = el("span", { class: "odds-left" });
  #right = el("span", { class: "odds-right" });
  #texts = [el("span", { class: "num" }), el("span", { class: "quiet num odds-what" }), el("span", { class: "num" })];

  constructor(readonly kind: Kind) {
    const [left, right] = kind.sides;
    const [first, middle, last] = this.#texts as [HTMLElement, HTMLElement, HTMLElement];
    this.#bar.append(this.#left, this.#right);
    this.element = el(
      "div",
      { class: "odds", title: "What the agent wants to do now" },
      el(
        "span",
        { class: "odds-text" },
        el("span", {}, `${left} `, first),
        middle,
        el("span", {}, last, ` ${right}`),
      ),
      this.#bar,
    );
  }

  draw(stage: Stage, probabilities: State): void {
    const n = probabilities.length;
    this.#bar.classList.toggle("two", n === 2);
    this.#bar.classList.toggle("gauge", n === 0);
    if (n === 0) {
      const torque = stage.agent * TORQUE;
      this.#say("", Number.isFinite(torque) ? `torque ${Math.abs(torque).toFixed(1)} N m` : "–", "");
      this.#left.style.transform = `scaleX(${(this.kind.way * stage.agent || 0).toFixed(3)})`;
      return;
    }
    const [low, high] = [probabilities[0] as number, probabilities[n - 1] as number];
    const [left, right] = this.kind.way > 0 ? [low, high] : [high, low];
    const idle = n === 3 ? `nothing ${percent(probabilities[1] as number)}` : "what the agent wants to do";
    this.#say(percent(left), idle, percent(right));
    this.#left.style.transform = `scaleX(${(left || 0).toFixed(3)})`;
    this.#right.style.transform = `scaleX(${(right || 0).toFixed(3)})`;
  }

  #say(...texts: string[]): void {
    this.#texts.forEach((node, i) => write(node, texts[i] as string));
  }
}

/** A share in percent; a network gone astray has none. */
function percent(share: number): string {
  return Number.isFinite(share) ? `${Math.round(share * 100)}%` : "–";
}

// The agent's next action, below the stage (the large world that a visitor can push): a bar with the probability of
// each action or, in Pendulum, a gauge of the torque. The left side stands for the direction of the left button.

import { el, write } from "../../core/dom";
import { formatShare } from "../../core/format";
import type { ControlStage } from "../../generated/protocol";
import type { WorldKind, State } from "./worlds/world-kind";

/** The agent's maximum torque in Pendulum, in newton metres. */
const MAX_TORQUE = 2;
const HELP = "The policy: probability of each action in the next step";

export class ActionProbabilities {
  readonly element: HTMLElement;
  #bar = el("span", { class: "probabilities-bar" });
  #leftFill = el("span", { class: "probabilities-left" });
  #rightFill = el("span", { class: "probabilities-right" });
  #leftText = el("span", { class: "num" });
  #middleText = el("span", { class: "quiet num probabilities-idle" });
  #rightText = el("span", { class: "num" });

  constructor(readonly kind: WorldKind) {
    const [left, right] = kind.actionNames;
    this.#bar.append(this.#leftFill, this.#rightFill);
    this.element = el(
      "div",
      { class: "probabilities", title: HELP },
      el(
        "span",
        { class: "probabilities-text" },
        el("span", {}, `${left} `, this.#leftText),
        this.#middleText,
        el("span", {}, this.#rightText, ` ${right}`),
      ),
      this.#bar,
    );
  }

  /**
   * `probabilities` are those of two or three actions; the middle one of three does nothing. They are empty if the
   * action is a torque. `stage.agent` is the agent's push as a fraction of its maximum, -1 to 1.
   */
  draw(stage: ControlStage, probabilities: State): void {
    // 1 if the last action and a positive push go to the right, -1 if they go to the left.
    const { rightSign } = this.kind.controls;
    const n = probabilities.length;
    this.element.classList.toggle("two", n === 2);
    this.#bar.classList.toggle("gauge", n === 0);
    if (n === 0) {
      const torque = stage.agent * MAX_TORQUE;
      this.#writeTexts("", Number.isFinite(torque) ? `torque ${Math.abs(torque).toFixed(1)} N m` : "–", "");
      // The gauge starts in the middle of the bar; a negative fill reaches to the left.
      setFill(this.#leftFill, rightSign * stage.agent);
      return;
    }
    const [first, last] = [probabilities[0] as number, probabilities[n - 1] as number];
    const [left, right] = rightSign > 0 ? [first, last] : [last, first];
    const middle = n === 3 ? `no push ${formatShare(probabilities[1] as number)}` : "chances of the next push";
    this.#writeTexts(formatShare(left), middle, formatShare(right));
    setFill(this.#leftFill, left);
    setFill(this.#rightFill, right);
  }

  #writeTexts(left: string, middle: string, right: string): void {
    write(this.#leftText, left);
    write(this.#middleText, middle);
    write(this.#rightText, right);
  }
}

/** Stretches a fill to this fraction of the bar. NaN, from a diverged network, counts as 0. */
function setFill(fill: HTMLElement, fraction: number): void {
  fill.style.transform = `scaleX(${(fraction || 0).toFixed(3)})`;
}

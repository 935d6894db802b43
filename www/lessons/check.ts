// `@check` on the page: is ticked by what was measured, and by nothing else.

import { el, write } from "../core/dom";
import { icon } from "../ui/icons";
import { areSeveralRuns, measuresOf, type CheckPart } from "./format";
import type { LessonState } from "./state";

export class Check {
  readonly element: HTMLElement;
  #state = el("span", { class: "lesson-check-state" });
  #unsubscribe: () => void;

  constructor(
    readonly part: CheckPart,
    readonly state: LessonState,
  ) {
    const sign = el("span", { class: "challenge-sign" });
    sign.append(icon("check"));
    this.element = el(
      "p",
      { class: "lesson-check", role: "status" },
      sign,
      el("span", { text: part.text }),
      this.#state,
    );
    this.#unsubscribe = state.on("changed", () => this.#draw());
    this.#draw();
  }

  destroy(): void {
    this.#unsubscribe();
  }

  #draw(): void {
    const { part, state } = this;
    const isTicked = state.isTicked(part);
    this.element.classList.toggle("done", isTicked);
    const blocks = measuresOf(part.when).map(({ block }) => block);
    const haveEnded = blocks.every((block) => state.hasEnded(block));
    const runs = areSeveralRuns(state.lesson, blocks) ? "The runs have" : "The run has";
    write(this.#state, isTicked ? "Measured." : haveEnded ? `${runs} ended without it.` : "Not yet.");
  }
}

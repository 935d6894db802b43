// `@check` on the page: is ticked by what was measured, and by nothing else.

import { el, write } from "../core/dom";
import { icon } from "../ui/icons";
import type { CheckPart } from "./format";
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
    const isTicked = this.state.isTicked(this.part);
    this.element.classList.toggle("done", isTicked);
    write(this.#state, isTicked ? "Measured." : "Not measured yet.");
  }
}

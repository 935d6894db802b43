// What a lesson has measured in the browsers of a class, on the teacher's page: which pupil has passed (ticked) which
// check of the lesson, and who has which result.

import { el } from "../core/dom";
import { groupElement } from "./answer-group";
import type { MeasuredParts } from "./measured";
import { measuredGroups, type MeasuredPupil } from "./measured-groups";

export class MeasuredView {
  readonly element: HTMLElement;
  #list = el("div", { class: "class-answers" });
  /** What is shown, so that it is not drawn again while somebody selects a text of it. */
  #shown = "";

  constructor(title = "Checks and results") {
    this.element = el(
      "section",
      { class: "class-part", "aria-label": title, hidden: true },
      el("h2", { text: title }),
      el("p", {
        class: "quiet small",
        text: "The results that pupils have handed in. All pupils train with the random numbers (seeds) of the lesson, so the same settings give the same results, except for small differences in how browsers calculate. The numbers come from pupils' browsers; nobody has checked them.",
      }),
      this.#list,
    );
  }

  /** Shows the results of a lesson; null while the class does something else. */
  show(pupils: readonly MeasuredPupil[], parts: MeasuredParts | null, hidesNames: boolean): void {
    const groups = parts ? measuredGroups(pupils, parts) : [];
    this.element.hidden = groups.length === 0;
    const text = JSON.stringify([groups, hidesNames]);
    if (text === this.#shown) return;
    this.#shown = text;
    const counted = "pupil";
    this.#list.replaceChildren(...groups.map((group) => groupElement(group, hidesNames, counted)));
  }
}

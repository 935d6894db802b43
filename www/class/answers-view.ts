// The answers of a class on the teacher's page. They can be hidden, because the page may be seen on a projector; the
// page hides their names with all others (name-cover.ts).

import { download } from "../core/checkpoint";
import { button, el, write } from "../core/dom";
import { formatCount } from "../core/format";
import { groupElement } from "./answer-group";
import { answersByQuestion, answersTable, type Answering, type AnswersToOne } from "./answers";
import type { AskedQuestion } from "./lesson";
import type { MeasuredParts } from "./measured";

export class AnswersView {
  readonly element: HTMLElement;
  #summary = el("p", { class: "quiet", role: "status" });
  #list = el("div", { class: "class-answers" });
  #hide = button("Hide answers", () => this.#toggle(), { class: "small" });
  #hidden = false;
  #hidesNames = false;
  #pupils: readonly Answering[] = [];
  #parts: MeasuredParts | null = null;
  #groups: AnswersToOne[] = [];
  /** What is shown, so that it is not drawn again while somebody selects a text of it. */
  #shown = "";

  constructor(title = "Answers") {
    this.element = el(
      "section",
      { class: "class-part", "aria-label": title, hidden: true },
      el("h2", { text: title }),
      this.#summary,
      el(
        "div",
        { class: "row" },
        this.#hide,
        button("Save as a table with names (CSV)", () => this.#save(), { class: "small" }),
      ),
      this.#list,
    );
  }

  /**
   * Shows the answers: to the class's question first, which may be empty, then to those that are known. With `parts`,
   * what a lesson can measure, the table that is saved has its checks and results too.
   */
  show(
    pupils: readonly Answering[],
    hidesNames: boolean,
    question = "",
    known: readonly AskedQuestion[] = [],
    parts: MeasuredParts | null = null,
  ): void {
    this.#pupils = pupils;
    this.#parts = parts;
    this.#hidesNames = hidesNames;
    this.#groups = answersByQuestion(pupils, known, question);
    this.#draw();
  }

  #toggle(): void {
    this.#hidden = !this.#hidden;
    this.#draw();
  }

  #draw(): void {
    const isHidden = this.#hidden;
    const hidesNames = this.#hidesNames;
    const groups = this.#groups;
    this.element.hidden = groups.length === 0;
    const count = groups.reduce((sum, each) => sum + each.count, 0);
    const words = `${formatCount(count, "answer")} to ${formatCount(groups.length, "question")}`;
    write(this.#summary, isHidden ? `${words}. They are hidden.` : `${words}.`);
    write(this.#hide, isHidden ? "Show answers" : "Hide answers");
    this.#list.hidden = isHidden;
    const text = JSON.stringify([groups, hidesNames]);
    if (text === this.#shown) return;
    this.#shown = text;
    this.#list.replaceChildren(...groups.map((group) => groupElement(group, hidesNames)));
  }

  #save(): void {
    download("learnery-answers.csv", new TextEncoder().encode(answersTable(this.#pupils, this.#parts)));
  }
}

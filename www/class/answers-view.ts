// The answers of a class on the teacher's page. Names, or all of it, can be hidden, because the page may be seen on a
// projector.

import { download } from "../core/checkpoint";
import { button, el, write } from "../core/dom";
import { formatCount } from "../core/format";
import { groupElement } from "./answer-group";
import { answersByQuestion, answersTable, type Answering, type AnswersToOne } from "./answers";
import type { AskedQuestion } from "./lesson";

export class AnswersView {
  readonly element: HTMLElement;
  #summary = el("p", { class: "quiet", role: "status" });
  #list = el("div", { class: "class-answers" });
  #hide = button("Hide answers", () => this.#toggle("answers"), { class: "small" });
  #hideNames = button("Hide names", () => this.#toggle("names"), { class: "small" });
  #hidden = { answers: false, names: false };
  #pupils: readonly Answering[] = [];
  #groups: AnswersToOne[] = [];
  /** What is shown, so that it is not drawn again while somebody selects a text of it. */
  #shown = "";

  constructor() {
    this.element = el(
      "section",
      { class: "class-part", "aria-label": "Answers", hidden: true },
      el("h2", { text: "Answers" }),
      this.#summary,
      el(
        "div",
        { class: "row" },
        this.#hide,
        this.#hideNames,
        button("Save as a table with names (CSV)", () => this.#save(), { class: "small" }),
      ),
      this.#list,
    );
  }

  /** Shows the answers: to the class's question first, which may be empty, then to those that are known. */
  show(pupils: readonly Answering[], question = "", known: readonly AskedQuestion[] = []): void {
    this.#pupils = pupils;
    this.#groups = answersByQuestion(pupils, known, question);
    this.#draw();
  }

  #toggle(what: "answers" | "names"): void {
    this.#hidden[what] = !this.#hidden[what];
    this.#draw();
  }

  #draw(): void {
    const { answers: all, names } = this.#hidden;
    const groups = this.#groups;
    this.element.hidden = groups.length === 0;
    const count = groups.reduce((sum, each) => sum + each.count, 0);
    const words = `${formatCount(count, "answer")} to ${formatCount(groups.length, "question")}`;
    write(this.#summary, all ? `${words}. They are hidden.` : `${words}.`);
    write(this.#hide, all ? "Show answers" : "Hide answers");
    write(this.#hideNames, names ? "Show names" : "Hide names");
    this.#hideNames.hidden = all;
    this.#list.hidden = all;
    const text = JSON.stringify([groups, names]);
    if (text === this.#shown) return;
    this.#shown = text;
    this.#list.replaceChildren(...groups.map((group) => groupElement(group, names)));
  }

  #save(): void {
    download("learnery-answers.csv", new TextEncoder().encode(answersTable(this.#pupils)));
  }
}

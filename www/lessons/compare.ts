// `@compare` on the page: the prediction beside what happened, in a sentence and as a picture. Below it are the results
// of runs with several seeds, a row of dots for each `@seeds` block that it names and that has been measured.

import { el, write } from "../core/dom";
import { partsOf, questionNamed, type ComparePart, type QuestionPart, type SeedsPart } from "./format";
import { dotsPicture, optionsPicture, scalePicture } from "./dots";
import type { LessonState } from "./state";
import { comparisonWords, happenedWords } from "./values";

export class Compare {
  readonly element: HTMLElement;
  #words = el("p", { class: "lesson-compare-words", role: "status" });
  #pictures = el("div", { class: "lesson-pictures" });
  #question: QuestionPart | undefined;
  #unsubscribe: () => void;

  constructor(
    readonly part: ComparePart,
    readonly state: LessonState,
  ) {
    this.#question = questionNamed(state.lesson, part.name);
    const asked = el("p", { class: "lesson-compare-ask", text: this.#question?.ask ?? "" });
    const kind = el("span", { class: "lesson-kind", text: "Compare" });
    this.element = el("section", { class: "lesson-compare" }, el("p", {}, kind), asked, this.#words, this.#pictures);
    this.#unsubscribe = state.on("changed", () => this.#draw());
    this.#draw();
  }

  destroy(): void {
    this.#unsubscribe();
  }

  #draw(): void {
    const { state, part } = this;
    const question = this.#question;
    if (!question) return;
    const answer = state.answer(question);
    const happened = state.happened(question);
    write(this.#words, comparisonWords(state, question));
    const pictures: Element[] = [];
    if (answer !== null && state.isMeasured(question)) {
      if (question.kind === "choice") {
        const options = question.options.map(({ text }) => text);
        pictures.push(optionsPicture(options, Number(answer), happened));
      } else if (question.kind === "number" && happened !== null)
        pictures.push(
          scalePicture(question.from, question.to, {
            predicted: [Number(answer), state.answerWords(question) ?? ""],
            happened: [happened, happenedWords(state, question, happened)],
          }),
        );
    }
    // Whoever has measured these blocks has seen their dots there, whether or not a prediction was made.
    const rows = part.runs.flatMap((name) => {
      const block = partsOf(state.lesson).find(
        (each): each is SeedsPart => each.kind === "seeds" && each.name === name,
      );
      const result = block && state.completeSeeds(block);
      return block && result ? [{ part: block, result }] : [];
    });
    if (rows.length > 0) pictures.push(dotsPicture(state.lab, rows, part.by));
    this.#pictures.replaceChildren(...pictures);
  }
}

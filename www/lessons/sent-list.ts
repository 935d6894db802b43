// What a pupil hands in of a lesson, as a list with a tick for each line: the answers, and what was measured. A class
// with a server gets it from hand-in.ts, one without a server by the code of lesson-code-dialog.ts.

import { el, listen, write } from "../core/dom";
import type { Answer } from "../class/code";
import { resultCount, type Measured } from "../class/measured";
import { MAX_ANSWERS } from "../class/text";
import { prepared, sentQuestions, type SentQuestion } from "./sent";
import { earlierOf, measuredLines, measuredOf, measuredParts } from "./sent-results";
import type { LessonState } from "./state";

/** A question with its answer as it would be handed in. */
interface Row {
  asked: SentQuestion;
  element: HTMLElement;
  box: HTMLInputElement;
  /** Whether the pupil wants it in. An answer that cannot be handed in is not ticked, whatever they want. */
  isWanted: boolean;
  answer: HTMLElement;
  problem: HTMLElement;
}

/** Results as they would be handed in: one tick for all of them. */
interface Results {
  element: HTMLElement;
  box: HTMLInputElement;
  list: HTMLElement;
  now: () => Measured;
}

/** What is ticked. */
export interface Chosen {
  answers: Answer[];
  measured: Measured;
}

/** How many answers and results these are. */
export const chosenCount = ({ answers, measured }: Chosen): number => answers.length + resultCount(measured);

export class SentList {
  readonly element: HTMLElement;
  #rows: Row[];
  #measured = this.#resultsOf("What this lesson has measured", () => measuredOf(this.state));
  #earlier = this.#resultsOf("Your earlier results with other settings", () => ({
    checks: [],
    blocks: earlierOf(this.state, measuredOf(this.state)),
  }));

  /** `changed` is called when the pupil ticks or unticks a line. */
  constructor(
    readonly state: LessonState,
    readonly changed: () => void,
  ) {
    this.#rows = sentQuestions(state.lesson).map((asked) => this.#rowOf(asked));
    const elements = [...this.#rows, this.#measured, this.#earlier].map(({ element }) => element);
    this.element = el("ul", { class: "lesson-sent" }, ...elements);
    this.draw();
  }

  /** Shows what the lesson has by now. */
  draw(): void {
    for (const row of this.#rows) {
      const given = prepared(row.asked, this.state);
      const problem = given?.problem ?? null;
      row.element.hidden = given === null;
      write(row.answer, given?.answer.text ?? "");
      write(row.problem, problem ?? "");
      row.box.disabled = problem !== null;
      row.box.checked = row.isWanted && problem === null;
    }
    const { lesson, lab } = this.state;
    const parts = measuredParts(lesson, lab);
    for (const { element, list, now } of [this.#measured, this.#earlier]) {
      const lines = measuredLines(now(), parts);
      element.hidden = lines.length === 0;
      if (list.textContent !== lines.join("")) list.replaceChildren(...lines.map((text) => el("span", { text })));
    }
  }

  chosen(): Chosen {
    const answers = this.#rows.flatMap(({ asked, isWanted }) => {
      const given = isWanted ? prepared(asked, this.state) : null;
      return given && given.problem === null ? [given.answer] : [];
    });
    const ticked = [this.#earlier, this.#measured].flatMap(({ box, now }) => (box.checked ? [now()] : []));
    const checks = ticked.flatMap((each) => each.checks);
    return { answers, measured: { checks, blocks: ticked.flatMap(({ blocks }) => blocks) } };
  }

  /** Why so many answers cannot be handed in, as a sentence; null if they can. */
  whyTooMany(): string | null {
    const { length } = this.chosen().answers;
    if (length <= MAX_ANSWERS) return null;
    return `You can hand in at most ${MAX_ANSWERS} answers. Untick ${length - MAX_ANSWERS}.`;
  }

  /** What the pupil can do to hand in something, as a sentence. Only for a `chosenCount` of 0. */
  whyNone(): string {
    const given = this.#rows.flatMap(({ asked }) => prepared(asked, this.state) ?? []);
    if (resultCount(measuredOf(this.state)) > 0 || given.some(({ problem }) => problem === null))
      return "Tick at least one line.";
    if (this.#rows.length === 0) return "Nothing has been measured yet. Go through the lesson first.";
    if (given.length === 0) return "Answer a question first.";
    return "None of these answers can be sent. The reason stands beside each.";
  }

  #resultsOf(title: string, now: () => Measured): Results {
    const box = el("input", { type: "checkbox", checked: true, on: { change: () => this.changed() } });
    const list = el("span", {});
    const head = el("span", { class: "quiet small", text: title });
    return { element: el("li", {}, el("label", {}, box, el("span", {}, head, list))), box, list, now };
  }

  #rowOf(asked: SentQuestion): Row {
    const box = el("input", { type: "checkbox", checked: true });
    const answer = el("span", { class: "lesson-sent-answer" });
    const problem = el("span", { class: "lesson-refused" });
    const words = el("span", {}, el("span", { class: "quiet small", text: asked.question }), answer, problem);
    const element = el("li", {}, el("label", {}, box, words));
    const row = { asked, box, isWanted: true, answer, problem, element };
    listen(box, {
      change: () => {
        row.isWanted = box.checked;
        this.changed();
      },
    });
    return row;
  }
}

// The part of a lesson with which a pupil of a class that has a server hands in answers and what was measured: it shows
// what would be sent, and sends that when its button is pressed. Loaded when the tab is in such a class.

import { button, el, listen, write } from "../core/dom";
import { formatCount } from "../core/format";
import { keptNote, news, type PupilNote } from "../class/note";
import { nothingMeasured, resultCount, type Measured, type MeasuredParts } from "../class/measured";
import { ClassServer, NO_ANSWER, ServerProblem } from "../class/server";
import { MAX_ANSWERS, NOT_LOADED } from "../class/text";
import { prepared, sentQuestions, type Prepared, type SentQuestion } from "./sent";
import { measuredLines, measuredOf, measuredParts } from "./sent-results";
import type { LessonState } from "./state";

const HAND_IN = "Hand in my answers to the class";
/** The request may have arrived although its reply did not. */
const UNREACHED =
  "The class does not answer, so it is not certain that your answers arrived. Hand them in again in a moment.";

/** A question with its answer as it would be sent. */
interface Row {
  asked: SentQuestion;
  element: HTMLElement;
  box: HTMLInputElement;
  /** Whether the pupil wants it sent. An answer that cannot be sent is not ticked, whatever they want. */
  isWanted: boolean;
  answer: HTMLElement;
  problem: HTMLElement;
}

/** What would be sent. */
interface Chosen {
  answers: Prepared[];
  measured: Measured;
}

export class HandIn {
  readonly element: HTMLDetailsElement;
  #rows: Row[];
  #parts: MeasuredParts;
  /** What was measured: one line for all of it. */
  #measured = { box: el("input", { type: "checkbox", checked: true }), list: el("span", {}), element: el("li", {}) };
  #button = button(HAND_IN, () => void this.#send(), { class: "primary" });
  #status = el("p", { class: "lesson-note", role: "status" });
  #isSending = false;
  /** Why the last try has failed; empty if it has not. */
  #failure = "";
  /** What was handed in last since the lesson was opened, and when. */
  #lastHandIn: { text: string; answers: number; measured: number; time: string } | null = null;
  #unsubscribe: (() => void)[];

  constructor(
    readonly state: LessonState,
    readonly note: PupilNote,
    /** The link of the lesson without `#/`, as the class's task has it. */
    readonly link: string,
  ) {
    this.#rows = sentQuestions(state.lesson).map((asked) => this.#rowOf(asked));
    this.#parts = measuredParts(state.lesson, state.lab);
    const { box, list, element } = this.#measured;
    const head = el("span", { class: "quiet small", text: "What this lesson has measured" });
    element.append(el("label", {}, box, el("span", {}, head, list)));
    listen(box, { change: () => this.#edited() });
    this.element = el(
      "details",
      { class: "lesson-hand-in" },
      el("summary", { text: `Class ${note.code}: hand in your answers` }),
      el("p", {
        class: "quiet small",
        text: `The button sends what is ticked here, with your name in the class (${note.name}), to your teacher's computer. Until you press it, nothing of this lesson is sent.`,
      }),
      el("ul", { class: "lesson-sent" }, ...this.#rows.map((row) => row.element), element),
      el("p", { class: "row" }, this.#button),
      this.#status,
    );
    this.#unsubscribe = [state.on("changed", () => this.#edited()), news.on("heard", () => this.#draw())];
    this.#draw();
  }

  destroy(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
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
        this.#edited();
      },
    });
    return row;
  }

  /** An answer or a tick has changed, so the failure of the last try is no news any more. */
  #edited(): void {
    this.#failure = "";
    this.#draw();
  }

  #draw(): void {
    for (const row of this.#rows) {
      const ready = prepared(row.asked, this.state);
      const problem = ready?.problem ?? null;
      row.element.hidden = ready === null;
      write(row.answer, ready?.answer.text ?? "");
      write(row.problem, problem ?? "");
      row.box.disabled = problem !== null;
      row.box.checked = row.isWanted && problem === null;
    }
    const { list, element } = this.#measured;
    const lines = measuredLines(measuredOf(this.state), this.#parts);
    element.hidden = lines.length === 0;
    if (list.textContent !== lines.join("")) list.replaceChildren(...lines.map((text) => el("span", { text })));
    const chosen = this.#chosen();
    const isNone = chosen.answers.length === 0 && resultCount(chosen.measured) === 0;
    const takesBack = isNone && this.#stored !== "";
    this.#button.disabled = (isNone && !takesBack) || chosen.answers.length > MAX_ANSWERS;
    write(this.#button, takesBack ? "Take it back" : this.#lastHandIn ? "Hand in again" : HAND_IN);
    const { text, isWrong } = this.#words(chosen);
    write(this.#status, text);
    this.#status.classList.toggle("lesson-refused", isWrong);
  }

  /** What of this lesson the class has of this tab, as far as the tab has heard, in words; empty for nothing. */
  get #stored(): string {
    const { last } = news;
    return last?.task?.link === this.link ? countWords(last.answers, last.measured) : "";
  }

  /** What would be sent. */
  #chosen(): Chosen {
    const answers = this.#rows.flatMap(({ asked, isWanted }) => {
      const ready = isWanted ? prepared(asked, this.state) : null;
      return ready && ready.problem === null ? [ready] : [];
    });
    return { answers, measured: this.#measured.box.checked ? measuredOf(this.state) : nothingMeasured() };
  }

  #words(chosen: Chosen): { text: string; isWrong: boolean } {
    const [handed, stored] = [this.#lastHandIn, this.#stored];
    const task = news.last?.task;
    const said = (text: string, isWrong = false) => ({ text, isWrong });
    if (this.#isSending) return said("Sending …");
    const { length } = chosen.answers;
    if (length > MAX_ANSWERS)
      return said(`You can hand in at most ${MAX_ANSWERS} answers. Untick ${length - MAX_ANSWERS}.`, true);
    if (this.#failure !== "") return said(this.#failure, true);
    if (task && task.link !== this.link) {
      const hadAny = handed && countWords(handed.answers, handed.measured) !== "";
      const deleted = hadAny ? " What you handed in was deleted on the teacher's computer." : "";
      return said(`The class has gone on to something else.${deleted}`);
    }
    if (handed && handed.text !== textOf(chosen))
      return said(`Handed in at ${handed.time}. What is ticked now is different; hand in again to replace it.`);
    const words = handed ? countWords(handed.answers, handed.measured) : "";
    if (handed) return said(`${words === "" ? "Taken back" : "Handed in"} at ${handed.time}${words && `: ${words}`}.`);
    if (stored !== "") return said(`The class has ${stored} from you. What you hand in now replaces that.`);
    const isNone = length === 0 && resultCount(chosen.measured) === 0;
    return said(isNone ? this.#whyNone() : "Nothing has been handed in yet.");
  }

  /** Why there is nothing to send. */
  #whyNone(): string {
    const ready = this.#rows.flatMap(({ asked }) => prepared(asked, this.state) ?? []);
    if (resultCount(measuredOf(this.state)) > 0 || ready.some(({ problem }) => problem === null))
      return "Tick at least one line.";
    if (ready.length === 0) return "Answer a question first.";
    return "None of these answers can be sent. The reason stands beside each.";
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    const chosen = this.#chosen();
    const text = textOf(chosen);
    this.#isSending = true;
    this.#failure = "";
    this.#draw();
    try {
      const answers = chosen.answers.map(({ answer }) => answer);
      const standing = await new ClassServer(this.note.token ?? "").handInLesson(this.link, answers, chosen.measured);
      const time = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
      this.#lastHandIn = { text, answers: answers.length, measured: resultCount(chosen.measured), time };
      // The tab may have left the class meanwhile.
      if (keptNote()?.token === this.note.token) news.heard(standing);
    } catch (error) {
      const isKnown = error instanceof ServerProblem;
      this.#failure = !isKnown ? NOT_LOADED : error.message === NO_ANSWER ? UNREACHED : error.message;
    }
    this.#isSending = false;
    this.#draw();
  }
}

/** What tells two things to hand in apart. */
const textOf = ({ answers, measured }: Chosen): string =>
  JSON.stringify([answers.map(({ answer }) => answer), measured]);

/** So many answers and results in words; empty for none. */
function countWords(answers: number, measured: number): string {
  const parts = [answers > 0 && formatCount(answers, "answer"), measured > 0 && formatCount(measured, "result")];
  return parts.filter((part) => part !== false).join(" and ");
}

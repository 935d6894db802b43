// The part of a lesson with which a pupil of a class that has a server hands in answers: it shows what would be sent, and
// sends that when its button is pressed. Loaded when the tab is in such a class.

import { button, el, listen, write } from "../core/dom";
import { formatCount } from "../core/format";
import { news, type PupilNote } from "../class/note";
import { ClassServer, NO_ANSWER, ServerProblem } from "../class/server";
import { MAX_ANSWERS, NOT_LOADED } from "../class/text";
import { prepared, sentQuestions, type Prepared, type SentQuestion } from "./sent";
import type { LessonState } from "./state";

const HAND_IN = "Hand in my answers to the class";
const UNREACHED = "The server of the class does not answer, so nothing was handed in. Try again in a moment.";

/** A question with its answer as it would be sent. */
interface Row {
  asked: SentQuestion;
  element: HTMLElement;
  box: HTMLInputElement;
  answer: HTMLElement;
  problem: HTMLElement;
}

export class HandIn {
  readonly element: HTMLDetailsElement;
  #rows: Row[];
  #button = button(HAND_IN, () => void this.#send(), { class: "primary" });
  #status = el("p", { class: "lesson-note", role: "status" });
  #isSending = false;
  /** Why the last try has failed; empty if it has not. */
  #failure = "";
  /** What was handed in last since the lesson was opened, and when. */
  #handed: { text: string; count: number; time: string } | null = null;
  #unsubscribe: (() => void)[];

  constructor(
    readonly state: LessonState,
    readonly note: PupilNote,
  ) {
    this.#rows = sentQuestions(state.lesson).map((asked) => this.#rowOf(asked));
    this.element = el(
      "details",
      { class: "lesson-hand-in" },
      el("summary", { text: `Class ${note.code}: hand in your answers` }),
      el("p", {
        class: "quiet small",
        text: `The button sends what is ticked here, with your name in the class (${note.name}), to your teacher's computer. Before you press it, nothing of this lesson is sent.`,
      }),
      el("ul", { class: "lesson-sent" }, ...this.#rows.map(({ element }) => element)),
      el("p", { class: "row" }, this.#button),
      this.#status,
    );
    const draw = () => this.#draw();
    this.#unsubscribe = [state.on("changed", draw), news.on("heard", draw)];
    draw();
  }

  destroy(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #rowOf(asked: SentQuestion): Row {
    const box = el("input", { type: "checkbox", checked: true });
    const answer = el("span", { class: "lesson-sent-answer" });
    const problem = el("span", { class: "lesson-refused" });
    const words = el("span", {}, el("span", { class: "quiet small", text: asked.question }), answer, problem);
    listen(box, { change: () => this.#draw() });
    return { asked, box, answer, problem, element: el("li", {}, el("label", {}, box, words)) };
  }

  #draw(): void {
    for (const { asked, element, box, answer, problem } of this.#rows) {
      const ready = prepared(asked, this.state);
      element.hidden = ready === null;
      write(answer, ready?.answer.text ?? "");
      write(problem, ready?.problem ?? "");
      box.disabled = ready?.problem != null;
    }
    const chosen = this.#chosen();
    this.#button.disabled = chosen.length === 0 || chosen.length > MAX_ANSWERS;
    write(this.#button, this.#handed ? "Hand in again" : HAND_IN);
    const { text, isWrong } = this.#words(chosen);
    write(this.#status, text);
    this.#status.classList.toggle("lesson-refused", isWrong);
  }

  /** The answers that would be sent. */
  #chosen(): Prepared[] {
    return this.#rows.flatMap(({ asked, box }) => {
      const ready = box.checked ? prepared(asked, this.state) : null;
      return ready && ready.problem === null ? [ready] : [];
    });
  }

  #words(chosen: readonly Prepared[]): { text: string; isWrong: boolean } {
    const handed = this.#handed;
    const known = news.last?.answers ?? 0;
    const said = (text: string, isWrong = false) => ({ text, isWrong });
    if (this.#isSending) return said("The answers are being sent …");
    if (this.#failure !== "") return said(this.#failure, true);
    if (chosen.length > MAX_ANSWERS)
      return said(`The class takes ${MAX_ANSWERS} answers. Untick ${chosen.length - MAX_ANSWERS} of them.`, true);
    if (handed && known === 0)
      return said("The class has gone on to something else, and your answers were deleted there.");
    if (handed && handed.text !== textOf(chosen))
      return said(`Handed in at ${handed.time}, and changed since then. Hand in again to replace what was sent.`);
    if (handed) return said(`Handed in at ${handed.time}: ${formatCount(handed.count, "answer")}.`);
    if (known > 0)
      return said(`The class has ${formatCount(known, "answer")} from you. What you hand in now replaces that.`);
    return said(chosen.length === 0 ? "There is no answer to hand in yet." : "Nothing has been handed in yet.");
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    const chosen = this.#chosen();
    const text = textOf(chosen);
    this.#isSending = true;
    this.#failure = "";
    this.#draw();
    try {
      const standing = await new ClassServer(this.note.token ?? "").lesson(chosen.map(({ answer }) => answer));
      const time = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
      this.#handed = { text, count: chosen.length, time };
      news.heard(standing);
    } catch (error) {
      const isKnown = error instanceof ServerProblem;
      this.#failure = !isKnown ? NOT_LOADED : error.message === NO_ANSWER ? UNREACHED : error.message;
    }
    this.#isSending = false;
    this.#draw();
  }
}

/** What tells two sets of answers apart. */
const textOf = (chosen: readonly Prepared[]): string => JSON.stringify(chosen.map(({ answer }) => answer));

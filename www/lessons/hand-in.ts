// The part of a lesson with which a pupil of a class that has a server hands in answers and what was measured: it shows
// what would be sent, and sends that when its button is pressed. Loaded when the tab is in such a class.

import { button, el, write } from "../core/dom";
import { formatCount } from "../core/format";
import { keptNote, news, type PupilNote } from "../class/note";
import { resultCount } from "../class/measured";
import { ClassServer, NO_ANSWER, ServerProblem } from "../class/server";
import { NOT_LOADED } from "../class/text";
import { chosenCount, SentList, type Chosen } from "./sent-list";
import type { LessonState } from "./state";

const HAND_IN = "Hand in my answers to the class";
/** The request may have arrived although its reply did not. */
const UNREACHED =
  "The class does not answer, so it is not certain that your answers arrived. Hand them in again in a moment. If that fails too, press “Copy my answers”, below the last step, and keep them as a text.";

export class HandIn {
  readonly element: HTMLDetailsElement;
  #list: SentList;
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
    this.#list = new SentList(state, () => this.#edited());
    this.element = el(
      "details",
      { class: "lesson-hand-in" },
      el("summary", { text: `Class ${note.code}: hand in your answers` }),
      el("p", {
        class: "quiet small",
        text: `The button sends what is ticked here, with your name in the class (${note.name}), to your teacher's computer. Until you press it, nothing of this lesson is sent.`,
      }),
      this.#list.element,
      el("p", { class: "row" }, this.#button),
      this.#status,
    );
    this.#unsubscribe = [state.on("changed", () => this.#edited()), news.on("heard", () => this.#draw())];
    this.#draw();
  }

  destroy(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  /** An answer or a tick has changed, so the failure of the last try is no news any more. */
  #edited(): void {
    this.#failure = "";
    this.#draw();
  }

  #draw(): void {
    this.#list.draw();
    const chosen = this.#list.chosen();
    const isNone = chosenCount(chosen) === 0;
    const takesBack = isNone && this.#stored !== "";
    this.#button.disabled = (isNone && !takesBack) || this.#list.whyTooMany() !== null;
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

  #words(chosen: Chosen): { text: string; isWrong: boolean } {
    const [handed, stored] = [this.#lastHandIn, this.#stored];
    const task = news.last?.task;
    const said = (text: string, isWrong = false) => ({ text, isWrong });
    if (this.#isSending) return said("Sending …");
    const tooMany = this.#list.whyTooMany();
    if (tooMany !== null) return said(tooMany, true);
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
    return said(chosenCount(chosen) === 0 ? this.#list.whyNone() : "Nothing has been handed in yet.");
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    const chosen = this.#list.chosen();
    const text = textOf(chosen);
    this.#isSending = true;
    this.#failure = "";
    this.#draw();
    try {
      const { answers, measured } = chosen;
      const standing = await new ClassServer(this.note.token ?? "").handInLesson(this.link, answers, measured);
      const time = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
      this.#lastHandIn = { text, answers: answers.length, measured: resultCount(measured), time };
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
const textOf = ({ answers, measured }: Chosen): string => JSON.stringify([answers, measured]);

/** So many answers and results in words; empty for none. */
function countWords(answers: number, measured: number): string {
  const parts = [answers > 0 && formatCount(answers, "answer"), measured > 0 && formatCount(measured, "result")];
  return parts.filter((part) => part !== false).join(" and ");
}

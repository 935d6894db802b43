// What stands below the steps of a lesson: the answers as a text to copy, a code of them for a class without a server,
// and in a class with one the part that hands them in.

import { button, el, write } from "../core/dom";
import { copyButton } from "../ui/copy";
import { keptNote, news } from "../class/note";
import { NOT_LOADED } from "../class/text";
import type { HandIn } from "./hand-in";
import { answersText } from "./sent";
import type { LessonState } from "./state";

const NO_SERVER = "This class has no server. Make a lesson code of your answers, and give it to your teacher.";
const OTHER_TASK = "Your class does something else, so the answers of this lesson cannot be handed in.";

export class LessonEnd {
  readonly element: HTMLElement;
  #class = el("div", {});
  #copy: HTMLElement;
  #code = button("Lesson code for a class…", () => void this.#openCode());
  #problem = el("p", { class: "lesson-refused", role: "status" });
  #handIn: HandIn | null = null;
  /** The link of the lesson without `#/`, as a class has it for its task. */
  readonly #link = location.hash.replace(/^#\/?/, "");
  /** The token of the pupil in the class to which the part hands in; null while there is no such part. */
  #token: string | null = null;
  #isLast = false;
  #unsubscribe = news.on("changed", () => void this.#show());

  constructor(readonly state: LessonState) {
    this.#copy = el(
      "p",
      { class: "row" },
      copyButton("Copy my answers", () => answersText(this.state)),
      this.#code,
    );
    this.element = el("div", { class: "lesson-end" }, this.#class, this.#copy, this.#problem);
    void this.#show();
  }

  destroy(): void {
    this.#unsubscribe();
    this.#close();
  }

  /** Shows what belongs to the last step, or to an earlier one, where predictions can already be handed in. */
  at(isLast: boolean): void {
    if (isLast !== this.#isLast && this.#handIn) this.#handIn.element.open = isLast;
    this.#isLast = isLast;
    this.#copy.hidden = !isLast;
    this.#class.hidden = !isLast && !this.#handIn;
  }

  async #openCode(): Promise<void> {
    const module = await import("./lesson-code-dialog").catch(() => null);
    write(this.#problem, module ? "" : NOT_LOADED);
    module?.openLessonCodeDialog(this.state, this.state.id ?? "", keptNote()?.name ?? "");
  }

  #close(): void {
    this.#handIn?.destroy();
    this.#handIn = null;
    this.#token = null;
    this.#class.replaceChildren();
  }

  /** Shows what fits to the class that the tab is in by now. */
  async #show(): Promise<void> {
    const note = keptNote();
    this.#code.hidden = note !== null && note.token !== null; // the server's class collects no codes
    if (note?.token && note.token === this.#token && note.task === this.#link) return;
    this.#close();
    const say = (text: string) => this.#class.append(el("p", { class: "quiet", text }));
    if (note && note.token === null) say(NO_SERVER);
    else if (note && note.task !== this.#link) {
      if (note.task !== "") say(OTHER_TASK); // it is empty until the class has begun
    } else if (note) {
      this.#token = note.token;
      const module = await import("./hand-in").catch(() => null);
      if (this.#token !== note.token) return; // the class was left meanwhile
      if (!module) this.#token = null; // the next change tries again
      if (module) {
        this.#handIn = new module.HandIn(this.state, note, this.#link);
        this.#handIn.element.open = this.#isLast;
      }
      this.#class.replaceChildren(this.#handIn?.element ?? el("p", { class: "lesson-refused", text: NOT_LOADED }));
    }
    this.at(this.#isLast);
  }
}

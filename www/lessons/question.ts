// A question of a lesson: one of several options, a number, or a sentence. The answer is kept as it is given. A
// prediction cannot be changed any more once its run has begun.

import { el, listen, write } from "../core/dom";
import { quoted } from "../core/values";
import { formatCount, formatNumber, sentenceStart } from "../core/format";
import { isLessonLink } from "../class/lesson";
import { keptNote } from "../class/note";
import { MAX_ANSWER as MOST_OF_CLASS } from "../class/text";
import { MAX_ANSWER } from "./answers";
import { areSeveralRuns, blocksAfter, predicts, type QuestionPart } from "./format";
import { countsRuns } from "./measures";
import { sentLength } from "./sent";
import { allows, isInRange, readTyped, type LessonState } from "./state";

/** What is typed is kept when nothing has been typed for this time. */
const REST_MS = 400;
/** A number is kept as it was typed, unless it has more characters than this: then only its value is kept. */
const MAX_TYPED = 20;
/** From here on the page counts how many characters more a class takes. */
const FEW_CHARACTERS = 80;

export class Question {
  readonly element: HTMLElement;
  #note = el("p", { class: "lesson-note quiet", role: "status" });
  /** What is wrong with the number that is typed, in a sentence with a space after it; empty if nothing is. */
  #wrong = "";
  #controls: (HTMLInputElement | HTMLTextAreaElement)[] = [];
  #unsubscribe: () => void;
  /** Keeps what has been typed; null if everything is kept. */
  #typed: (() => void) | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly part: QuestionPart,
    readonly state: LessonState,
  ) {
    const id = `lesson-${part.name}`;
    const isPrediction = predicts(part).length > 0;
    const kind = el("span", { class: "lesson-kind", text: isPrediction ? "Predict" : "Answer" });
    const asks = part.kind === "choice" ? el("legend", {}, kind, part.ask) : el("label", { for: id }, kind, part.ask);
    const body =
      part.kind === "choice"
        ? this.#choice(part.options, id)
        : [part.kind === "number" ? this.#number(id) : this.#sentence(id)];
    const tag = part.kind === "choice" ? "fieldset" : "div";
    this.element = el(tag, { class: "lesson-question" }, asks, ...body, this.#note);
    this.#unsubscribe = state.on("changed", () => this.#draw());
    this.#draw();
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#typed?.();
    this.#unsubscribe();
  }

  #choice(options: readonly { text: string }[], id: string): HTMLElement[] {
    const answer = this.state.answer(this.part);
    return options.map(({ text }, i) => {
      const input = el("input", { type: "radio", name: id, value: i, checked: answer === i });
      listen(input, { change: () => this.state.setAnswer(this.part.name, i) });
      this.#controls.push(input);
      return el("label", { class: "lesson-option" }, input, el("span", { text }));
    });
  }

  #number(id: string): HTMLElement {
    const { part, state } = this;
    const answer = state.answer(part);
    const box = el("input", { type: "text", inputmode: "decimal", class: "num", id, autocomplete: "off" });
    if (answer !== null) box.value = state.answerWords(part) ?? "";
    this.#onTyping(box, () => {
      const typed = box.value.trim();
      const value = part.kind === "number" ? readTyped(part, typed) : NaN;
      const isAllowed = part.kind === "number" && allows(part, value);
      const isWrong = typed !== "" && !isAllowed;
      if (isWrong) box.setAttribute("aria-invalid", "true");
      else box.removeAttribute("aria-invalid");
      const inWords = Number.isNaN(value)
        ? "is not a number"
        : part.kind === "number" && isInRange(part, value)
          ? "is not a whole number"
          : "is outside of the range that is asked for";
      this.#wrong = isWrong ? `${quoted(typed)} ${inWords}. ` : "";
      state.setAnswer(part.name, isAllowed ? (typed.length > MAX_TYPED ? value : typed) : null);
    });
    return box;
  }

  #sentence(id: string): HTMLElement {
    const { part, state } = this;
    const answer = state.answer(part);
    const area = el("textarea", { id, rows: 3, maxlength: MAX_ANSWER });
    if (typeof answer === "string") area.value = answer;
    this.#onTyping(area, () => state.setAnswer(part.name, area.value.trim() === "" ? null : area.value));
    return area;
  }

  /** Keeps what is typed once the reader rests or leaves. */
  #onTyping(box: HTMLInputElement | HTMLTextAreaElement, keep: () => void): void {
    this.#controls.push(box);
    const now = () => {
      clearTimeout(this.#timer);
      this.#typed?.();
      this.#typed = null;
    };
    const soon = () => {
      this.#typed = keep;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(now, REST_MS);
    };
    box.addEventListener("input", soon);
    box.addEventListener("change", now);
  }

  #draw(): void {
    const { part, state } = this;
    const isLocked = state.isLocked(part);
    if (isLocked && this.#typed) this.#dropTyped();
    for (const control of this.#controls) {
      if (control instanceof HTMLTextAreaElement || control.type === "text") control.readOnly = isLocked;
      else control.disabled = isLocked;
    }
    write(this.#note, this.#noteText(isLocked));
  }

  /** How many characters of a sentence the class still takes, once they become few. Empty if no class does a lesson. */
  #roomInClass(): string {
    const { part, state } = this;
    const note = keptNote();
    const handsIn = note !== null && note.token !== null && isLessonLink(note.task);
    const answer = part.kind === "sentence" && handsIn ? state.answer(part) : null;
    const room = typeof answer === "string" ? MOST_OF_CLASS - sentLength(answer) : Infinity;
    if (room > FEW_CHARACTERS) return "";
    if (room >= 0) return ` The class takes ${formatCount(room, "character")} more.`;
    return ` To hand it in to the class, shorten it by ${formatCount(-room, "character")} (${MOST_OF_CLASS} at most).`;
  }

  /** What was typed is not kept any more: the prediction was locked before. */
  #dropTyped(): void {
    clearTimeout(this.#timer);
    this.#typed = null;
    for (const box of this.#controls) {
      box.value = this.state.answerWords(this.part) ?? "";
      box.removeAttribute("aria-invalid");
    }
  }

  #noteText(isLocked: boolean): string {
    const { part, state } = this;
    if (isLocked) {
      const runs = areSeveralRuns(state.lesson, blocksAfter(state.lesson, part)) ? "runs have" : "run has";
      return `Your prediction is kept. It cannot change now, because its ${runs} begun.`;
    }
    if (state.answer(part) !== null)
      return state.isKept === false
        ? "This browser keeps nothing, so print your answers before you leave."
        : `Kept on this device.${this.#roomInClass()}`;
    if (part.kind !== "number") return "";
    const range = `a ${countsRuns(part) ? "whole number" : "number"} from ${formatNumber(part.from)} to ${formatNumber(part.to)}.`;
    return this.#wrong === "" ? sentenceStart(range) : `${this.#wrong}Write ${range}`;
  }
}

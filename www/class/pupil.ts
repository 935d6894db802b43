// A pupil's tab: which class it is in, with which name and seed, and the bar that says so above every screen. The note is
// kept for this tab only (session storage), so a reload does not end it and the next visitor does not find it.

import { button, el, write } from "../core/dom";
import { isNumber, isObject } from "../core/unknown";
import type { Run } from "../core/run";
import { MAX_SEED } from "../core/link";
import type { Answer } from "./code";
import { isPlainText, MAX_ANSWER, MAX_NAME, MAX_QUESTION } from "./text";
import "./class.css";

/** The key of the note. `main.ts` looks for it when the page is opened. */
const NOTE_KEY = "learnery:class";

export interface PupilNote {
  name: string;
  seed: number;
  /** The short code of the class. */
  code: string;
  /** The class's question, and the pupil's answer; both empty for none. */
  question: string;
  answer: string;
  /** With which the class's server knows this tab; null in a class without a server. */
  token: string | null;
}

/** The parts of the page that a pupil's tab uses. */
export interface PupilContext {
  run: Run;
  main: HTMLElement;
}

export function keepNote(note: PupilNote | null): void {
  try {
    if (note) sessionStorage.setItem(NOTE_KEY, JSON.stringify(note));
    else sessionStorage.removeItem(NOTE_KEY);
  } catch {
    // Without storage the note lasts until the page is loaded again.
  }
}

export function keptNote(): PupilNote | null {
  try {
    return readNote(JSON.parse(sessionStorage.getItem(NOTE_KEY) ?? ""));
  } catch {
    return null;
  }
}

function readNote(value: unknown): PupilNote | null {
  if (!isObject(value)) return null;
  const { name, seed, code, question, answer, token } = value;
  if (!isPlainText(name, MAX_NAME) || !isNumber(seed) || !(seed >= 0 && seed <= MAX_SEED)) return null;
  return {
    name,
    seed,
    code: isPlainText(code, MAX_NAME) ? code : "",
    question: isPlainText(question, MAX_QUESTION) ? question : "",
    answer: isPlainText(answer, MAX_ANSWER) ? answer : "",
    token: typeof token === "string" ? token : null,
  };
}

/** The answers that a note holds, as a result takes them. */
export function answersOf({ question, answer }: PupilNote): Answer[] {
  return question !== "" && answer !== "" ? [{ question, text: answer }] : [];
}

/** The bar of this tab; null if it is in no class. */
let bar: PupilBar | null = null;

/** Shows the bar of the class that this tab is in. */
export function showPupil(page: PupilContext, note: PupilNote): void {
  bar?.remove();
  bar = new PupilBar(page, note);
  page.main.before(bar.element);
}

/** Shows the bar again after the page was loaded anew. */
export function resumePupil(page: PupilContext): void {
  const note = keptNote();
  if (note) showPupil(page, note);
}

/** Leaves the class. */
export function leaveClass(): void {
  keepNote(null);
  bar?.remove();
  bar = null;
}

class PupilBar {
  readonly element = el("aside", { class: "class-bar", "aria-label": "Your class" });
  #words = el("p", {});

  constructor(
    readonly page: PupilContext,
    readonly note: PupilNote,
  ) {
    const handIn = button("Hand in my result", () => void this.#handIn(), { class: "primary small" });
    this.element.append(
      this.#words,
      handIn,
      button("Leave", leaveClass, { class: "small", title: "Leave the class. Your run stays." }),
    );
    write(this.#words, `Class ${note.code}: you are ${note.name}, with seed ${note.seed}.`);
  }

  remove(): void {
    this.element.remove();
  }

  async #handIn(): Promise<void> {
    const { note, page } = this;
    const module = await import("./result-dialog").catch(() => null);
    if (module) module.openResultDialog(page.run, note.name, answersOf(note));
    else write(this.#words, "A part of the page could not be loaded. Check the network connection, and try again.");
  }
}

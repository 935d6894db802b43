// A pupil's tab: which class it is in, with which name and seed, and the bar that says so above every screen. The note is
// kept for this tab only (session storage), so a reload does not end it and the next visitor does not find it.

import { button, el, write } from "../core/dom";
import { isNumber, isObject } from "../core/unknown";
import type { Run } from "../core/run";
import { MAX_SEED } from "../core/link";
import { formatCount, formatInteger, formatNumber } from "../core/format";
import { writeCode, type Answer } from "./code";
import { PupilConnection } from "./connection";
import { FAILED, metricOf, resultOf } from "./result";
import { ServerProblem, type ClassServer, type Standing } from "./server";
import { isPlainText, MAX_ANSWER, MAX_NAME, MAX_QUESTION, NOT_LOADED } from "./text";
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
  /** What the class trained when this tab began: a run's link without its seed (task.ts). */
  task: string;
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
  const { name, seed, code, question, answer, task, token } = value;
  if (!isPlainText(name, MAX_NAME) || !isNumber(seed) || !(seed >= 0 && seed <= MAX_SEED)) return null;
  return {
    name,
    seed,
    code: isPlainText(code, MAX_NAME) ? code : "",
    question: isPlainText(question, MAX_QUESTION) ? question : "",
    answer: isPlainText(answer, MAX_ANSWER) ? answer : "",
    task: typeof task === "string" ? task : "",
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
  /** Where the class is, or what the server has refused. */
  #news = el("span", { class: "quiet", role: "status" });
  /** What was handed in last. */
  #handed = el("span", {});
  #next = el("a", { class: "button small primary", href: "#/class?join=", text: "Go on with the class", hidden: true });
  #handIn = button("Hand in my result", () => void this.#handInResult(), { class: "primary small" });
  #connection: PupilConnection | null = null;

  constructor(
    readonly page: PupilContext,
    readonly note: PupilNote,
  ) {
    this.#words.append(`Class ${note.code}: you are ${note.name}, with seed ${note.seed}. `, this.#handed, this.#news);
    const title = "Leave the class. Your run stays.";
    const leave = button("Leave", () => this.#leave(), { class: "small", title });
    this.element.append(this.#words, this.#next, this.#handIn, leave);
    if (note.token === null) return;
    this.#connection = new PupilConnection(
      page.run,
      note.token,
      (standing) => this.#heard(standing),
      (sentence) => write(this.#news, sentence),
    );
  }

  remove(): void {
    this.#connection?.close();
    this.element.remove();
  }

  #leave(): void {
    this.#connection?.server.leave();
    leaveClass();
  }

  /** Shows where the class is. If it trains something else by now, a link leads there. */
  #heard({ task, pupils, units, value }: Standing): void {
    const isOther = task !== null && task.link !== this.note.task;
    this.#next.hidden = !isOther;
    const { run } = this.page;
    const spec = run.series.spec(metricOf(run));
    const number = value === null ? "" : `; middle ${spec?.label ?? "result"} ${formatNumber(value, 4, spec?.unit)}`;
    const medians =
      units === null || isOther
        ? ""
        : ` Half of the class is at ${run.lab?.about.unit ?? "unit"} ${formatInteger(Math.floor(units))} or further${number}.`;
    write(this.#news, isOther ? "The class trains something else now." : `${formatCount(pupils, "pupil")}.${medians}`);
  }

  async #handInResult(): Promise<void> {
    const { note, page } = this;
    const answers = answersOf(note);
    const server = this.#connection?.server;
    if (!server) {
      const module = await import("./result-dialog").catch(() => null);
      if (module) module.openResultDialog(page.run, note.name, answers);
      else write(this.#news, NOT_LOADED);
      return;
    }
    this.#handIn.disabled = true;
    try {
      await this.#sendResult(server, answers);
    } catch (error) {
      write(this.#news, error instanceof ServerProblem ? error.message : FAILED);
    } finally {
      this.#handIn.disabled = false;
    }
  }

  /** Hands the result in, and says so. */
  async #sendResult(server: ClassServer, answers: Answer[]): Promise<void> {
    const { note, page } = this;
    const taken = await resultOf(page.run, note.name, answers);
    const code = "problem" in taken ? null : await writeCode(taken.result);
    if ("problem" in taken || code === null)
      return write(this.#news, "problem" in taken ? taken.problem : "This run has too many changes for a result code.");
    await server.handIn(code);
    write(this.#handed, `Handed in at ${page.run.lab?.about.unit ?? "unit"} ${taken.units}. `);
    write(this.#handIn, "Hand in again");
  }
}

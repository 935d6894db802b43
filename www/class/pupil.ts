// A pupil's tab: the bar above every screen, which says in which class it is, with which name and seed.

import { button, el, write } from "../core/dom";
import type { Challenge } from "../core/challenge";
import type { Run } from "../core/run";
import { formatCount, formatInteger, formatNumber } from "../core/format";
import { LABS } from "../generated/labs";
import { writeCode, type Answer } from "./code";
import { PupilConnection } from "./connection";
import { isLessonLink } from "./lesson";
import { keepNote, keptNote, news, type PupilNote } from "./note";
import { FAILED, metricOf, resultOf } from "./result";
import { ServerProblem, type ClassServer, type Standing } from "./server";
import { taskOf } from "./task";
import { NOT_LOADED } from "./text";
import "./class.css";

/** The parts of the page that a pupil's tab uses. */
export interface PupilContext {
  run: Run;
  main: HTMLElement;
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
    // The runs of a lesson have the lesson's seeds, and its answers are handed in on its page.
    const isLesson = isLessonLink(note.task);
    const seed = isLesson ? "" : `, with seed ${note.seed}`;
    this.#words.append(`Class ${note.code}: you are ${note.name}${seed}. `, this.#handed, this.#news);
    this.#handIn.hidden = isLesson;
    const title = "Leave the class. Your run stays.";
    const leave = button("Leave", () => this.#leave(), { class: "small", title });
    this.element.append(this.#words, this.#next, this.#handIn, leave);
    if (note.token === null) return;
    this.#connection = new PupilConnection(
      isLesson ? null : page.run,
      note.token,
      note.task,
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

  /** Shows where the class is. If it does something else by now, a link leads there. */
  #heard(standing: Standing): void {
    news.heard(standing);
    const { task, pupils, units, value } = standing;
    const isOther = task !== null && task.link !== this.note.task;
    this.#next.hidden = !isOther;
    const { run } = this.page;
    const spec = run.series.spec(metricOf(run));
    const number = value === null ? "" : `; middle ${spec?.label ?? "result"} ${formatNumber(value, 4, spec?.unit)}`;
    const medians =
      units === null || isOther
        ? ""
        : ` Half of those who train are at ${run.lab?.about.unit ?? "unit"} ${formatInteger(Math.floor(units))} or further${number}.`;
    write(this.#news, isOther ? "The class does something else now." : `${formatCount(pupils, "pupil")}.${medians}`);
  }

  async #handInResult(): Promise<void> {
    const { note, page } = this;
    const answers = answersOf(note);
    const server = this.#connection?.server;
    if (!server) {
      const parts = await Promise.all([import("./result-dialog"), this.#challenge()]).catch(() => null);
      if (parts) parts[0].openResultDialog(page.run, parts[1], note.name, answers);
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

  /** The challenge of the class, for a run of its lab; none without one. */
  async #challenge(): Promise<Challenge[]> {
    const task = await taskOf(this.note.task, "", LABS);
    return "problem" in task || !task.challenge || task.lab !== this.page.run.lab ? [] : [task.challenge];
  }

  /** Hands the result in, and says so. */
  async #sendResult(server: ClassServer, answers: Answer[]): Promise<void> {
    const { note, page } = this;
    const taken = await resultOf(page.run, note.name, answers, await this.#challenge());
    const code = "problem" in taken ? null : await writeCode(taken.result);
    if ("problem" in taken || code === null)
      return write(this.#news, "problem" in taken ? taken.problem : "This run has too many changes for a result code.");
    await server.handIn(code);
    write(this.#handed, `Handed in at ${page.run.lab?.about.unit ?? "unit"} ${taken.units}. `);
    write(this.#handIn, "Hand in again");
  }
}

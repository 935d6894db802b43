// The page with which a pupil joins a class that has a server: the code and a name, then, as soon as the teacher has
// opened the class, what it does and the answer to its question.

import { el, listen, write } from "../core/dom";
import { formatCount } from "../core/format";
import { LABS } from "../generated/labs";
import { settingsWords } from "./join-page";
import { isLessonLink, lessonTaskOf, type LessonTask, type LoadLessons } from "./lesson";
import { keepNote, keptNote, type PupilNote } from "./note";
import { leaveClass, showPupil, type PupilContext } from "./pupil";
import { ClassServer, ServerProblem, waitAfter, type ServerTask, type Standing } from "./server";
import { pupilLink, taskOf, type Task } from "./task";
import { MAX_ANSWER, MAX_NAME, NOT_LOADED, problemWith, tidy } from "./text";

/** The time between two requests that ask whether the class has begun. */
const POLL_MS = 2_000;

export class LiveJoinPage {
  readonly title = "Class";
  readonly element = el("article", { class: "class-page" });
  #destroyed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #problem = el("p", { class: "class-message wrong", role: "alert" });
  /**
   * The server's answer that the page shows, so that it is not drawn again for an equal one; null before the first, and
   * empty if a part of the page was missing, so that it is drawn again.
   */
  #shown: string | null = null;
  /** How many requests have failed since one was answered. */
  #failures = 0;

  /** `code` is the code of the link; empty if the pupil has to type it. */
  constructor(
    readonly page: PupilContext,
    readonly code: string,
    readonly lessons: LoadLessons,
  ) {
    const note = keptNote();
    const isOther = code !== "" && note?.code !== code.toUpperCase();
    if (note?.token && !isOther) void this.#wait(note);
    else this.#ask();
  }

  destroy(): void {
    this.#destroyed = true;
    clearTimeout(this.#timer);
  }

  /** Shows the form for the code and the name. */
  #ask(): void {
    // `maxlength` counts UTF-16 units, of which a character may have two.
    const code = el("input", { type: "text", id: "class-code", autocomplete: "off", maxlength: 8, value: this.code });
    const name = el("input", { type: "text", id: "class-name", autocomplete: "off", maxlength: 2 * MAX_NAME });
    const join = async () => {
      const chosen = tidy(name.value);
      const typed = code.value.trim().toUpperCase();
      const problem = problemWith(typed, "The code", MAX_NAME) ?? problemWith(chosen, "The name", MAX_NAME);
      write(this.#problem, problem ?? "");
      if (problem !== null) return;
      try {
        const { token, seed } = await new ClassServer("").join(typed, chosen);
        if (this.#destroyed) return new ClassServer(token).leave(); // the pupil has left this page meanwhile
        const note: PupilNote = { name: chosen, seed, code: typed, question: "", answer: "", task: "", token };
        keepNote(note);
        await this.#wait(note);
      } catch (error) {
        write(this.#problem, sentenceOf(error));
      }
    };
    this.element.replaceChildren(
      el("h1", { text: "Join a class" }),
      this.#form(
        join,
        "Join",
        el("label", { for: "class-code", text: "The code on the board" }),
        code,
        el("label", { for: "class-name", text: `Your name, or one that you choose (${MAX_NAME} characters)` }),
        name,
      ),
      el("p", {
        class: "quiet small",
        text: "This tab sends to your teacher's computer: your name, your answer to the question, and how your training goes (its settings, seed and curve, which kind of arithmetic computes it, and whether it has done the challenge of the class). With a result it also sends which challenges the run has done, and a check code of the run, its fingerprint. Answers and results of a lesson are sent only when you hand them in. That computer forgets all of it when the teacher closes the program, not when you press “Leave”. Your teacher can save results and answers. The page sends nothing to anyone else.",
      }),
    );
    (this.code === "" ? code : name).focus();
  }

  /** A form whose button rests while `submit` waits. */
  #form(submit: () => Promise<void>, label: string, ...fields: (Node | false)[]): HTMLFormElement {
    const send = el("button", { type: "submit", class: "button primary", text: label });
    const form = el("form", { class: "class-form class-card", novalidate: true }, ...fields, this.#problem, send);
    listen(form, {
      submit: (event) => {
        event.preventDefault();
        if (send.disabled) return;
        send.disabled = true;
        void submit().finally(() => (send.disabled = false));
      },
    });
    return form;
  }

  /** Tells the server that this tab is here, and asks what the class does, until the pupil starts. */
  async #wait(note: PupilNote): Promise<void> {
    if (this.#destroyed) return;
    try {
      const standing = await new ClassServer(note.token ?? "").here();
      // The number of pupils is shown only before the class has begun.
      const key = JSON.stringify([standing.task, standing.task ? 0 : standing.pupils]);
      // A part of the page that did not come is asked for again.
      if (key !== this.#shown) this.#shown = (await this.#show(note, standing)) ? key : "";
      this.#failures = 0;
    } catch (error) {
      if (error instanceof ServerProblem && error.isFinal) {
        leaveClass();
        this.#ask();
        return write(this.#problem, error.message);
      }
      this.#failures++;
      if (this.#shown === null) this.#say("Your class", sentenceOf(error));
    }
    if (!this.#destroyed) this.#timer = setTimeout(() => void this.#wait(note), waitAfter(this.#failures, POLL_MS));
  }

  #say(title: string, text: string): void {
    this.element.replaceChildren(el("h1", { text: title }), el("p", { class: "class-lead", role: "status", text }));
  }

  /** Shows what the class does, or that it has not begun. Returns false if a part of the page is missing for that. */
  async #show(note: PupilNote, { task, pupils, units }: Standing): Promise<boolean> {
    if (!task) {
      const there = formatCount(pupils, "pupil");
      const text = `You have joined as ${note.name}. Your teacher has not begun yet. ${there} so far.`;
      this.#say(`Class ${note.code}`, text);
      return true;
    }
    const read = isLessonLink(task.link)
      ? await lessonTaskOf(task.link, this.lessons)
      : await taskOf(task.link, task.question, LABS);
    if (this.#destroyed) return true;
    if ("problem" in read) {
      this.#say(`Class ${note.code}`, `What the class does cannot be read: ${read.problem}`);
      return read.problem !== NOT_LOADED;
    }
    const answer = el("input", { type: "text", id: "class-answer", autocomplete: "off", maxlength: MAX_ANSWER });
    const { title, lead, words, label } = wordsOf(read, note, units);
    const hasQuestion = task.question !== "";
    this.element.replaceChildren(
      el("h1", { text: `Class ${note.code}: ${title}` }),
      el("p", { class: "class-lead", text: lead }),
      el("p", { text: words }),
      this.#form(
        () => this.#start(note, task, read, tidy(answer.value)),
        label,
        hasQuestion && el("label", { for: "class-answer", text: task.question }),
        hasQuestion && answer,
      ),
    );
    return true;
  }

  async #start(
    note: PupilNote,
    { link, question }: ServerTask,
    task: Task | LessonTask,
    answer: string,
  ): Promise<void> {
    const problem = answer === "" ? null : problemWith(answer, "The answer", MAX_ANSWER);
    write(this.#problem, problem ?? "");
    if (problem !== null) return;
    let target: string;
    try {
      target = "questions" in task ? `#/${task.link}` : await pupilLink(task, note.seed);
      if (answer !== "") await new ClassServer(note.token ?? "").answer({ question, text: answer });
    } catch (error) {
      return write(this.#problem, sentenceOf(error));
    }
    if (this.#destroyed) return;
    const begun = { ...note, question, answer, task: link };
    keepNote(begun);
    this.destroy();
    showPupil(this.page, begun);
    location.hash = target;
  }
}

/** What is said of what the class does. `units` is where half of the class is. */
function wordsOf(task: Task | LessonTask, { name, seed }: PupilNote, units: number | null) {
  if ("questions" in task) {
    const { title, about, lab, minutes } = task;
    const words = `You are ${name}. This lesson takes about ${formatCount(minutes, "minute")}, with the lab ${lab}. Your teacher sees your answers and results only when you hand them in.`;
    return { title, lead: about, words, label: "Open the lesson" };
  }
  const { about } = task.lab;
  const late = units === null ? "" : ` Half of those who train have reached ${about.unit} ${Math.floor(units)}.`;
  const words = `You are ${name}, and your run has seed ${seed}. ${settingsWords(task)}${late}`;
  return { title: about.title, lead: about.tagline, words, label: "Start training" };
}

/** What is said of a failure: the server's sentence, or that a part of the page did not come. */
const sentenceOf = (error: unknown): string => (error instanceof ServerProblem ? error.message : NOT_LOADED);

// The form in which a teacher chooses the task of a class: a run (a lab with a preset), a lesson, or the link of a run
// or of a lesson. The teacher can add a question.

import { button, el, listen, write } from "../core/dom";
import { writeLink } from "../core/link";
import { packData } from "../core/packed";
import { offeredPresets, presetSettings } from "../core/presets";
import type { Run } from "../core/run";
import { LABS } from "../generated/labs";
import type { LabInfo } from "../generated/protocol";
import { isLessonLink, lessonLinkIn, lessonTaskOf, type LessonTask, type LoadLessons } from "./lesson";
import { taskOf, type Task } from "./task";
import { MAX_QUESTION, NOT_LOADED, problemWith, tidy } from "./text";

/** The task of a class: a run that every pupil starts, or a lesson. */
export type ClassTask = Task | LessonTask;

/** The seed in the link of a task. Every pupil gets a seed of their own in its place. */
const ANY_SEED = 0;

interface OpenFormOptions {
  /** The run of this tab. If it is open when the form is made, a button fills in its link. */
  run: Run;
  loadLessons: LoadLessons;
  /** Opens the class when the form is submitted. Resolves to why it is not opened, as a sentence; null if it is. */
  open: (task: ClassTask, question: string) => Promise<string | null>;
  /** Whether a lesson can have a question of the teacher's too. */
  asksInLessons: boolean;
  /** The text of the button that submits the form. */
  submitLabel: string;
}

export class OpenForm {
  readonly element: HTMLFormElement;
  #labOrLesson = el(
    "select",
    { id: "class-lab" },
    el("optgroup", { label: "Labs" }, ...LABS.map(({ id, title }) => el("option", { value: id, text: title }))),
  );
  #preset = el("select", { id: "class-preset" });
  #presetField = el("div", {}, el("label", { for: "class-preset", text: "Settings" }), this.#preset);
  #link = el("input", { type: "text", id: "class-link", autocomplete: "off", spellcheck: "false" });
  #question = el("input", { type: "text", id: "class-question", autocomplete: "off", maxlength: 2 * MAX_QUESTION });
  #questionField = el(
    "div",
    { class: "class-form" },
    el("label", {
      for: "class-question",
      text: "A question to the class (optional), such as “What do you expect?” Pupils answer it before they start.",
    }),
    this.#question,
  );
  #problem = el("p", { class: "class-message wrong", role: "alert" });
  #send: HTMLButtonElement;
  /** The chosen lab; null while it is loading, if that has failed, and for a lesson. */
  #lab: LabInfo | null = null;

  constructor(readonly options: OpenFormOptions) {
    const { run, submitLabel } = options;
    const fillIn = button("Use the run that is open in this tab", () => void this.#fillInOpenRun(run));
    this.#send = el("button", { type: "submit", class: "button primary", text: submitLabel });
    this.element = el(
      "form",
      { class: "class-form", novalidate: true },
      el(
        "div",
        { class: "class-fields" },
        el("div", {}, el("label", { for: "class-lab", text: "Lab or lesson" }), this.#labOrLesson),
        this.#presetField,
      ),
      el("label", { for: "class-link", text: "Or a link: of a lesson, or of a run (copied from “Share and save”)" }),
      el("div", { class: "row" }, this.#link, run.open && fillIn),
      this.#questionField,
      this.#problem,
      el("div", { class: "row" }, this.#send),
    );
    // A link counts more than the choice above, so a choice that is made afterwards clears it.
    const clearLink = () => {
      this.#link.value = "";
      this.#showQuestion();
    };
    listen(this.#link, { input: () => this.#showQuestion() });
    listen(this.#labOrLesson, { change: clearLink });
    listen(this.#labOrLesson, { change: () => void this.#showPresets() });
    listen(this.#preset, { change: clearLink });
    listen(this.element, {
      submit: (event) => {
        event.preventDefault();
        void this.#submit();
      },
    });
    void this.#showPresets();
    void this.#listLessons();
  }

  /** Fills in the link and the question of a task that was opened before. */
  fillIn(link: string, question: string): void {
    this.#link.value = link;
    this.#question.value = question;
    this.#showQuestion();
  }

  /** Offers a question where the chosen task can have one. */
  #showQuestion(): void {
    const link = this.#link.value.trim() || this.#labOrLesson.value;
    this.#questionField.hidden = !this.options.asksInLessons && lessonLinkIn(link) !== null;
  }

  /** Adds the lessons to the first select. If they cannot be loaded, the link of a lesson can still be pasted. */
  async #listLessons(): Promise<void> {
    const listed = await this.options
      .loadLessons()
      .then((lessons) => lessons.list())
      .catch(() => []);
    const options = listed.map(({ link, title }) => el("option", { value: link, text: `Lesson: ${title}` }));
    if (options.length > 0) this.#labOrLesson.append(el("optgroup", { label: "Lessons" }, ...options));
  }

  /** Shows the presets of the chosen lab. A lesson has none. */
  async #showPresets(): Promise<void> {
    const chosen = this.#labOrLesson.value;
    const isLesson = isLessonLink(chosen);
    this.#presetField.hidden = isLesson;
    this.#lab = null;
    this.#preset.replaceChildren();
    write(this.#problem, "");
    if (isLesson) return;
    const lab = await LABS.find(({ id }) => id === chosen)
      ?.load()
      .catch(() => null);
    if (this.#labOrLesson.value !== chosen) return; // something else was chosen meanwhile
    this.#lab = lab ?? null;
    write(this.#problem, lab ? "" : NOT_LOADED);
    const presets = lab ? offeredPresets(lab) : [];
    this.#preset.replaceChildren(...presets.map(({ name, title }) => el("option", { value: name, text: title })));
  }

  async #submit(): Promise<void> {
    if (this.#send.disabled) return;
    this.#send.disabled = true;
    write(this.#problem, (await this.#open().catch(() => NOT_LOADED)) ?? "");
    this.#send.disabled = false;
  }

  /** Opens the class with what is chosen. Resolves to why it is not opened; null if it is. */
  async #open(): Promise<string | null> {
    const question = this.#questionField.hidden ? "" : tidy(this.#question.value);
    const problem = question === "" ? null : problemWith(question, "The question", MAX_QUESTION);
    if (problem !== null) return problem;
    if (this.#link.value.trim() === "" && !isLessonLink(this.#labOrLesson.value) && !this.#lab) {
      await this.#showPresets();
      if (!this.#lab) return NOT_LOADED;
    }
    const link = this.#link.value.trim() || this.#chosenLink();
    const lessonLink = lessonLinkIn(link);
    const task =
      lessonLink === null
        ? await taskOf(link, question, LABS)
        : await lessonTaskOf(lessonLink, this.options.loadLessons);
    return "problem" in task ? task.problem : this.options.open(task, question);
  }

  /** The link of the chosen lesson, or of the chosen preset of the lab. */
  #chosenLink(): string {
    const lab = this.#lab;
    const preset = lab?.about.presets.find(({ name }) => name === this.#preset.value);
    return lab && preset ? writeLink(lab, presetSettings(preset), ANY_SEED) : this.#labOrLesson.value;
  }

  async #fillInOpenRun(run: Run): Promise<void> {
    const { lab, device } = run;
    if (!run.open || !lab) return write(this.#problem, "No run is open in this tab any more.");
    const { settings, seed, changes } = run.origin();
    // A run that continued from a network alone cannot be repeated from its start.
    const data = run.networkSince === null ? await packData(changes).catch(() => null) : null;
    const cannot =
      "The open run cannot be a class's task: a link cannot hold its data, or the network that it started from.";
    write(this.#problem, data === null ? cannot : "");
    if (data === null) return;
    this.#link.value = writeLink(lab, settings, seed, null, device, { changes }) + data;
    this.#showQuestion();
  }
}

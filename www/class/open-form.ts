// The form with which a teacher says what a class does: a lab with one of its presets, a lesson, or a link of either, and
// a question if wanted.

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

/** What a class does: a run, or a lesson. */
export type ClassTask = Task | LessonTask;

export class OpenForm {
  readonly element: HTMLFormElement;
  #lab = el(
    "select",
    { id: "class-lab" },
    el("optgroup", { label: "Labs" }, ...LABS.map(({ id, title }) => el("option", { value: id, text: title }))),
  );
  #preset = el("select", { id: "class-preset" });
  #link = el("input", { type: "text", id: "class-link", autocomplete: "off", spellcheck: "false" });
  #question = el("input", { type: "text", id: "class-question", autocomplete: "off", maxlength: 2 * MAX_QUESTION });
  #problem = el("p", { class: "class-message wrong", role: "alert" });
  #info: LabInfo | null = null;
  #presetField: HTMLElement;

  /** `opened` gets the task and the question. If a run is open, the form offers its link. */
  constructor(
    run: Run,
    readonly lessons: LoadLessons,
    readonly opened: (task: ClassTask, question: string) => Promise<void> | void,
    label: string,
  ) {
    this.#presetField = el("div", {}, el("label", { for: "class-preset", text: "Settings" }), this.#preset);
    const takeOpen = button("Use the open run", () => void this.#takeOpenRun(run));
    this.element = el(
      "form",
      { class: "class-form", novalidate: true },
      el(
        "div",
        { class: "class-fields" },
        el("div", {}, el("label", { for: "class-lab", text: "Lab or lesson" }), this.#lab),
        this.#presetField,
      ),
      el("label", { for: "class-link", text: "Or the link of a run, from “Share and save”, or of a lesson" }),
      el("div", { class: "row" }, this.#link, run.open && takeOpen),
      el("label", {
        for: "class-question",
        text: "A question to the class, such as what they expect (optional); pupils answer before they start",
      }),
      this.#question,
      this.#problem,
      el("div", { class: "row" }, el("button", { type: "submit", class: "button primary", text: label })),
    );
    listen(this.#lab, { change: () => void this.#loadPresets() });
    listen(this.element, {
      submit: (event) => {
        event.preventDefault();
        void this.#submit();
      },
    });
    void this.#loadPresets();
    void this.#listLessons();
  }

  /** Shows a task that was opened before. */
  show(link: string, question: string): void {
    this.#link.value = link;
    this.#question.value = question;
  }

  /** Adds the labs' lessons to the choice. If they do not come, a lesson's link can still be pasted. */
  async #listLessons(): Promise<void> {
    const listed = await this.lessons()
      .then((lessons) => lessons.list())
      .catch(() => []);
    const options = listed.map(({ link, title }) => el("option", { value: link, text: `Lesson: ${title}` }));
    if (options.length > 0) this.#lab.append(el("optgroup", { label: "Lessons" }, ...options));
  }

  async #loadPresets(): Promise<void> {
    const id = this.#lab.value;
    this.#presetField.hidden = isLessonLink(id);
    if (isLessonLink(id)) return write(this.#problem, "");
    const info = await LABS.find((lab) => lab.id === id)
      ?.load()
      .catch(() => null);
    if (this.#lab.value !== id) return; // another lab was chosen meanwhile
    this.#info = info ?? null;
    write(this.#problem, info ? "" : "The settings of this lab could not be loaded. Check the network connection.");
    const options = info ? offeredPresets(info) : [];
    this.#preset.replaceChildren(...options.map(({ name, title }) => el("option", { value: name, text: title })));
  }

  async #submit(): Promise<void> {
    const link = this.#link.value.trim() || this.#chosenLink();
    if (link === null) return;
    const question = tidy(this.#question.value);
    const lesson = lessonLinkIn(link);
    try {
      const task = lesson === null ? await taskOf(link, question, LABS) : await this.#lessonOf(lesson, question);
      write(this.#problem, "problem" in task ? task.problem : "");
      if (!("problem" in task)) await this.opened(task, question);
    } catch {
      write(this.#problem, NOT_LOADED);
    }
  }

  async #lessonOf(link: string, question: string): Promise<LessonTask | { problem: string }> {
    const problem = question === "" ? null : problemWith(question, "The question", MAX_QUESTION);
    return problem === null ? lessonTaskOf(link, this.lessons) : { problem };
  }

  /** The link of the chosen lesson or preset; null while the lab's settings are missing. */
  #chosenLink(): string | null {
    if (isLessonLink(this.#lab.value)) return this.#lab.value;
    const preset = this.#info?.about.presets.find(({ name }) => name === this.#preset.value);
    return this.#info && preset ? writeLink(this.#info, presetSettings(preset), 0) : null;
  }

  async #takeOpenRun(run: Run): Promise<void> {
    const { lab } = run;
    if (!run.open || !lab) return write(this.#problem, "No run is open any more.");
    const { settings, seed, changes } = run.origin();
    const data = run.networkSince === null ? await packData(changes) : null;
    write(this.#problem, data === null ? "A link cannot hold all of the open run, so a class cannot repeat it." : "");
    if (data !== null) this.#link.value = writeLink(lab, settings, seed, null, run.device, { changes }) + data;
  }
}

// The form with which a teacher says what a class trains: a lab with one of its presets, or the link of a run, and a
// question if wanted.

import { button, el, listen, write } from "../core/dom";
import { writeLink } from "../core/link";
import { packData } from "../core/packed";
import { offeredPresets, presetSettings } from "../core/presets";
import type { Run } from "../core/run";
import { LABS } from "../generated/labs";
import type { LabInfo } from "../generated/protocol";
import { taskOf, type Task } from "./task";
import { MAX_QUESTION, NOT_LOADED, tidy } from "./text";

export class OpenForm {
  readonly element: HTMLFormElement;
  #lab = el("select", { id: "class-lab" }, ...LABS.map(({ id, title }) => el("option", { value: id, text: title })));
  #preset = el("select", { id: "class-preset" });
  #link = el("input", { type: "text", id: "class-link", autocomplete: "off", spellcheck: "false" });
  #question = el("input", { type: "text", id: "class-question", autocomplete: "off", maxlength: 2 * MAX_QUESTION });
  #problem = el("p", { class: "class-message wrong", role: "alert" });
  #info: LabInfo | null = null;

  /** `opened` gets the task. If a run is open, the form offers its link. */
  constructor(
    run: Run,
    readonly opened: (task: Task) => Promise<void> | void,
    label: string,
  ) {
    const takeOpen = button("Use the open run", () => void this.#takeOpenRun(run));
    this.element = el(
      "form",
      { class: "class-form", novalidate: true },
      el(
        "div",
        { class: "class-fields" },
        el("div", {}, el("label", { for: "class-lab", text: "Lab" }), this.#lab),
        el("div", {}, el("label", { for: "class-preset", text: "Settings" }), this.#preset),
      ),
      el("label", { for: "class-link", text: "Or the link of a run, from “Share and save”" }),
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
  }

  /** Shows a task that was opened before. */
  show(link: string, question: string): void {
    this.#link.value = link;
    this.#question.value = question;
  }

  async #loadPresets(): Promise<void> {
    const id = this.#lab.value;
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
    const link = this.#link.value.trim() || this.#presetLink();
    if (link === null) return;
    try {
      const task = await taskOf(link, tidy(this.#question.value), LABS);
      write(this.#problem, "problem" in task ? task.problem : "");
      if (!("problem" in task)) await this.opened(task);
    } catch {
      write(this.#problem, NOT_LOADED);
    }
  }

  /** The link of the chosen preset; null while the lab's settings are missing. */
  #presetLink(): string | null {
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

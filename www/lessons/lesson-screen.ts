// The screen of a lesson: its title, and below it the lesson itself, the teacher's notes, or the sheet to print.

import { button, el, write } from "../core/dom";
import { formatCount } from "../core/format";
import { minutesOf } from "./format";
import { LessonBody } from "./body";
import { notesOf } from "./notes";
import { sheetOf } from "./sheet";
import type { LessonState } from "./state";
import type { LessonTools } from "./step-view";

const VIEWS = { lesson: "Lesson", notes: "For teachers", sheet: "Sheet to print" } as const;
type View = keyof typeof VIEWS;

export class LessonScreen {
  readonly element: HTMLElement;
  #body: LessonBody | null = null;
  #place = el("div", {});
  /** What is printed instead of the lesson: the sheet with the answers. */
  #print = el("div", { class: "lesson-print" });
  #tabs: Map<View, HTMLButtonElement>;
  #clear = button("Clear my answers", () => this.#askToClear(), { class: "small" });
  #view: View = "lesson";

  constructor(
    readonly state: LessonState,
    readonly tools: LessonTools,
    /** The link to the editor with this lesson. */
    edit: string,
  ) {
    const { lesson, lab } = state;
    const names = Object.entries(VIEWS) as [View, string][];
    this.#tabs = new Map(names.map(([view, title]) => [view, button(title, () => this.show(view))]));
    const facts = [lab.about.title, formatCount(minutesOf(lesson), "minute"), lesson.level].filter(Boolean);
    this.element = el(
      "article",
      { class: "lesson" },
      el(
        "header",
        { class: "lesson-head" },
        el("p", { class: "small" }, el("a", { href: "#/lessons", text: "All lessons" })),
        el("h1", { text: lesson.title }),
        lesson.about && el("p", { class: "lesson-about", text: lesson.about }),
        el("p", { class: "quiet", text: facts.join(" · ") }),
        el(
          "div",
          { class: "row lesson-controls" },
          el("div", { class: "segments", role: "group", "aria-label": "What is shown" }, ...this.#tabs.values()),
          this.#clear,
          el("a", { class: "small", href: edit, text: "Change this lesson" }),
        ),
      ),
      this.#place,
      this.#print,
    );
    addEventListener("beforeprint", this.#beforePrint);
    this.show("lesson");
  }

  destroy(): void {
    removeEventListener("beforeprint", this.#beforePrint);
    this.#body?.destroy();
    this.state.close();
  }

  show(view: View): void {
    this.#view = view;
    this.#body?.destroy();
    this.#body = null;
    for (const [each, tab] of this.#tabs) tab.setAttribute("aria-pressed", String(each === view));
    this.#clear.hidden = view !== "lesson";
    this.#print.replaceChildren();
    if (view === "lesson") {
      this.#body = new LessonBody(this.state, this.tools);
      this.#place.replaceChildren(this.#body.element);
    } else if (view === "notes") this.#place.replaceChildren(notesOf(this.state.lesson));
    else this.#place.replaceChildren(this.#sheet());
  }

  /** The sheet, with the choice between an empty one and one with the answers. */
  #sheet(): HTMLElement {
    const place = el("div", {}, sheetOf(this.state, false));
    const filled = el("input", { type: "checkbox", class: "switch" });
    filled.addEventListener("change", () => place.replaceChildren(sheetOf(this.state, filled.checked)));
    return el(
      "div",
      {},
      el(
        "p",
        { class: "row lesson-sheet-tools" },
        button("Print", () => print(), { class: "primary" }),
        el("label", { class: "check" }, filled, el("span", { text: "with my answers" })),
      ),
      place,
    );
  }

  #beforePrint = (): void => {
    if (this.#view === "lesson") this.#print.replaceChildren(sheetOf(this.state, true));
  };

  /** The first press asks, the second one clears. */
  #askToClear(): void {
    const question = "Really clear all answers and results?";
    if (this.#clear.textContent !== question) {
      write(this.#clear, question);
      this.#clear.addEventListener("blur", () => write(this.#clear, "Clear my answers"), { once: true });
      return;
    }
    // What is shown goes first, because it keeps what is typed and measured at its end.
    this.#body?.destroy();
    this.#body = null;
    this.state.clear();
    write(this.#clear, "Clear my answers");
    this.show("lesson");
  }
}

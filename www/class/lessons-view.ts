// The lesson codes that a teacher's page has collected: for each lesson its pupils, their answers, and what was
// measured, as a class with a server shows them.

import { el } from "../core/dom";
import { AnswersView } from "./answers-view";
import type { LessonGroup } from "./lesson-groups";
import { MeasuredView } from "./measured-view";
import type { NameCover } from "./name-cover";
import { PupilList } from "./pupil-list";

const NO_TEXT =
  "This page does not have this lesson's text, so it shows only the answers. To see checks and results, paste the lesson's link into “Open a class” at the top of this page.";

interface Section {
  element: HTMLElement;
  pupils: PupilList;
  answers: AnswersView;
  measured: MeasuredView;
}

export class LessonsView {
  readonly element = el("div", { class: "class-lessons", hidden: true });
  #sections = new Map<string, Section>();

  /** `remove` takes a code away. */
  constructor(
    readonly names: NameCover,
    readonly remove: (code: string) => void,
  ) {}

  show(groups: readonly LessonGroup[]): void {
    const { names } = this;
    this.element.hidden = groups.length === 0;
    for (const [title, { element }] of this.#sections) {
      if (groups.some((group) => group.title === title)) continue;
      element.remove();
      this.#sections.delete(title);
    }
    for (const { title, task, pupils } of groups) {
      const section = this.#sections.get(title) ?? this.#create(title);
      const parts = task?.parts ?? null;
      const listed = pupils.map((pupil, i) => ({ ...pupil, name: names.shown(pupil.name, i + 1) }));
      section.pupils.show(listed, parts, task ? "" : NO_TEXT);
      section.answers.show(pupils, names.hides, "", task?.questions, parts);
      section.measured.show(pupils, parts, names.hides);
    }
  }

  #create(title: string): Section {
    const pupils = new PupilList(this.remove, `Lesson: ${title}`);
    const answers = new AnswersView(`Answers to “${title}”`);
    const measured = new MeasuredView(`Checks and results of “${title}”`);
    const element = el("div", { class: "class-lessons" }, pupils.element, answers.element, measured.element);
    const section = { element, pupils, answers, measured };
    this.#sections.set(title, section);
    this.element.append(element);
    return section;
  }
}

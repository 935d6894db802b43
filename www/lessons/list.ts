// The list of lessons: one for each lab that has one, with how far the reader is.

import { el } from "../core/dom";
import { formatCount } from "../core/format";
import { minutesOf } from "./format";
import { LessonState } from "./state";
import type { Lesson } from "./format";
import type { LabInfo } from "../generated/protocol";

/** A lesson that is listed. */
export interface Listed {
  /** Its name in links: `#/lesson/NAME`. */
  name: string;
  /** The key under which this browser keeps its answers. */
  id: string;
  lesson: Lesson;
  lab: LabInfo;
}

/** The screen with the list. `problem` says which lesson of a link could not be opened; empty if none was asked for. */
export function lessonList(lessons: readonly Listed[], problem: string): HTMLElement {
  const cards = lessons.map(({ name, id, lesson, lab }) => {
    const state = new LessonState(lesson, lab, id);
    const done = lesson.steps.filter((step) => state.isDone(step)).length;
    const hasBegun = Object.keys(state.kept.answers).length > 0;
    const facts = [lab.about.title, formatCount(minutesOf(lesson), "minute"), lesson.level].filter(Boolean);
    return el(
      "li",
      { class: "lesson-card" },
      el("h2", {}, el("a", { href: `#/lesson/${name}`, text: lesson.title })),
      el("p", { text: lesson.about }),
      el("p", { class: "quiet small", text: facts.join(" · ") }),
      hasBegun && el("p", { class: "lesson-card-state", text: `${done} of ${lesson.steps.length} steps done` }),
    );
  });
  return el(
    "article",
    { class: "lesson lesson-list" },
    el("h1", { text: "Lessons" }),
    problem && el("p", { class: "lesson-problem", role: "alert", text: problem }),
    el("p", {
      class: "lesson-about",
      text: "Read a little, predict, change one thing, see ten runs, compare. Your answers stay on this device unless you hand them in to a class. Each lesson has notes for teachers and a sheet to print.",
    }),
    el("ul", { class: "lesson-cards" }, ...cards),
    el(
      "p",
      { class: "quiet" },
      "Teachers: ",
      el("a", { href: "#/class", text: "open a class" }),
      ", choose a lesson as its task, and collect what your pupils hand in. Nobody needs an account.",
    ),
    el(
      "p",
      { class: "quiet" },
      "A lesson is a short plain text. ",
      el("a", { href: "#/lessons/write", text: "Write your own" }),
      ", as a file or a link.",
    ),
  );
}

// Leads from an address to its screen: `#/lessons` (all of them), `#/lessons/write` (the editor), `#/lesson/NAME` (that
// of a lab) and `#/lesson/own?data=…` (a text in the link). Loaded with the first such address.

import type { Run } from "../core/run";
import { loadEmbedStyles } from "../labs/embed-styles";
import { loadViewModule, manifestOf } from "../labs/manifests";
import { findLesson } from "./address";
import { lessonId } from "./answers";
import { LessonEditor } from "./editor";
import { EXAMPLE } from "./example";
import { LessonScreen } from "./lesson-screen";
import { lessonList, type Listed } from "./list";
import { lessonLink, lessonNames, lessonText, loadDraft, readLesson, replaceDraft, textOfLink } from "./source";
import { LessonState } from "./state";
import type { LessonTools } from "./step-view";
import "../embed/fit.css";
import "./lessons.css";

/** A screen of lessons, as the page shows one. */
export interface Lessons {
  element: HTMLElement;
  title: string;
  destroy: () => void;
}

/**
 * Opens what an address asks for. The open run rests meanwhile, because the lesson's runs need the processor. Throws if
 * a part of the page cannot be loaded.
 */
export async function openLessons(hash: string, run: Run): Promise<Lessons> {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [room, name = ""] = path.split("/");
  const loadTools = async (lab: string): Promise<LessonTools> => {
    const [view] = await Promise.all([loadViewModule(lab), loadEmbedStyles(lab)]);
    return { bundle: run.cpuBundle, view, commandForText: manifestOf(lab)?.commandForText };
  };
  const opened =
    room === "lessons" && name === "write"
      ? await openEditor(query, loadTools)
      : room === "lesson"
        ? await openLesson(name, query, loadTools)
        : await openList("");
  const { id } = run.note;
  const wasRunning = run.progress.running;
  if (wasRunning) run.pause();
  const destroy = () => {
    opened.destroy();
    // It may be another run by now.
    if (wasRunning && run.open && run.note.id === id) run.play();
  };
  return { ...opened, destroy };
}

async function openList(problem: string): Promise<Lessons> {
  const read = lessonNames().map(async (name): Promise<Listed | null> => {
    const text = await lessonText(name);
    const { lesson, lab } = await readLesson(text ?? "");
    return lesson && lab && { name, id: lessonId(text ?? "", name), lesson, lab };
  });
  const lessons = (await Promise.all(read)).filter((each) => each !== null);
  return { element: lessonList(lessons, problem), title: "Lessons", destroy: () => {} };
}

async function openLesson(
  name: string,
  query: string,
  loadTools: (lab: string) => Promise<LessonTools>,
): Promise<Lessons> {
  const found = await findLesson(name, query);
  if ("problem" in found) return openList(found.problem);
  const { text, lesson, lab, isOwn } = found;
  const tools = await loadTools(lesson.lab);
  const link = isOwn ? await lessonLink(text) : null;
  const edit = isOwn ? `#/lessons/write?${link?.split("?")[1] ?? ""}` : `#/lessons/write?from=${name}`;
  const state = new LessonState(lesson, lab, lessonId(text, isOwn ? null : name));
  const screen = new LessonScreen(state, tools, edit);
  return { element: screen.element, title: lesson.title, destroy: () => screen.destroy() };
}

async function openEditor(query: string, loadTools: (lab: string) => Promise<LessonTools>): Promise<Lessons> {
  const from = new URLSearchParams(query).get("from");
  const asked = from === null ? await textOfLink(query) : await lessonText(from);
  if (asked !== null) {
    replaceDraft(asked);
    // A reload continues with what was written, not with what the link had.
    history.replaceState(null, "", "#/lessons/write");
  }
  const editor = new LessonEditor(asked ?? loadDraft() ?? EXAMPLE, loadTools);
  return { element: editor.element, title: "Write a lesson", destroy: () => editor.destroy() };
}

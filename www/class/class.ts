// What `#/class…` shows: the teacher's page, with a result that a link brings, or the page on which a pupil joins.

import { el } from "../core/dom";
import { LABS } from "../generated/labs";
import { JoinPage } from "./join-page";
import type { LoadLessons } from "./lesson";
import { LiveJoinPage } from "./live-join-page";
import { LivePage, teacherToken } from "./live-page";
import type { PupilContext } from "./pupil";
import { taskOf } from "./task";
import { TeacherPage } from "./teacher-page";

/** A screen of the page. */
export interface ClassScreen {
  element: HTMLElement;
  /** What the tab is called. */
  readonly title: string;
  destroy: () => void;
}

/** The screen that an address asks for. `lessons` loads what a class needs of the lessons. */
export async function classScreen(page: PupilContext, hash: string, lessons: LoadLessons): Promise<ClassScreen> {
  const query = new URLSearchParams(hash.slice(hash.indexOf("?") + 1));
  const run = query.get("run");
  if (run !== null) {
    const task = await taskOf(run, query.get("ask") ?? "", LABS);
    return "problem" in task ? problemScreen(task.problem) : new JoinPage(page, task);
  }
  const code = query.get("join");
  if (code !== null) return new LiveJoinPage(page, code, lessons);
  const teach = query.get("teach");
  if (teach !== null) {
    if (teach !== "") replaceAddress(hash, "#/class?teach="); // a projector shows the address
    return new LivePage(page.run, teacherToken(teach), lessons);
  }
  const screen = new TeacherPage(page.run, lessons);
  const result = query.get("result");
  if (result !== null) {
    void screen.add(result);
    replaceAddress(hash, "#/class"); // a reload, or the next visit by this tab, is not about this result
  }
  return screen;
}

/** Replaces the address of this screen. Meanwhile the visitor may have gone elsewhere; then it stays. */
function replaceAddress(hash: string, address: string): void {
  if (location.hash === hash) history.replaceState(null, "", address);
}

/** Says what is wrong with the link of a class. */
function problemScreen(problem: string): ClassScreen {
  const element = el(
    "article",
    { class: "class-page" },
    el("h1", { text: "This link of a class cannot be used" }),
    el("p", { text: problem }),
    el("p", {}, el("a", { href: "#/class", text: "Open a class of your own" })),
  );
  return { element, title: "A class", destroy: () => {} };
}

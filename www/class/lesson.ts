// A lesson as what a class does, as the pages of a class know it. The lessons themselves are in another part of the
// page (www/lessons/of-class.ts), which is loaded when a class needs it.

import type { MeasuredParts } from "./measured";
import { NOT_LOADED } from "./text";

/** A question whose answers come to the teacher, in the words in which they are sent. */
export interface AskedQuestion {
  question: string;
  /** The options of a choice, in their order; empty for others. */
  options: string[];
  isNumber: boolean;
}

/** A lesson that a class does together. */
export interface LessonTask {
  /** Which lesson, and which version of its text (lessons/answers.ts). */
  id: string;
  /** Its link without `#/`. */
  link: string;
  title: string;
  about: string;
  /** The title of its lab. */
  lab: string;
  minutes: number;
  questions: AskedQuestion[];
  /** The checks and the blocks whose results come to the teacher. */
  parts: MeasuredParts;
}

/** What the pages of a class need of the lessons. */
export interface ClassLessons {
  /** The lessons of the labs. */
  list: () => Promise<{ link: string; title: string }[]>;
  /** The lesson of a link without `#/`, or what is wrong with it, as a sentence. */
  read: (link: string) => Promise<LessonTask | { problem: string }>;
}

/** Loads the part of the page that has the lessons. Rejects if that fails. */
export type LoadLessons = () => Promise<ClassLessons>;

/** Whether a link of a task is that of a lesson. */
export const isLessonLink = (link: string): boolean => link.startsWith("lesson/");

/** The link without `#/` of a lesson whose address was pasted; null if it is no lesson's. */
export function lessonLinkIn(text: string): string | null {
  const hash = /#\/.*$/.exec(text.trim())?.[0] ?? `#/${text.trim()}`;
  return isLessonLink(hash.slice(2)) ? hash.slice(2) : null;
}

/** Reads a lesson. If the part of the page that has the lessons does not load, that is the problem. */
export async function lessonTaskOf(link: string, load: LoadLessons): Promise<LessonTask | { problem: string }> {
  try {
    return await (await load()).read(link);
  } catch {
    return { problem: NOT_LOADED };
  }
}

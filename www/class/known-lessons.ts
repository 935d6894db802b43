// The lessons with which a teacher's page without a server compares the lesson codes: the one that the class
// does, and the built-in lesson of each lab from which a code came.

import { lessonTaskOf, type LessonTask, type LoadLessons } from "./lesson";
import { NOT_LOADED } from "./text";

export class KnownLessons {
  /** The lesson that the class does; null if it does none. */
  ofClass: LessonTask | null = null;
  /** Built-in lessons, by the ids of their labs. */
  #builtIn = new Map<string, LessonTask>();

  constructor(readonly load: LoadLessons) {}

  get tasks(): LessonTask[] {
    return [...(this.ofClass ? [this.ofClass] : []), ...this.#builtIn.values()];
  }

  read = (link: string): Promise<LessonTask | { problem: string }> => lessonTaskOf(link, this.load);

  /**
   * All known lessons, after loading the built-in one of this lab; null loads none. A lesson that cannot be read is
   * left out. Rejects if the part of the page with the lesson could not be loaded.
   */
  async withBuiltIn(name: string | null): Promise<LessonTask[]> {
    if (name !== null && !this.#builtIn.has(name)) {
      const task = await this.read(`lesson/${name}`);
      if (!("problem" in task)) this.#builtIn.set(name, task);
      else if (task.problem === NOT_LOADED) throw new Error(NOT_LOADED);
    }
    return this.tasks;
  }
}

// The lessons whose texts a teacher's page without a server has: that of the class, and those of the labs that codes name.

import { lessonTaskOf, type LessonTask, type LoadLessons } from "./lesson";
import { NOT_LOADED } from "./text";

export class KnownLessons {
  /** The lesson that the class does; null if it does none. */
  ofClass: LessonTask | null = null;
  /** By the names of their labs. */
  #builtIn = new Map<string, LessonTask>();

  constructor(readonly load: LoadLessons) {}

  get tasks(): LessonTask[] {
    return [...(this.ofClass ? [this.ofClass] : []), ...this.#builtIn.values()];
  }

  read = (link: string): Promise<LessonTask | { problem: string }> => lessonTaskOf(link, this.load);

  /** The lessons, with that of a lab; null for none. Rejects if that part of the page does not come. */
  async with(name: string | null): Promise<LessonTask[]> {
    if (name !== null && !this.#builtIn.has(name)) {
      const task = await this.read(`lesson/${name}`);
      if (!("problem" in task)) this.#builtIn.set(name, task);
      else if (task.problem === NOT_LOADED) throw new Error(NOT_LOADED);
    }
    return this.tasks;
  }
}

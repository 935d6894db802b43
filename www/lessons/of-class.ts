// The lessons as the pages of a class need them (class/lesson.ts): which there are, and what one of them asks.

import type { ClassLessons } from "../class/lesson";
import { findLesson } from "./address";
import { lessonId } from "./answers";
import { minutesOf } from "./format";
import { sentQuestions } from "./sent";
import { measuredParts } from "./sent-results";
import { lessonNames, lessonText, OWN_LESSON } from "./source";

export const classLessons: ClassLessons = {
  list: () =>
    Promise.all(
      lessonNames().map(async (name) => {
        const [, title = name] = /^lesson:\s*(.+)$/m.exec((await lessonText(name)) ?? "") ?? [];
        return { link: `lesson/${name}`, title };
      }),
    ),

  read: async (link) => {
    const [path = "", query = ""] = link.split("?", 2);
    const name = path.split("/")[1] ?? "";
    const found = await findLesson(name, query);
    if ("problem" in found) return found;
    const { text, lesson, lab, isOwn } = found;
    const data = new URLSearchParams(query).get("data") ?? "";
    return {
      id: lessonId(text, isOwn ? null : name),
      link: isOwn ? `lesson/${OWN_LESSON}?data=${data}` : `lesson/${name}`,
      title: lesson.title,
      about: lesson.about,
      lab: lab.about.title,
      minutes: minutesOf(lesson),
      questions: sentQuestions(lesson).map(({ question, options, isNumber }) => ({ question, options, isNumber })),
      parts: measuredParts(lesson, lab),
    };
  },
};

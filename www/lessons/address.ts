// The lesson that an address names: that of a lab (`NAME`), or a text in the link (`own?data=…`).

import { quoted } from "../core/values";
import type { LabInfo } from "../generated/protocol";
import type { Lesson } from "./format";
import { lessonText, OWN_LESSON, readLesson, textOfLink } from "./source";

/** A lesson that was read, with its text. */
export interface FoundLesson {
  text: string;
  lesson: Lesson;
  lab: LabInfo;
  /** Whether its text stands in the link. */
  isOwn: boolean;
}

/** Reads the lesson of an address; or what is wrong with it, as a sentence. */
export async function findLesson(name: string, query: string): Promise<FoundLesson | { problem: string }> {
  const isOwn = name === OWN_LESSON;
  const text = isOwn ? await textOfLink(query) : await lessonText(name);
  if (text === null)
    return {
      problem: isOwn
        ? "The lesson in this link cannot be read: it is damaged or too long."
        : `There is no lesson called ${quoted(decoded(name))}.`,
    };
  const { lesson, lab, problems } = await readLesson(text);
  if (lesson && lab) return { text, lesson, lab, isOwn };
  const [first] = problems;
  return {
    problem: `The lesson in this link has a mistake in line ${first?.line ?? 1}: ${first?.text ?? "it cannot be read."}`,
  };
}

/** A part of an address as people read it. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

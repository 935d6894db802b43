// What a teacher's page without a server collects: results of runs (code.ts), and answers of lessons (lesson-code.ts).

import { formatCount, formatInteger, listed } from "../core/format";
import { LABS } from "../generated/labs";
import { readCode } from "./code";
import { isLessonCode } from "./code-text";
import { entryOf, type Entry } from "./entries";
import type { KnownLessons } from "./known-lessons";
import { readLessonCode, type ReadLessonResult } from "./lesson-code";
import { problemOfLesson } from "./lesson-groups";

/** What a code holds: a run, or the answers of a lesson. */
export type Collected = Entry | ReadLessonResult;

export const isLessonResult = (each: Collected): each is ReadLessonResult => "lesson" in each;
export const isRun = (each: Collected): each is Entry => !isLessonResult(each);

/** Reads a code; that of a lesson which the page has is compared with it. `problem` is a sentence. */
export async function readCollected(code: string, known: KnownLessons): Promise<Collected | { problem: string }> {
  if (!isLessonCode(code)) {
    const read = await readCode(code, LABS);
    return "problem" in read ? read : entryOf(read);
  }
  const read = await readLessonCode(code);
  if ("problem" in read) return read;
  const tasks = await known.withBuiltIn(read.builtIn);
  const problem = tasks.map((task) => problemOfLesson(read, task)).find((each) => each !== null);
  return problem === undefined ? read : { problem };
}

/** What was added, in a sentence. */
export function addedWords(items: readonly Collected[], hidesNames: boolean): string {
  const [first] = items;
  if (first && items.length === 1 && !hidesNames)
    return `Added the ${isLessonResult(first) ? "lesson code" : "result"} of ${first.name}.`;
  const lessons = items.filter(isLessonResult).length;
  const results = items.length - lessons;
  const parts = [
    (results > 0 || lessons === 0) && formatCount(results, "result"),
    lessons > 0 && formatCount(lessons, "lesson code"),
  ];
  return `Added ${parts.filter((part) => part !== false).join(" and ")}.`;
}

/** Codes of which more than this are wrong for one reason are not all named. */
const MOST_NAMED = 5;
/** So many characters of a code are unlike those of others: its kind, its version and its checksum. */
const TELLING = 12;

/** Which of several codes that were added have a problem, in a sentence before it; empty for a single code. */
export function whichWords(codes: readonly string[], numbers: readonly number[]): string {
  if (codes.length === 1) return "";
  const names = numbers.slice(0, MOST_NAMED).map((number) => `${number} (${codes[number - 1]?.slice(0, TELLING)}…)`);
  const more = numbers.length - names.length;
  const all = listed(more > 0 ? [...names, `${formatInteger(more)} more`] : names);
  return `${numbers.length === 1 ? "Code" : "Codes"} ${all} of ${formatInteger(codes.length)}: `;
}

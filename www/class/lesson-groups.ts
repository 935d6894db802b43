// The lesson codes that a teacher's page has collected, by lesson: which version of its text counts, and each pupil
// once.

import { formatCount } from "../core/format";
import type { LessonTask } from "./lesson";
import type { ReadLessonResult } from "./lesson-code";
import { fitting, nothingMeasured, unfitWords } from "./measured";
import type { ListedPupil } from "./pupil-list";
import { MAX_QUESTION, nameKey, shortened } from "./text";

export interface LessonGroup {
  title: string;
  /** The lesson, in the version that counts; null if the page does not have its text. */
  task: LessonTask | null;
  pupils: ListedPupil[];
}

export const OTHER_VERSION = "from another version of this lesson";
export const EDITED = "edited: it does not fit this lesson, and is not counted";
const EDITED_CODE =
  "This lesson code does not fit the lesson that it names: it was edited, or another version of Learnery made it.";

const shortTitle = (task: LessonTask): string => shortened(task.title, MAX_QUESTION);

/**
 * What a code says that its lesson does not have, as a sentence; null if all of it fits, or if the lesson is another.
 * Results of runs that do not fit are left out instead (measured.ts), so that nobody loses the answers for them.
 */
export function problemOfLesson(result: ReadLessonResult, task: LessonTask): string | null {
  return task.id === result.lesson && !fits(result, task) ? EDITED_CODE : null;
}

/** Whether the questions, options and checks in a code can come from this lesson. */
function fits({ answers, measured }: ReadLessonResult, { questions, parts }: LessonTask): boolean {
  const areAsked = answers.every(({ question, text }) => {
    const asked = questions.find((each) => each.question === question);
    if (!asked) return false;
    if (asked.isNumber) return text.trim() !== "" && Number.isFinite(Number(text));
    return asked.options.length === 0 || asked.options.includes(text);
  });
  const areOnce = new Set(answers.map(({ question }) => question)).size === answers.length;
  const areChecks = measured.checks.every((check) => parts.checks.some(({ name }) => name === check));
  return areAsked && areOnce && areChecks;
}

/**
 * The codes by lesson. `tasks` are the lessons that the page has: that of the class first. Lessons of the same title
 * are versions of one lesson. The version that counts is one that the page has, or else that of the most codes.
 */
export function lessonGroups(results: readonly ReadLessonResult[], tasks: readonly LessonTask[]): LessonGroup[] {
  const groups = new Map<string, ReadLessonResult[]>();
  for (const result of results) {
    // The title of a lab's own lesson may have changed with its text.
    const builtIn = result.builtIn === null ? null : tasks.find(({ link }) => link === `lesson/${result.builtIn}`);
    const title = builtIn ? shortTitle(builtIn) : result.title;
    const group = groups.get(title) ?? [];
    group.push(result);
    groups.set(title, group);
  }
  return [...groups].map(([title, all]) => {
    const task = tasks.find((each) => shortTitle(each) === title) ?? null;
    const version = task?.id ?? mostOften(all.map(({ lesson }) => lesson));
    return { title, task, pupils: pupilsOf(all, task, version) };
  });
}

function mostOften(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}

/** Each pupil once, with the code that was made last. */
function pupilsOf(results: readonly ReadLessonResult[], task: LessonTask | null, version: string): ListedPupil[] {
  const byName = new Map<string, ReadLessonResult[]>();
  for (const result of results) {
    const key = nameKey(result.name);
    byName.set(key, [...(byName.get(key) ?? []), result]);
  }
  return [...byName.values()].map((codes) => {
    const last = codes.reduce((newest, each) => (each.time >= newest.time ? each : newest));
    const isOther = last.lesson !== version;
    const isEdited = task !== null && problemOfLesson(last, task) !== null;
    const isCounted = !isOther && !isEdited;
    const { measured, unfit } = task && isCounted ? fitting(last.measured, task.parts) : { ...last, unfit: 0 };
    const state = [
      isOther && OTHER_VERSION,
      isEdited && EDITED,
      unfit > 0 && unfitWords(unfit),
      codes.length > 1 && `${formatCount(codes.length, "code")} with this name: the newest counts`,
      `made ${timeWords(last.time)}`,
    ];
    return {
      id: last.code,
      name: last.name,
      state: state.filter((part) => part !== false).join("; "),
      // The questions stand in the code, so answers to another version can be read too; names of its checks cannot.
      answers: isEdited ? [] : last.answers,
      measured: isCounted ? measured : nothingMeasured(),
    };
  });
}

const timeWords = (seconds: number): string =>
  new Date(1_000 * seconds).toLocaleString([], { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

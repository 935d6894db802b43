// The dialog with which a pupil hands in a lesson without a server: it shows what the lesson code would hold, and makes
// it.

import { formatCount } from "../core/format";
import { openCodeDialog, type CodeDialog, type MadeCode } from "../class/code-dialog";
import { writeLessonCode } from "../class/lesson-code";
import { resultCount } from "../class/measured";
import { MAX_QUESTION, shortened } from "../class/text";
import { SentList } from "./sent-list";
import type { LessonState } from "./state";

/** `lesson` is the id of the lesson, and `name` that of a pupil who is in a class; empty for none. */
export function openLessonCodeDialog(state: LessonState, lesson: string, name: string): void {
  let dialog: CodeDialog | null = null;
  const list = new SentList(state, () => {
    list.draw();
    dialog?.invalidate();
  });
  // Runs go on meanwhile. A code that was made stays: it has what was measured then.
  const unsubscribe = state.on("changed", () => {
    list.draw();
    dialog?.refresh();
  });
  const text = () => JSON.stringify(list.chosen());
  /** What the code holds that was made last. */
  let made = "";
  dialog = openCodeDialog({
    title: "Lesson code",
    lead: "The code holds what is ticked here, the name, the title and version of the lesson, and when the code was made. Nothing is sent. You show or give the code to your teacher yourself; whoever has it can read it.",
    name,
    replacesSameName: true,
    choice: list.element,
    make: (pupil) => {
      made = text();
      return makeCode(state, lesson, pupil, list);
    },
    since: () => (text() === made ? "" : "A result has come since. Make the code again to include it."),
    closed: unsubscribe,
  });
  if (!dialog) unsubscribe();
}

async function makeCode(state: LessonState, lesson: string, name: string, list: SentList): Promise<MadeCode> {
  const { answers, measured } = list.chosen();
  const results = resultCount(measured);
  const problem = list.whyTooMany() ?? (answers.length + results === 0 ? list.whyNone() : null);
  if (problem !== null) return { problem };
  const title = shortened(state.lesson.title, MAX_QUESTION);
  const time = Math.floor(Date.now() / 1_000);
  const code = await writeLessonCode({ name, lesson, title, time, answers, measured });
  if (code === null) return { problem: "These answers are too long for one code. Untick some of them." };
  const parts = [
    answers.length > 0 && formatCount(answers.length, "answer"),
    results > 0 && formatCount(results, "result"),
  ];
  return { code, sentence: `${name}: ${parts.filter((part) => part !== false).join(" and ")}.` };
}

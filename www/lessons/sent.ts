// The answers of a lesson as a class takes them: each question and each option in few characters, so that the teacher's
// page and a pupil's tab name them by the same words; and, with what was measured, as a text to copy.

import type { AskedQuestion } from "../class/lesson";
import type { Answer } from "../class/code";
import { MAX_ANSWER, MAX_QUESTION, problemWith, shortened, tidy } from "../class/text";
import { isQuestion, isTraining, partsOf, type Lesson, type QuestionPart } from "./format";
import type { LessonState } from "./state";
import { happenedWords } from "./values";
import { measuredLines, measuredOf, measuredParts, triesOf } from "./sent-results";

/** A question of a lesson in the words in which it is sent. */
export interface SentQuestion extends AskedQuestion {
  part: QuestionPart;
}

/** An answer as it would be sent. `problem` says in a sentence why the class does not take it; null if it does. */
export interface Prepared {
  answer: Answer;
  problem: string | null;
}

export function sentQuestions(lesson: Pick<Lesson, "steps">): SentQuestion[] {
  const parts = partsOf(lesson).filter(isQuestion);
  const questions = distinct(
    parts.map(({ ask }) => ask),
    MAX_QUESTION,
  );
  return parts.map((part, i) => ({
    part,
    question: questions[i] as string,
    options:
      part.kind === "choice"
        ? distinct(
            part.options.map(({ text }) => text),
            MAX_ANSWER,
          )
        : [],
    isNumber: part.kind === "number",
  }));
}

/** The answer to a question as it would be sent; null if there is none. */
export function prepared({ part, question, options }: SentQuestion, state: LessonState): Prepared | null {
  const given = state.answer(part);
  if (given === null) return null;
  const text = part.kind === "choice" ? (options[Number(given)] ?? "") : tidy(String(given));
  return { answer: { question, text }, problem: problemWith(text, "The answer", MAX_ANSWER) };
}

/** How many characters (code points) a sentence has as a class counts them: without needless spaces. */
export const sentLength = (text: string): number => [...tidy(text)].length;

/** All questions and answers of a lesson, and what it has measured, as a plain text. */
export function answersText(state: LessonState): string {
  const { lesson } = state;
  const steps = lesson.steps.flatMap(({ title, parts }, i) => {
    const asked = parts.filter(isQuestion).flatMap((part) => ["", part.ask, ...answerLines(part, state)]);
    return asked.length > 0 ? ["", `${i + 1}. ${title}`, ...asked] : [];
  });
  const results = measuredLines(measuredOf(state), measuredParts(lesson, state.lab)).map((line) => `  ${line}`);
  const measured = results.length > 0 ? ["", "Measured", ...results] : [];
  const tries = partsOf(lesson)
    .filter(isTraining)
    .flatMap((part) => {
      const list = triesOf(state, part).map((line) => `  ${line}`);
      return list.length > 1 ? ["", `Settings tried: ${part.title}`, ...list] : [];
    });
  return `${[lesson.title, ...steps, ...measured, ...tries].join("\n")}\n`;
}

function answerLines(part: QuestionPart, state: LessonState): string[] {
  const happened = state.happened(part);
  const lines = [state.answerWords(part)?.trim() ?? "(no answer)"];
  if (happened !== null) lines.push(`What happened: ${happenedWords(state, part, happened)}`);
  return lines.flatMap((line) => line.split("\n")).map((line) => `  ${line}`);
}

/** The texts, shortened. A number in brackets tells those apart that would be the same. */
function distinct(texts: readonly string[], most: number): string[] {
  const taken = new Set<string>();
  return texts.map((text) => {
    let short = shortened(text, most);
    for (let i = 2; taken.has(short); i++) {
      const mark = ` (${i})`;
      short = shortened(text, most - mark.length) + mark;
    }
    taken.add(short);
    return short;
  });
}

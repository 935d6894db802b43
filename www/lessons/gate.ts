// Says which predictions a reader still has to make before a block may train.

import { quoted } from "../core/values";
import type { LessonState } from "./state";

/** Why the block may not train yet, in a sentence; empty if it may. */
export function waitsFor(state: LessonState, block: string): string {
  const questions = state.questionsBefore(block);
  const [first] = questions;
  if (!first) return "";
  const steps = state.lesson.steps;
  const here = steps[state.kept.step];
  const elsewhere = steps.find(({ parts }) => parts.includes(first));
  const where = elsewhere && elsewhere !== here ? ` in the step ${quoted(elsewhere.title)}` : " above";
  return questions.length === 1
    ? `First write down your prediction${where}.`
    : `First write down your ${questions.length} predictions${where}.`;
}

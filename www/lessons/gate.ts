// Says which predictions a reader still has to make before a block may train.

import { quoted } from "../core/values";
import type { LessonState } from "./state";

/** Why the block may not train yet, in a sentence; empty if it may. */
export function waitsFor(state: LessonState, block: string): string {
  const questions = state.questionsBefore(block);
  if (questions.length === 0) return "";
  const { steps } = state.lesson;
  const here = steps[state.kept.step];
  const placeOf = (question: (typeof questions)[number]) => {
    const step = steps.find(({ parts }) => parts.includes(question));
    if (step && step !== here) return `in the step ${quoted(step.title)}`;
    const at = here?.parts.findIndex((part) => "name" in part && part.name === block && part.kind !== "compare") ?? -1;
    return here && at >= 0 && here.parts.indexOf(question) > at ? "below" : "above";
  };
  const places = [...new Set(questions.map(placeOf))].join(" and ");
  return questions.length === 1
    ? `First write down your prediction ${places}.`
    : `First write down your ${questions.length} predictions ${places}.`;
}

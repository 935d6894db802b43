// What a lesson has measured in all tabs of a class, by check and by block.

import type { AnswersToOne } from "./answers";
import { resultCount, TICKED, wordsOf, type Measured, type MeasuredParts } from "./measured";

/** A pupil with what its tab has measured. */
export interface MeasuredPupil {
  name: string;
  measured: Measured;
}

/** Who has ticked which check, and who has which result. What does not belong to the lesson is left out. */
export function measuredGroups(pupils: readonly MeasuredPupil[], parts: MeasuredParts): AnswersToOne[] {
  const measuring = pupils.filter(({ measured }) => resultCount(measured) > 0);
  const ticks = parts.checks.map(({ name, text }) => {
    const [ticked, others]: [string[], string[]] = [[], []];
    for (const pupil of measuring) (pupil.measured.checks.includes(name) ? ticked : others).push(pupil.name);
    const answers = [
      { text: TICKED, names: ticked },
      { text: "Not ticked", names: others },
    ];
    return { question: text, count: measuring.length, isCounted: true, answers };
  });
  const results = parts.blocks.map((block) => {
    const names = new Map<string, string[]>();
    let count = 0; // pupils: one can have results with several settings
    for (const pupil of measuring) {
      const results = wordsOf(block, pupil.measured.blocks, parts);
      for (const words of results) names.set(words, [...(names.get(words) ?? []), pupil.name]);
      if (results.length > 0) count++;
    }
    const answers = [...names].map(([text, of]) => ({ text, names: of }));
    answers.sort((a, b) => b.names.length - a.names.length);
    return { question: block.title, count, isCounted: true, isWide: true, answers };
  });
  return [...ticks, ...results].filter(({ count }) => count > 0);
}

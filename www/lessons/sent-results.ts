// What a lesson has measured as a class takes it: the checks that are ticked, and the results of its blocks.

import {
  MAX_CHECKS,
  MAX_RESULTS,
  measuredAnswers,
  wordsOf,
  TICKED,
  type BlockResult,
  type Measured,
  type MeasuredParts,
} from "../class/measured";
import type { LabInfo } from "../generated/protocol";
import { blockResult } from "./block-result";
import { isTraining, partsOf, type CheckPart, type Lesson, type RunPart, type SeedsPart } from "./format";
import type { LessonState } from "./state";

/** The most blocks of which results are sent. */
const MAX_BLOCKS = 12;

const checksOf = (lesson: Pick<Lesson, "steps">): CheckPart[] =>
  partsOf(lesson).filter((part): part is CheckPart => part.kind === "check");

/** What a lesson can measure, in its own words. */
export function measuredParts(lesson: Pick<Lesson, "steps">, info: LabInfo): MeasuredParts {
  const blocks = partsOf(lesson).filter(isTraining);
  return {
    info,
    checks: checksOf(lesson).map(({ name, text }) => ({ name, text })),
    blocks: blocks.map((part) => ({
      name: part.name,
      title: part.title,
      runs: part.kind === "seeds" ? part.seeds : 1,
      units: part.units,
      goal: part.goal,
      dials: part.dials,
    })),
  };
}

/** What has been measured last. Several seeds count once all of their runs have ended. */
export function measuredOf(state: LessonState): Measured {
  const { lesson } = state;
  const blocks = partsOf(lesson).filter(isTraining);
  return {
    checks: checksOf(lesson)
      .filter((part) => state.isTicked(part))
      .map(({ name }) => name)
      .slice(0, MAX_CHECKS),
    blocks: blocks.flatMap((part) => blockResult(part, state.result(part.name)) ?? []).slice(0, MAX_BLOCKS),
  };
}

/** What runs of a block with different settings came to; none for a block without such settings. */
const keptTries = ({ kept }: LessonState, block: string): BlockResult[] =>
  (Object.hasOwn(kept.tries, block) ? kept.tries[block] : undefined) ?? [];

/**
 * What runs with other settings came to before those of `latest`, as many as a class takes beside these: of each block
 * equally many, the latest ones.
 */
export function earlierOf(state: LessonState, { blocks: latest }: Measured): BlockResult[] {
  const lists = latest.flatMap(({ block, settings }) => {
    const last = JSON.stringify(settings);
    const others = keptTries(state, block).filter((each) => JSON.stringify(each.settings) !== last);
    return others.length > 0 ? [others] : [];
  });
  const most = Math.floor((MAX_RESULTS - latest.length) / lists.length);
  return lists.flatMap((list) => list.slice(-most));
}

/** What runs of a block with different settings came to, line by line. */
export function triesOf(state: LessonState, part: RunPart | SeedsPart): string[] {
  const { lesson, lab } = state;
  const parts = measuredParts(lesson, lab);
  const block = parts.blocks.find(({ name }) => name === part.name);
  return block ? wordsOf(block, keptTries(state, part.name), parts) : [];
}

/** What would be sent, line by line. */
export function measuredLines(measured: Measured, parts: MeasuredParts): string[] {
  const all = measuredAnswers(measured, parts);
  return all.map(({ question, text }) => (text === TICKED ? `${TICKED}: ${question}` : `${question}: ${text}`));
}

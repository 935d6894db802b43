// What a lesson has measured as a class takes it: the checks that are ticked, and the results of its blocks.

import {
  MAX_BLOCKS,
  MAX_CHECKS,
  MAX_SETTINGS,
  measuredAnswers,
  resultWords,
  TICKED,
  type BlockResult,
  type Measured,
  type MeasuredParts,
} from "../class/measured";
import type { LabInfo } from "../generated/protocol";
import { isTraining, partsOf, type CheckPart, type Lesson, type RunPart, type SeedsPart } from "./format";
import { measured as valueOf, type Result } from "./measures";
import type { LessonState } from "./state";

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

/** What has been measured by now. Several seeds count once all of their runs have ended. */
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

/** What a block came to; null while its runs of several seeds have not all ended. */
export function blockResult(part: RunPart | SeedsPart, result: Result | undefined): BlockResult | null {
  if (!result || result.kind !== part.kind || (result.kind === "seeds" && !result.complete)) return null;
  const outcomes = result.kind === "seeds" ? result.seeds : [result];
  const trained = Math.max(0, ...outcomes.map(({ units }) => units));
  // A network that was loaded from the picture has more units than a run of the lesson; an older page kept such runs
  // too.
  if (trained === 0 || trained > part.units) return null;
  const finite = (what: string) => {
    const value = valueOf({ block: part.name, what }, result);
    return Number.isFinite(value) ? value : null;
  };
  const { settings } = result;
  return {
    block: part.name,
    metric: result.metric,
    runs: outcomes.length,
    reached: outcomes.filter(({ reached }) => reached !== null).length,
    trained,
    units: finite(result.kind === "seeds" ? "units" : "goal"),
    value: finite(result.kind === "seeds" ? "median" : "last"),
    settings: Object.fromEntries(
      part.dials
        .filter((name) => Object.hasOwn(settings, name))
        .slice(0, MAX_SETTINGS)
        .map((name) => [name, settings[name] as number]),
    ),
  };
}

/** What runs of a block with different settings came to, line by line; none for a block without such settings. */
export function triesOf(state: LessonState, part: RunPart | SeedsPart): string[] {
  const { lesson, lab, kept } = state;
  const parts = measuredParts(lesson, lab);
  const block = parts.blocks.find(({ name }) => name === part.name);
  const tries = Object.hasOwn(kept.tries, part.name) ? kept.tries[part.name] : undefined;
  return (tries ?? []).flatMap((each) => (block && resultWords(each, block, parts)) ?? []);
}

/** What would be sent, line by line. */
export function measuredLines(measured: Measured, parts: MeasuredParts): string[] {
  const all = measuredAnswers(measured, parts);
  return all.map(({ question, text }) => (text === TICKED ? `${TICKED}: ${question}` : `${question}: ${text}`));
}

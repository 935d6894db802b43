// Checks what the blocks of a lesson say of each other: names that stand for nothing or for two blocks, measures that
// nothing measures, and comparisons without a prediction.

import { quoted } from "../core/values";
import type { LabInfo } from "../generated/protocol";
import {
  blocksAfter,
  isQuestion,
  isTraining,
  measuresOf,
  predicts,
  type Lesson,
  type Measure,
  type Part,
  type Place,
} from "./format";
import type { Block } from "./lines";
import { RUN_MEASURES, SEEDS_MEASURES } from "./measures";
import type { Report } from "./properties";

/** A block with what was read from it. */
export interface Named {
  part: Part;
  block: Block;
}

export function checkReferences(
  lesson: Lesson,
  named: readonly Named[],
  lab: LabInfo,
  takesText: boolean,
  report: Report,
): void {
  /** The blocks that train, by name. */
  const trained = new Map<string, Part>();
  const questions = new Map<string, Part>();
  const names = new Set<string>();
  for (const { part, block } of named) {
    // A comparison has the name of its question.
    if (part.kind !== "compare" && names.has(block.name))
      report(block.nameAt, `There are two blocks called ${quoted(block.name)}. Give one another name`);
    names.add(block.name);
    if (isTraining(part)) trained.set(part.name, part);
    if (isQuestion(part)) questions.set(part.name, part);
  }
  const trainedNames = [...trained.keys()].join(", ") || "none yet";
  const checkMeasure = ({ block, what }: Measure, at: Place) => {
    const part = trained.get(block);
    if (!part)
      return report(at, `No @run or @seeds is called ${quoted(block)}. The blocks that train are: ${trainedNames}`);
    const own: readonly string[] = part.kind === "seeds" ? SEEDS_MEASURES : RUN_MEASURES;
    const isKnown =
      own.includes(what) ||
      lab.about.metrics.some(({ name }) => name === what) ||
      lab.fields.some(({ name }) => name === what);
    if (isKnown) return;
    const metrics = lab.about.metrics.map(({ name }) => name).join(", ");
    report(
      at,
      `@${part.kind} does not measure ${quoted(what)}. It measures: ${own.join(", ")}; and by their last values: ${metrics}`,
    );
  };
  /** The place of a property of a block, or the block's own. */
  const placeOf = (block: Block, key: string, contains = ""): Place =>
    block.properties.find((each) => each.key === key && each.value.includes(contains))?.valueAt ?? block.at;

  for (const { part, block } of named) {
    if (isTraining(part) && part.learns !== null) {
      const at = placeOf(block, "learns");
      if (!takesText) report(at, `Runs of ${lab.about.title} learn no text. Remove this line, or use another lab`);
      else if (!lesson.texts.has(part.learns)) {
        const texts = [...lesson.texts.keys()].join(", ") || "none yet";
        report(at, `There is no @text called ${quoted(part.learns)}. The texts are: ${texts}`);
      }
    }
    const measures = isQuestion(part) ? predicts(part) : part.kind === "check" ? measuresOf(part.when) : [];
    for (const measure of measures) {
      const key = part.kind === "number" ? "is" : "when";
      checkMeasure(measure, placeOf(block, key, `${measure.block}.${measure.what}`));
    }
    // A question about runs that the reader has seen already would be no prediction.
    if (isQuestion(part) && measures.some(({ block }) => trained.has(block)) && blocksAfter(lesson, part).length === 0)
      report(
        placeOf(block, part.kind === "number" ? "is" : "when"),
        "The runs that this predicts stand in an earlier step, so the answer is known here. Move the question into that step, or into one before it",
      );
    if (part.kind !== "compare") continue;
    const question = questions.get(part.name);
    if (!question || !isQuestion(question) || predicts(question).length === 0) {
      const possible = [...questions.values()].filter((each) => isQuestion(each) && predicts(each).length > 0);
      const list = possible.map((each) => ("name" in each ? each.name : "")).join(", ") || "none yet";
      report(
        block.nameAt,
        `${quoted(part.name)} is no question that is compared with a run. Write the name of a @choice with “when:” or of a @number with “is:”. There are: ${list}`,
      );
    }
    for (const name of part.runs)
      if (trained.get(name)?.kind !== "seeds")
        report(
          placeOf(block, "runs"),
          `No @seeds is called ${quoted(name)}. The blocks that train are: ${trainedNames}`,
        );
  }
}

// The state of a lesson that is open: its answers and results, what follows from them, and which block trains. It draws
// nothing; the parts of the screen subscribe to it.

import { Emitter } from "../core/events";
import { isNumeric } from "../core/fields";
import { parseNumber, parseValue, settingText, type Settings } from "../core/values";
import type { JsonValue, LabInfo } from "../generated/protocol";
import { clearLesson, emptyLesson, loadLesson, MAX_TRIES, saveLesson, type Answer, type KeptLesson } from "./answers";
import { blockResult } from "./block-result";
import {
  blocksAfter,
  isQuestion,
  isTraining,
  partsOf,
  predicts,
  questionNamed,
  type CheckPart,
  type Lesson,
  type Measure,
  type NumberPart,
  type QuestionPart,
  type RunPart,
  type SeedsPart,
  type Step,
  type Training,
} from "./format";
import { allHold, countsRuns, measured, type Result, type SeedsResult } from "./measures";

/** The runs of an `@seeds` block that were begun (sweep.ts). */
export interface Begun {
  part: SeedsPart;
  result: SeedsResult;
  readonly training: boolean;
  /** How many runs are done, in a sentence. */
  readonly progress: string;
  /** How far the runs are that train, and how long it will take, in sentences; empty before that is known. */
  readonly detail: string;
  /** Why runs have failed, in sentences; empty if none has. */
  readonly failures: string;
  /** The title of the block that has taken the place of these runs; null if they were not stopped for another one. */
  readonly stoppedFor: string | null;
  stop: Stop;
}

/** Stops what trains; told the title of the block for which it stops, if that is the reason. */
export type Stop = (stoppedFor?: string) => void;

interface LessonEvents {
  /** Answers, results or the open step have changed. */
  changed: null;
  /** The runs of an `@seeds` block went on, or were stopped. */
  trained: null;
}

/**
 * A number as a reader types it, also with a decimal comma, and with a percent sign where the question asks in percent;
 * NaN if it is none.
 */
export function readTyped({ ask }: NumberPart, text: string): number {
  const bare = /percent|%/i.test(ask) ? text.replace(/\s*%\s*$/, "") : text;
  return parseNumber(bare.replace(",", "."));
}

export const isInRange = ({ from, to }: NumberPart, value: number): boolean => value >= from && value <= to;

/** Whether a number may be typed as an answer: one within the range, and a whole number if the question counts runs. */
export const allows = (part: NumberPart, value: number): boolean =>
  isInRange(part, value) && (!countsRuns(part) || Number.isInteger(value));

export class LessonState extends Emitter<LessonEvents> {
  kept: KeptLesson;
  /** Whether this browser keeps the answers; null before the first was given. */
  isKept: boolean | null = null;
  /** The runs of `@seeds` blocks that were begun since the lesson was opened, by the names of the blocks. */
  readonly sweeps = new Map<string, Begun>();
  /** The blocks whose runs have begun since the lesson was opened. */
  #begun = new Set<string>();
  /** Stops what trains: one `@run`, and beside it the runs of one `@seeds` block. */
  #stops = new Map<"run" | "seeds", Stop>();

  /** `id` is null for a preview, of which nothing is kept. */
  constructor(
    readonly lesson: Lesson,
    readonly lab: LabInfo,
    readonly id: string | null,
  ) {
    super();
    this.kept = id === null ? emptyLesson() : loadLesson(id);
    this.kept.step = Math.min(this.kept.step, lesson.steps.length - 1);
  }

  /**
   * The answer to a question, if it is one that the question allows; null otherwise. One that an earlier version of the
   * page has kept may be no whole number.
   */
  answer(part: QuestionPart): Answer | null {
    const answer = Object.hasOwn(this.kept.answers, part.name) ? this.kept.answers[part.name] : undefined;
    if (part.kind === "sentence") return typeof answer === "string" && answer.trim() !== "" ? answer : null;
    if (part.kind === "number") {
      const value = typeof answer === "string" ? readTyped(part, answer) : (answer ?? NaN);
      return isInRange(part, value) ? value : null;
    }
    if (typeof answer !== "number") return null;
    return part.options[answer] ? answer : null;
  }

  /** Keeps an answer; null removes it. A locked prediction stays as it is. */
  setAnswer(name: string, answer: Answer | null): void {
    const part = questionNamed(this.lesson, name);
    if (part && this.isLocked(part)) return;
    const others = Object.entries(this.kept.answers).filter(([each]) => each !== name);
    this.kept.answers = Object.fromEntries(answer === null ? others : [...others, [name, answer]]);
    this.#changed();
  }

  /** An answer in words: a number as it was typed. Null if there is none. */
  answerWords(part: QuestionPart): string | null {
    const answer = this.answer(part);
    if (answer === null) return null;
    if (part.kind === "choice") return part.options[Number(answer)]?.text ?? "";
    return String(this.kept.answers[part.name]).trim();
  }

  /** Keeps the settings that the reader has chosen for a run. */
  setDials(block: string, settings: Settings): void {
    this.kept.dials[block] = settings;
    if (this.id !== null) this.isKept = saveLesson(this.id, this.kept);
  }

  /** The settings that the reader has chosen for a run, where they are values that it takes. */
  dials({ name, dials }: Training): Settings {
    const kept = Object.hasOwn(this.kept.dials, name) ? this.kept.dials[name] : undefined;
    const pairs = dials.flatMap((dial) => {
      const field = this.lab.fields.find((each) => each.name === dial);
      if (!field || !kept || !Object.hasOwn(kept, dial)) return [];
      const read = parseValue(field, settingText(kept[dial] as JsonValue));
      return "value" in read ? [[dial, read.value] as const] : [];
    });
    return Object.fromEntries(pairs);
  }

  result(name: string): Result | undefined {
    return Object.hasOwn(this.kept.results, name) ? this.kept.results[name] : undefined;
  }

  /** What the runs of an `@seeds` block have measured, once all of them have ended; null before. */
  completeSeeds({ name }: SeedsPart): SeedsResult | null {
    const result = this.result(name);
    return result?.kind === "seeds" && result.complete ? result : null;
  }

  /**
   * Takes what a block has measured, and ticks the checks that this fulfils. A check stays ticked. A result of runs that
   * have not ended does not replace one of runs that have.
   */
  setResult(name: string, result: Result): void {
    const measure = (each: Measure) => (each.block === name ? measured(each, result) : this.measure(each));
    const { checks } = this.kept;
    for (const part of partsOf(this.lesson))
      if (part.kind === "check" && !checks.includes(part.name) && allHold(part.when, measure)) checks.push(part.name);
    const isOfEnded = this.#isOfEndedRuns(name, result);
    if (isOfEnded) this.#addTry(name, result);
    if (isOfEnded || !this.hasEnded(name)) this.kept.results[name] = result;
    this.#changed();
  }

  /**
   * Lists what runs with these settings came to, if the reader may change some. The same settings stand there once. If
   * one is no number, runs with different settings could not be told apart.
   */
  #addTry(name: string, result: Result): void {
    const part = this.#trainingPart(name);
    if (!part || part.dials.length === 0 || !part.dials.every((name) => this.#isNumber(name))) return;
    const outcome = blockResult(part, result);
    if (!outcome || Object.keys(outcome.settings).length === 0) return;
    const settings = JSON.stringify(outcome.settings);
    const tries = Object.hasOwn(this.kept.tries, name) ? (this.kept.tries[name] ?? []) : [];
    const others = tries.filter((each) => JSON.stringify(each.settings) !== settings);
    this.kept.tries[name] = [...others, outcome].slice(-MAX_TRIES);
  }

  #isNumber(setting: string): boolean {
    return this.lab.fields.some((field) => field.name === setting && isNumeric(field));
  }

  #trainingPart(name: string): RunPart | SeedsPart | undefined {
    return partsOf(this.lesson)
      .filter(isTraining)
      .find((part) => part.name === name);
  }

  setStep(step: number): void {
    this.kept.step = step;
    this.#changed();
  }

  isTicked(part: CheckPart): boolean {
    return this.kept.checks.includes(part.name);
  }

  /** What was measured; NaN before. */
  measure = (measure: Measure): number => measured(measure, this.result(measure.block));

  /**
   * What happened, as an answer to a question that predicts something: a number, or the number of an option. Null if it
   * has not been measured, or if it is none of the options.
   */
  happened(part: QuestionPart): number | null {
    if (part.kind === "sentence" || !this.isMeasured(part)) return null;
    if (part.kind === "number") {
      const value = part.is ? this.measure(part.is) : NaN;
      return Number.isFinite(value) ? value : null;
    }
    const option = part.options.findIndex(({ when }) => allHold(when, this.measure) === true);
    return option === -1 ? null : option;
  }

  /** Whether all runs that a question is about have ended by themselves: before, nothing has happened. */
  isMeasured(part: QuestionPart): boolean {
    const measures = predicts(part);
    return measures.length > 0 && measures.every(({ block }) => this.hasEnded(block));
  }

  /** A prediction cannot be changed once one of the runs that wait for it has begun: then it would be none. */
  isLocked(part: QuestionPart): boolean {
    const hasBegun = (block: string) => this.#begun.has(block) || this.result(block) !== undefined;
    return this.answer(part) !== null && blocksAfter(this.lesson, part).some(hasBegun);
  }

  /** Whether a prediction of the lesson is still to be made. What a setting does is not explained before: it tells much. */
  hasOpenPredictions = (): boolean =>
    partsOf(this.lesson)
      .filter(isQuestion)
      .some((part) => predicts(part).length > 0 && this.answer(part) === null);

  /** The predictions that have to be made before a block may train. */
  questionsBefore(block: string): QuestionPart[] {
    const questions = partsOf(this.lesson).filter(isQuestion);
    return questions.filter((part) => this.answer(part) === null && blocksAfter(this.lesson, part).includes(block));
  }

  /** Whether the runs of a block have ended by themselves. */
  hasEnded(block: string): boolean {
    const result = this.result(block);
    return result !== undefined && this.#isOfEndedRuns(block, result);
  }

  #isOfEndedRuns(block: string, result: Result): boolean {
    const part = this.#trainingPart(block);
    if (part?.kind !== result.kind) return false;
    if (result.kind === "seeds") return result.complete;
    return result.units >= part.units || (part.goal && result.reached !== null);
  }

  /** Whether everything in a step is done: questions answered, runs trained, checks ticked, comparisons measured. */
  isDone({ parts }: Step): boolean {
    return parts.every((part) => {
      if (isQuestion(part)) return this.answer(part) !== null;
      if (part.kind === "check") return this.isTicked(part);
      if (part.kind === "compare") return this.#canCompare(part.name);
      if (!isTraining(part)) return true;
      const result = this.result(part.name);
      return result !== undefined && (result.kind === "run" ? result.units > 0 : result.complete);
    });
  }

  /** Whether the runs that a question predicts have told what happened, which may be nothing that it measures. */
  #canCompare(question: string): boolean {
    const part = questionNamed(this.lesson, question);
    return part !== undefined && this.answer(part) !== null && this.isMeasured(part);
  }

  /**
   * A block begins to train. Another one of its kind stops, because both together would need too much memory. The runs
   * of an `@seeds` block take minutes, so they go on beside an `@run`.
   */
  beginTraining(block: string, stop: Stop): void {
    const part = this.#trainingPart(block);
    if (!part) return;
    const other = this.#stops.get(part.kind);
    if (other !== stop) other?.(part.title);
    this.#stops.set(part.kind, stop);
    if (this.#begun.has(block)) return;
    this.#begun.add(block);
    this.emit("changed", null);
  }

  /** The title of the block whose runs stop if this `@seeds` block begins to train; null if none does. */
  stopsFor(block: string): string | null {
    const other = [...this.sweeps.values()].find(({ part, training }) => training && part.name !== block);
    return other?.part.title ?? null;
  }

  endTraining(stop: Stop): void {
    for (const [kind, each] of this.#stops) if (each === stop) this.#stops.delete(kind);
  }

  /** The runs of a block have measured something, or were stopped. */
  sweepWentOn(): void {
    this.emit("trained", null);
  }

  /** The lesson is left: nothing of it trains on. */
  close(): void {
    for (const stop of [...this.#stops.values()]) stop();
  }

  /** Forgets all answers and results. */
  clear(): void {
    this.close();
    this.sweeps.clear();
    this.#begun.clear();
    this.kept = emptyLesson();
    if (this.id !== null) clearLesson(this.id);
    this.emit("changed", null);
  }

  #changed(): void {
    if (this.id !== null) this.isKept = saveLesson(this.id, this.kept);
    this.emit("changed", null);
  }
}

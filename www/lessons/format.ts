// What a lesson consists of, and the limits of its text. A lesson is a plain text that a teacher writes;
// docs/lessons.md describes it and parse.ts reads it. It holds no HTML and no addresses: the page shows every text as
// text.

import type { Settings } from "../core/values";

/** The limits of a lesson's text. What is beyond them is refused, so that no text can keep the page busy. */
export const LIMITS = {
  /** Characters of the whole text (UTF-16 units). */
  characters: 60_000,
  /** Characters of a line. */
  line: 2_000,
  /** Steps of the lesson. */
  steps: 20,
  /** Paragraphs, lists and blocks of the whole lesson. */
  parts: 200,
  /** Blocks that train: `@run` and `@seeds`. */
  runs: 12,
  /** Seeds of a `@seeds`. */
  seeds: 20,
  /** Units (training iterations) of a run. */
  units: 5_000,
  /** Options of a choice. */
  options: 8,
  /** Conditions of a `when`. */
  conditions: 6,
  /** Problems that are told of. */
  problems: 20,
} as const;

/** A place in the text, counted from 1. */
export interface Place {
  line: number;
  column: number;
}

/** What is wrong at a place of the text, in one or two sentences that say what to write instead. */
export interface Problem extends Place {
  text: string;
}

/** A number that was measured in a run: `slow.reached` is what the block `slow` has measured under `reached`. */
export interface Measure {
  block: string;
  what: string;
}

/** `measure is factor × other`, or `measure is factor` without another measure. */
export interface Condition {
  measure: Measure;
  is: Comparison;
  factor: number;
  other: Measure | null;
}

export const COMPARISONS = [">=", "<=", ">", "<", "="] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** What a block trains. */
export interface Training {
  name: string;
  title: string;
  /** The settings that differ from the lab's defaults. */
  settings: Settings;
  /** The run ends after so many units (training iterations). */
  units: number;
  /** Whether it ends at its goal too. */
  goal: boolean;
  /** The metric that is shown; null for the goal's. */
  metric: string | null;
  /** A text of the lesson that the run learns; null for none. */
  learns: string | null;
  /** The settings that the reader may change. */
  dials: string[];
}

/** One run with the lab's picture, which the reader starts and stops. */
export interface RunPart extends Training {
  kind: "run";
  seed: number;
  /** Whether the picture has its controls, such as its own speed and single steps. */
  controls: boolean;
  /** A second metric that is drawn in the same chart; null for none. */
  beside: string | null;
  /** Training steps per second; null is as fast as possible, undefined what suits the lab. */
  pace: number | null | undefined;
}

/** The same settings with several seeds. */
export interface SeedsPart extends Training {
  kind: "seeds";
  seeds: number;
  /** The first seed. */
  from: number;
}

export interface Option {
  text: string;
  /** What must have been measured so that this option is what happened; empty if nothing can tell. */
  when: Condition[];
}

export interface ChoicePart {
  kind: "choice";
  name: string;
  ask: string;
  options: Option[];
}

export interface NumberPart {
  kind: "number";
  name: string;
  ask: string;
  from: number;
  to: number;
  /** What the number predicts; null if nothing is measured. */
  is: Measure | null;
}

export interface SentencePart {
  kind: "sentence";
  name: string;
  ask: string;
  /** Lines to write on in the printed sheet. */
  lines: number;
}

export type QuestionPart = ChoicePart | NumberPart | SentencePart;

/** Is ticked by what was measured. */
export interface CheckPart {
  kind: "check";
  name: string;
  text: string;
  when: Condition[];
}

/** A prediction beside what happened. */
export interface ComparePart {
  kind: "compare";
  /** The name of the question. */
  name: string;
  /** The blocks whose runs are drawn; empty for none. */
  runs: string[];
  /** What is drawn of each run: when it reached the goal, or its last value. */
  by: "units" | "last";
}

export interface TextPart {
  kind: "text";
  text: string;
}

export interface ListPart {
  kind: "list";
  items: string[];
}

export type Part = TextPart | ListPart | RunPart | SeedsPart | QuestionPart | CheckPart | ComparePart;

export interface Step {
  title: string;
  minutes: number;
  parts: Part[];
  /** For the teacher. */
  notes: string[];
}

export interface Lesson {
  title: string;
  /** The id of the lab. */
  lab: string;
  /** One sentence about the lesson. */
  about: string;
  /** For whom it is. */
  level: string;
  /** The standard terms that it uses. */
  terms: string[];
  /** For the teacher, about the whole lesson. */
  notes: string[];
  steps: Step[];
  /** The texts that runs learn. */
  texts: Map<string, string>;
}

/** How many minutes the whole lesson takes. */
export const minutesOf = ({ steps }: Pick<Lesson, "steps">): number =>
  steps.reduce((sum, { minutes }) => sum + minutes, 0);

export const partsOf = ({ steps }: Pick<Lesson, "steps">): Part[] => steps.flatMap(({ parts }) => parts);

export const isTraining = (part: Part): part is RunPart | SeedsPart => part.kind === "run" || part.kind === "seeds";

export const isQuestion = (part: Part): part is QuestionPart =>
  part.kind === "choice" || part.kind === "number" || part.kind === "sentence";

/** The question with this name. */
export const questionNamed = (lesson: Pick<Lesson, "steps">, name: string): QuestionPart | undefined =>
  partsOf(lesson)
    .filter(isQuestion)
    .find((part) => part.name === name);

/** Whether blocks with these names train more than one run. */
export function areSeveralRuns(lesson: Pick<Lesson, "steps">, names: readonly string[]): boolean {
  const blocks = partsOf(lesson).filter((part) => isTraining(part) && names.includes(part.name));
  return blocks.length > 1 || blocks.some(({ kind }) => kind === "seeds");
}

/** The measures that a question predicts; none for a question that asks for something else. */
export function predicts(part: QuestionPart): Measure[] {
  if (part.kind === "number") return part.is ? [part.is] : [];
  if (part.kind === "choice") return part.options.flatMap(({ when }) => measuresOf(when));
  return [];
}

/**
 * The blocks that wait for a prediction: those it is about that stand in its step or in a later one. A block of an
 * earlier step may be named too, to compare with it; it does not wait.
 */
export function blocksAfter({ steps }: Pick<Lesson, "steps">, question: QuestionPart): string[] {
  const from = steps.findIndex(({ parts }) => parts.includes(question));
  const later = partsOf({ steps: steps.slice(Math.max(0, from)) }).filter(isTraining);
  const about = new Set(predicts(question).map(({ block }) => block));
  return later.flatMap(({ name }) => (about.has(name) ? [name] : []));
}

export function measuresOf(conditions: readonly Condition[]): Measure[] {
  return conditions.flatMap(({ measure, other }) => (other ? [measure, other] : [measure]));
}

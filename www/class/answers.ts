// The answers of a class by question: counted where they are choices or numbers, listed where they are sentences. And
// all of them as a table, with what the lesson has measured.

import { noFormula, toCsv } from "../core/csv";
import type { Answer } from "./code";
import type { AskedQuestion } from "./lesson";
import { measuredAnswers, type Measured, type MeasuredParts } from "./measured";
import { nameKey } from "./text";

/** A pupil with what came from its tab: answers, and what a lesson has measured. */
export interface Answering {
  name: string;
  answers: readonly Answer[];
  measured?: Measured;
}

/** An answer, and who has given it. */
export interface Counted {
  text: string;
  names: string[];
}

export interface AnswersToOne {
  question: string;
  /** How many have answered. */
  count: number;
  /** Whether equal answers are counted together. Otherwise each one stands alone. */
  isCounted: boolean;
  /** Whether the answers are phrases that need the whole width, also where they are counted. */
  isWide?: boolean;
  answers: Counted[];
}

/**
 * Answers to a question that the page does not know are counted if some are equal, at most `MAX_BARS` are different,
 * and none is longer than `MAX_BAR_TEXT` characters.
 */
const MAX_BARS = 8;
const MAX_BAR_TEXT = 60;

/** The answers to each question that somebody has answered: to `first`, to the known ones in their order, to others. */
export function answersByQuestion(
  pupils: readonly Answering[],
  known: readonly AskedQuestion[] = [],
  first = "",
): AnswersToOne[] {
  const order = [first, ...known.map(({ question }) => question)];
  const given = new Map<string, { name: string; text: string }[]>(order.map((question) => [question, []]));
  for (const { name, answers } of pupils)
    for (const { question, text } of answers) {
      const list = given.get(question) ?? [];
      list.push({ name, text });
      given.set(question, list);
    }
  return [...given].flatMap(([question, all]) => {
    if (all.length === 0) return [];
    const asked = known.find((each) => each.question === question);
    const counted = countedAnswers(all, asked?.options ?? []);
    const isCounted = asked ? asked.options.length > 0 || asked.isNumber : looksLikeChoice(counted, all.length);
    if (asked?.isNumber) counted.sort((a, b) => Number(a.text) - Number(b.text) || 0);
    const single = all.map(({ name, text }) => ({ text, names: [name] }));
    return [{ question, count: all.length, isCounted, answers: isCounted ? counted : single }];
  });
}

/**
 * The same entries, each without the answers that an earlier entry of the same name also gave to the same question.
 * Different answers to one question all stay.
 */
export function withoutRepeats(pupils: readonly Answering[]): Answering[] {
  const seen = new Set<string>();
  return pupils.map(({ name, answers, ...rest }) => {
    const key = ({ question, text }: Answer) => JSON.stringify([nameKey(name), question, text]);
    const own = answers.filter((answer) => !seen.has(key(answer)));
    for (const answer of own) seen.add(key(answer));
    return { ...rest, name, answers: own };
  });
}

/** Who has given which answer. The options come first, also those that nobody has chosen. */
function countedAnswers(all: readonly { name: string; text: string }[], options: readonly string[]): Counted[] {
  const names = new Map<string, string[]>(options.map((text) => [text, []]));
  for (const { name, text } of all) names.set(text, [...(names.get(text) ?? []), name]);
  return [...names].map(([text, of]) => ({ text, names: of }));
}

const looksLikeChoice = (counted: readonly Counted[], count: number): boolean =>
  counted.length < count && counted.length <= MAX_BARS && counted.every(({ text }) => text.length <= MAX_BAR_TEXT);

/**
 * All answers as a table of comma-separated values; with `parts`, what a lesson can measure, its checks and results.
 */
export function answersTable(pupils: readonly Answering[], parts: MeasuredParts | null = null): string {
  const rows = pupils.flatMap(({ name, answers, measured }) => {
    const results = parts && measured ? measuredAnswers(measured, parts) : [];
    return [...answers, ...results].map(({ question, text }) => [name, question, text].map(noFormula));
  });
  return toCsv([["Name", "Question", "Answer"], ...rows]);
}

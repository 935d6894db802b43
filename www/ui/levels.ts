// The levels of a chart: values of its metric that are drawn as dashed lines, with their labels.

import { formatNumber, listed, minus } from "../core/format";
import type { Headline } from "./headline";

export interface Level {
  value: number;
  /** What is written at its line: "goal 490". */
  label: string;
  /** What it is and its value, as part of a sentence: "the goal 490". */
  words: string;
  /** Lengths of dashes and gaps, in CSS pixels. */
  dash: number[];
}

/** What may be drawn as a level. */
export interface Levels extends Partial<Pick<Headline, "chance" | "yours">> {
  goal?: number | undefined;
}

/** Significant digits of a score. */
const SCORE_DIGITS = 3;

/** The levels, the more important first. */
export function levelsOf({ goal, yours, chance }: Levels): Level[] {
  const levels: Level[] = [];
  const add = (value: number, name: string, text: string, words: string, dash: number[]) =>
    levels.push({ value, label: `${name} ${text}`, words: `${words} ${text}`, dash });
  if (goal !== undefined) add(goal, "goal", minus(String(goal)), "the goal", [4, 4]);
  if (yours !== undefined) add(yours, "you:", formatNumber(yours, SCORE_DIGITS), "your best score", [9, 3, 2, 3]);
  if (chance) add(chance.value, chance.name, minus(String(chance.value)), chance.name, [1, 3]);
  return levels;
}

/** The levels in a sentence; empty if there are none. */
export function levelWords(levels: readonly Level[]): string {
  if (levels.length === 0) return "";
  return `Lines across the chart: ${listed(levels.map(({ words }) => words))}.`;
}

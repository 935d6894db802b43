// What the tests of a lab's words share: its stories, which tell what an agent can do from its metrics, and the words
// that newcomers ask about.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parseGlossary, wordsOf } from "../../scripts/glossary.mjs";
import type { Measurements } from "../../www/core/series";
import { TermFinder } from "../../www/core/terms";
import type { Story } from "../../www/ui/story";

/** What a state has beside its metrics; `measured` are metrics with their earlier values. */
interface Rest {
  solved?: boolean;
  lost?: boolean;
  news?: string;
  measured?: Record<string, Measurements>;
}

/** A state with these metrics, in the order in which a run meets them, and the sentence that each must give. */
type Case = [metrics: Record<string, number>, sentence: RegExp | null, rest?: Rest];

export function checkStory(name: string, story: Story, settings: Record<string, string | number>, cases: Case[]): void {
  test(`story of ${name}`, () => {
    for (const [metrics, sentence, { solved = false, lost = false, news = "", measured = {} } = {}] of cases) {
      const last = (metric: string) => metrics[metric] ?? NaN;
      const before = (metric: string) => measured[metric] ?? { units: [], values: [] };
      const told = story({ settings, last, measured: before, solved, lost, news });
      if (sentence) assert.match(told ?? "", sentence);
      else assert.equal(told, null);
    }
  });
}

/** Checks that these words are explained in a lab. */
export function checkExplained(lab: string, words: string[]): void {
  test(`words that newcomers ask about are explained: ${lab}`, () => {
    const glossary = readFileSync(new URL("../../docs/glossary.md", import.meta.url), "utf8");
    const finder = new TermFinder(wordsOf(parseGlossary(glossary)), lab);
    for (const word of words) assert.ok(finder.name(word), `${word} is not explained`);
  });
}

// The sources of text as they are offered: name, short description, and a sign of a few letters.

import type { Settings } from "../../core/link";
import type { LanguageSource } from "../../generated/protocol";

export interface SourceChoice {
  source: LanguageSource;
  name: string;
  task: string;
  sign: string;
}

export const SOURCES: Record<LanguageSource, SourceChoice> = {
  addition: { source: "addition", name: "Sums", task: "by heart? no: to add", sign: "7+5" },
  stories: { source: "stories", name: "Stories", task: "never the same twice", sign: "Once" },
  text: { source: "text", name: "Your text", task: "a file of yours", sign: "¶" },
  copy: { source: "copy", name: "Copy", task: "say it again", sign: "ab→ab" },
  reverse: { source: "reverse", name: "Reverse", task: "say it backwards", sign: "ab→ba" },
  sort: { source: "sort", name: "Sort", task: "put it in order", sign: "ba→ab" },
  modular: { source: "modular", name: "Clock", task: "add, keep the rest", sign: "9+5→2" },
  brackets: { source: "brackets", name: "Brackets", task: "close what is open", sign: "([])" },
  parity: { source: "parity", name: "Parity", task: "odd or even", sign: "011" },
};

/** The source of a run with these settings. */
export function sourceOf(config: Settings): LanguageSource {
  const name = config["source"] as LanguageSource;
  return name in SOURCES ? name : "addition";
}

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
  addition: { source: "addition", name: "Sums", task: "learns to add", sign: "7+5" },
  stories: { source: "stories", name: "Stories", task: "learns to tell stories", sign: "Once" },
  text: { source: "text", name: "Your text", task: "learns from your own text", sign: "¶" },
  copy: { source: "copy", name: "Copy", task: "repeats the letters", sign: "ab→ab" },
  reverse: { source: "reverse", name: "Reverse", task: "reverses the letters", sign: "ab→ba" },
  sort: { source: "sort", name: "Sort", task: "sorts the letters", sign: "ba→ab" },
  modular: { source: "modular", name: "Clock", task: "adds and keeps the remainder", sign: "9+5→2" },
  brackets: { source: "brackets", name: "Brackets", task: "closes open brackets", sign: "([])" },
  parity: { source: "parity", name: "Parity", task: "odd or even number of ones", sign: "011" },
};

/** The source of a run with these settings. */
export function sourceOf(config: Settings): LanguageSource {
  const name = config["source"] as LanguageSource;
  return name in SOURCES ? name : "addition";
}

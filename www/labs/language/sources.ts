// The kinds of text that the network can learn from, as the language lab offers them: stories, a visitor's own text,
// and tasks whose problems can be judged right or wrong.

import type { Settings } from "../../core/link";
import type { LanguageSource } from "../../generated/protocol";

export interface SourceChoice {
  /** The id of the source, which is a value of the setting `source`. */
  source: LanguageSource;
  /** Its name on the page. */
  name: string;
  /** What the network does with it. */
  task: string;
  /** A few characters that stand for the source, like an icon. */
  sign: string;
}

export const SOURCES: Record<LanguageSource, SourceChoice> = {
  addition: { source: "addition", name: "Addition", task: "learns to add", sign: "7+5" },
  stories: { source: "stories", name: "Stories", task: "learns to tell stories", sign: "Once" },
  text: { source: "text", name: "Your text", task: "learns from your own text", sign: "¶" },
  copy: { source: "copy", name: "Copy", task: "repeats the letters", sign: "ab→ab" },
  reverse: { source: "reverse", name: "Reverse", task: "reverses the letters", sign: "ab→ba" },
  sort: { source: "sort", name: "Sort", task: "sorts the letters", sign: "ba→ab" },
  modular: {
    source: "modular",
    name: "Modular",
    task: "adds as on a clock: after the last number comes 0 (modular addition)",
    sign: "9+5→2",
  },
  brackets: { source: "brackets", name: "Brackets", task: "closes open brackets", sign: "([])" },
  parity: { source: "parity", name: "Parity", task: "tells whether the number of ones is odd", sign: "011" },
};

/** Whether a source consists of problems with one right answer each. */
export function isTask(source: LanguageSource): boolean {
  return source !== "stories" && source !== "text";
}

/** The unit of losses. Each character of a story is one byte; a visitor's text may have longer ones. */
export function unitOfLoss(source: LanguageSource): string {
  return source === "stories" ? "bits per character" : "bits per byte";
}

/** The source of a run with these settings. */
export function sourceOf(settings: Settings): LanguageSource {
  const name = settings["source"] as LanguageSource;
  return name in SOURCES ? name : "addition";
}

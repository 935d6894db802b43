// The challenges of the language lab. `settings` are what a run must keep; the preset has the others. Addition is the
// default preset, so it names none.

import type { Challenge } from "../../core/challenge";

/** 99% of the answers to problems that it never practised are right, as the lab's goal asks. */
const NEARLY_ALL_RIGHT: Challenge["stages"] = [[{ metric: "exact", is: ">=", value: 99 }]];

export const challenges: Challenge[] = [
  {
    title: "Copy letters",
    hint: "The easiest task: no rule to learn but where to look. Watch which tokens the heads attend to.",
    settings: { source: "copy" },
    preset: "copy",
    stages: NEARLY_ALL_RIGHT,
  },
  {
    title: "Add two numbers",
    hint: "It must carry, and writes the first digit first.",
    settings: { source: "addition" },
    stages: NEARLY_ALL_RIGHT,
  },
  {
    title: "Add with a single layer",
    hint: "Writing the sum backwards makes carrying easier.",
    settings: { source: "addition", layers: 1 },
    stages: NEARLY_ALL_RIGHT,
  },
  {
    title: "Sort eight letters",
    hint: "Each head can look for one kind of letter.",
    settings: { source: "sort", size: 8 },
    preset: "sort",
    stages: NEARLY_ALL_RIGHT,
  },
  {
    title: "From memorising to understanding (grokking)",
    hint: "Modular addition: the training loss falls long before unseen sums are right. It needs weight decay and patience.",
    settings: { source: "modular" },
    preset: "modular",
    stages: NEARLY_ALL_RIGHT,
  },
];

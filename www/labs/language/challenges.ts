// The challenges of the language lab.

import type { Challenge } from "../../core/challenge";

export const challenges: Challenge[] = [
  {
    title: "Copy letters",
    hint: "The shortest of the tasks. Look which tokens the heads attend to.",
    settings: { source: "copy" },
    preset: "copy",
    stages: [[{ metric: "exact", is: ">=", value: 99 }]],
  },
  {
    title: "Add two numbers",
    hint: "It must carry, and writes the first digit first.",
    settings: { source: "addition" },
    stages: [[{ metric: "exact", is: ">=", value: 99 }]],
  },
  {
    title: "Add with a single layer",
    hint: "Writing the sum backwards makes carrying easier.",
    settings: { source: "addition", layers: 1 },
    stages: [[{ metric: "exact", is: ">=", value: 99 }]],
  },
  {
    title: "Sort eight letters",
    hint: "Each head can look for one kind of letter.",
    settings: { source: "sort", size: 8 },
    preset: "sort",
    stages: [[{ metric: "exact", is: ">=", value: 99 }]],
  },
  {
    title: "From memorising to understanding (grokking)",
    hint: "Modular addition: the training loss falls long before unseen sums are right. It needs weight decay and patience.",
    settings: { source: "modular" },
    preset: "modular",
    stages: [[{ metric: "exact", is: ">=", value: 99 }]],
  },
];

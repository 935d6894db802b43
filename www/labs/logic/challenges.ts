// The challenges of the logic lab.

import type { Challenge } from "../../core/challenge";

export const challenges: Challenge[] = [
  {
    title: "A checkerboard without a wrong cell",
    hint: "Wait until the error falls, then damage the picture.",
    settings: { experiment: "checkerboard" },
    stages: [[{ metric: "proof", is: ">=", value: 100 }]],
  },
  {
    title: "Prune the circuit below 60 gates",
    hint: "Stronger weight decay turns more gates into plain wires.",
    settings: { experiment: "checkerboard" },
    stages: [
      [
        { metric: "proof", is: ">=", value: 100 },
        { metric: "changed", is: "<=", value: 59 },
      ],
    ],
  },
  {
    title: "Learn the game of life",
    hint: "All 512 neighbourhoods must be right.",
    settings: { experiment: "life" },
    preset: "life",
    stages: [[{ metric: "proof", is: ">=", value: 100 }]],
  },
  {
    title: "Cells that forget to update",
    hint: "In each step a cell updates with a chance of 60 percent only.",
    settings: { experiment: "async" },
    preset: "async",
    stages: [[{ metric: "proof", is: ">=", value: 100 }]],
  },
  {
    title: "Without quantization noise and local search",
    hint: "Both help the final circuit to agree with the training view. Gradients alone can do it too.",
    settings: { experiment: "checkerboard", decided: 0, mend: 0 },
    stages: [[{ metric: "proof", is: ">=", value: 100 }]],
  },
];

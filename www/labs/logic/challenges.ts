// The challenges of the logic lab.

import type { Challenge } from "../../core/challenge";

export const challenges: Challenge[] = [
  {
    title: "A checkerboard without a wrong cell",
    hint: "Wait until the soft error falls, then damage the picture.",
    settings: { experiment: "checkerboard" },
    stages: [[{ metric: "proof", is: ">=", value: 100 }]],
  },
  {
    title: "Fewer than 60 changed gates",
    hint: "Stronger weight decay turns more gates back into plain wires.",
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
    title: "Cells that skip steps",
    hint: "A cell takes part in a step with a chance of 60 percent only.",
    settings: { experiment: "async" },
    preset: "async",
    stages: [[{ metric: "proof", is: ">=", value: 100 }]],
  },
  {
    title: "Without quantization noise and local search",
    hint: "Both help hard gates to do what soft gates do. It can be learned without them.",
    settings: { experiment: "checkerboard", decided: 0, mend: 0 },
    stages: [[{ metric: "proof", is: ">=", value: 100 }]],
  },
];

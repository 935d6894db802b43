// The challenges of the cube lab.

import type { Challenge } from "../../core/challenge";

export const challenges: Challenge[] = [
  {
    title: "Solve nine states of ten",
    hint: "Watch the bars grow from the left: near states are learned first.",
    settings: { puzzle: "2x2x2" },
    stages: [[{ metric: "solved", is: ">=", value: 90 }]],
  },
  {
    title: "Solve all but one of a hundred",
    hint: "A larger network, or more training after the goal.",
    settings: { puzzle: "2x2x2" },
    stages: [[{ metric: "solved", is: ">=", value: 99 }]],
  },
  {
    title: "Solve half of the states with a small network",
    hint: "Both hidden layers have 32 neurons.",
    settings: { puzzle: "2x2x2", hidden_1: 32, hidden_2: 32 },
    stages: [[{ metric: "solved", is: ">=", value: 50 }]],
  },
  {
    title: "Solve a third of the states without symmetry",
    hint: "Without symmetry the network must learn every state for itself.",
    settings: { puzzle: "2x2x2", symmetry: false },
    stages: [[{ metric: "solved", is: ">=", value: 33 }]],
  },
  {
    title: "Learn by playing: deep Q-learning",
    hint: "Choose the preset. Its metric counts all states within five turns.",
    settings: { puzzle: "2x2x2", learner: "dqn", judge_within: 5 },
    preset: "dqn",
    stages: [[{ metric: "solved", is: ">=", value: 90 }]],
  },
];

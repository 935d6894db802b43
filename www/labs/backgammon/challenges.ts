// The challenges of the backgammon lab.

import type { Challenge } from "../../core/challenge";

export const challenges: Challenge[] = [
  {
    title: "Beat pubeval",
    hint: "pubeval is a known program that others are measured against. Just let the agent play against itself.",
    settings: {},
    stages: [[{ metric: "points", is: ">=", value: 0.05 }]],
  },
  {
    title: "Half a point per game",
    hint: "Patience, or a larger network.",
    settings: {},
    stages: [[{ metric: "points", is: ">=", value: 0.5 }]],
  },
  {
    title: "Beat pubeval with a tiny network",
    hint: "Eight hidden units, where the usual network has 160.",
    settings: { hidden: 8 },
    stages: [[{ metric: "points", is: ">=", value: 0.05 }]],
  },
  {
    title: "Learn from the next turn only",
    hint: "With lambda 0 the target of a position is the estimate one turn later, never the outcome of the game.",
    settings: { lambda: 0 },
    stages: [[{ metric: "points", is: ">=", value: 0.05 }]],
  },
  {
    title: "Learn from outcomes only",
    hint: "With lambda 1 the target is the outcome of the game: exact, but it varies a lot.",
    settings: { lambda: 1 },
    stages: [[{ metric: "points", is: ">=", value: 0.05 }]],
  },
];

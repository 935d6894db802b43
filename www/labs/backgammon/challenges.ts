// The challenges of the backgammon lab.

import type { Challenge } from "../../core/challenge";

export const challenges: Challenge[] = [
  {
    title: "Beat pubeval, by however little",
    hint: "pubeval is a program from 1993 that others are measured against. Just let the agent play against itself.",
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
    hint: "With lambda 0 it learns from its own estimate one turn later, never from the result of a game.",
    settings: { lambda: 0 },
    stages: [[{ metric: "points", is: ">=", value: 0.05 }]],
  },
  {
    title: "Learn from results only",
    hint: "With lambda 1 it learns from the result of a game: exact, but it varies a lot.",
    settings: { lambda: 1 },
    stages: [[{ metric: "points", is: ">=", value: 0.05 }]],
  },
];

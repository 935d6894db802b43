// The challenges of the backgammon lab.

import type { Challenge } from "../../core/challenge";

/** The points a game against pubeval from which on an agent counts as better: little more than none. */
const BETTER = 0.05;

export const challenges: Challenge[] = [
  {
    title: "Better than pubeval on average",
    hint: "pubeval is a program from 1993 that others are measured against. Just let the agent play against itself.",
    settings: {},
    stages: [[{ metric: "points", is: ">=", value: BETTER }]],
  },
  {
    title: "Half a point a game",
    hint: "Patience, or a larger network.",
    settings: {},
    stages: [[{ metric: "points", is: ">=", value: 0.5 }]],
  },
  {
    title: "Better than pubeval, with a tiny network",
    hint: "Eight hidden units, where the usual network has 160.",
    settings: { hidden: 8 },
    stages: [[{ metric: "points", is: ">=", value: BETTER }]],
  },
  {
    title: "Learn from the next turn only",
    hint: "With lambda 0 it learns from its own estimate one turn later, never from the result of a game.",
    settings: { lambda: 0 },
    stages: [[{ metric: "points", is: ">=", value: BETTER }]],
  },
  {
    title: "Learn from results only",
    hint: "With lambda 1 it learns from the result of a game: without the error of its own estimates, but with all the luck of the dice.",
    settings: { lambda: 1 },
    stages: [[{ metric: "points", is: ">=", value: BETTER }]],
  },
];

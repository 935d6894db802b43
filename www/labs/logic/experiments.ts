// The experiments that a visitor can choose, with their texts and small pictures. In each of them a cellular automaton
// learns to behave in a certain way, for example to grow a figure.

import type { LogicExperiment } from "../../generated/protocol";

export interface ExperimentChoice {
  experiment: LogicExperiment;
  name: string;
  task: string;
  /** What the learner makes of the grid, for the sentence "Go on to …". */
  outcome: string;
  /** The small picture as rows of pixels: `#` is strong, `o` is weak, `.` is empty. */
  picture: readonly string[];
  /** What a visitor can do with the grids. */
  hint: string;
}

export const EXPERIMENTS: Record<LogicExperiment, ExperimentChoice> = {
  life: {
    experiment: "life",
    name: "Life",
    task: "learn its rule",
    outcome: "the game of life",
    hint: "Draw live cells and watch how they develop",
    picture: ["......", "..#...", "...#..", ".###..", "......", "......"],
  },
  checkerboard: {
    experiment: "checkerboard",
    name: "Checker\u00adboard",
    task: "from random cells",
    outcome: "a checkerboard",
    hint: "Drag to damage the grid, and watch it repair itself",
    picture: ["oo##oo", "oo##oo", "##oo##", "##oo##", "oo##oo", "oo##oo"],
  },
  async: {
    experiment: "async",
    name: "Async",
    task: "cells without a clock",
    outcome: "a checkerboard with asynchronous cells",
    hint: "Drag to damage the grid, and watch it repair itself",
    picture: ["o.##.o", "oo.#oo", "#.oo##", "##o.#.", ".o##oo", "oo#.oo"],
  },
  figure: {
    experiment: "figure",
    name: "Figure",
    task: "from a single cell",
    outcome: "a figure",
    hint: "Drag to damage the grid, or draw another target",
    picture: ["..##..", "#.##.#", ".####.", "..##..", ".####.", "#.##.#"],
  },
  letter: {
    experiment: "letter",
    name: "Letter",
    task: "from an empty grid",
    outcome: "a coloured letter",
    hint: "Drag to damage the grid, or draw another target",
    picture: [".o....", ".o....", ".o....", ".o....", ".####.", "......"],
  },
};

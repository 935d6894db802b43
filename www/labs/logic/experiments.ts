// The experiments that a visitor can choose, with their texts and small pictures. In each of them a cellular automaton
// learns to behave in a certain way, for example to grow a figure.

import type { LogicExperiment } from "../../generated/protocol";

export interface ExperimentChoice {
  experiment: LogicExperiment;
  name: string;
  task: string;
  /** What the learner makes of the grid, for the suggestion of the next task. */
  outcome: string;
  /** The small picture as rows of pixels: `#` is strong, `o` is weak, `.` is empty. */
  picture: readonly string[];
  /** What a visitor can do with the grids once no cell is wrong with hard gates. */
  invitation: string;
  /**
   * Whether hard gates repair damage once they make no mistake; measured in EXPERIMENTS.md of the lab's crate.
   */
  heals: boolean;
}

export const EXPERIMENTS: Record<LogicExperiment, ExperimentChoice> = {
  life: {
    experiment: "life",
    name: "Life",
    task: "learn its rule",
    outcome: "the game of life",
    invitation: "Every cell follows the rule now. Draw live cells and watch how they develop.",
    heals: false,
    picture: ["......", "..#...", "...#..", ".###..", "......", "......"],
  },
  checkerboard: {
    experiment: "checkerboard",
    name: "Checker\u00adboard",
    task: "from random cells",
    outcome: "a checkerboard",
    invitation: "Drag over a grid to damage it, and watch it repair itself.",
    heals: true,
    picture: ["oo##oo", "oo##oo", "##oo##", "##oo##", "oo##oo", "oo##oo"],
  },
  async: {
    experiment: "async",
    name: "Async",
    task: "no common clock",
    outcome: "a checkerboard without a common clock",
    invitation: "Drag over a grid to damage it, and watch it repair itself.",
    heals: true,
    picture: ["o.##.o", "oo.#oo", "#.oo##", "##o.#.", ".o##oo", "oo#.oo"],
  },
  figure: {
    experiment: "figure",
    name: "Figure",
    task: "from a single cell",
    outcome: "a figure",
    invitation:
      "It grows the picture without a mistake, but was not trained to repair damage. Draw another target for it.",
    heals: false,
    picture: ["..##..", "#.##.#", ".####.", "..##..", ".####.", "#.##.#"],
  },
  letter: {
    experiment: "letter",
    name: "Letter",
    task: "from an empty grid",
    outcome: "a coloured letter",
    invitation:
      "It grows the picture without a mistake, but was not trained to repair damage. Draw another target for it.",
    heals: false,
    picture: [".o....", ".o....", ".o....", ".o....", ".####.", "......"],
  },
};

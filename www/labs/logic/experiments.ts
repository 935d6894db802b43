// The experiments as they are offered: name, task, and a sign of pixels.

import type { LogicExperiment } from "../../generated/protocol";

export interface ExperimentChoice {
  experiment: LogicExperiment;
  name: string;
  task: string;
  /** What grows on the grid. */
  grows: string;
  /** Rows of pixels: `#` is strong, `o` is weak. */
  sign: readonly string[];
  /** What a visitor can do with the grids. */
  hint: string;
}

export const EXPERIMENTS: Record<LogicExperiment, ExperimentChoice> = {
  life: {
    experiment: "life",
    name: "Life",
    task: "learn a rule",
    grows: "the game of life",
    hint: "Draw cells that live",
    sign: ["......", "..#...", "...#..", ".###..", "......", "......"],
  },
  checkerboard: {
    experiment: "checkerboard",
    name: "Board",
    task: "order from noise",
    grows: "a checkerboard",
    hint: "Drag to wound it and watch it heal",
    sign: ["oo##oo", "oo##oo", "##oo##", "##oo##", "oo##oo", "oo##oo"],
  },
  async: {
    experiment: "async",
    name: "Async",
    task: "no common clock",
    grows: "a checkerboard without a common clock",
    hint: "Drag to wound it and watch it heal",
    sign: ["o.##.o", "oo.#oo", "#.oo##", "##o.#.", ".o##oo", "oo#.oo"],
  },
  figure: {
    experiment: "figure",
    name: "Figure",
    task: "out of one cell",
    grows: "a figure",
    hint: "Drag to wound it, or draw another target",
    sign: ["..##..", "#.##.#", ".####.", "..##..", ".####.", "#.##.#"],
  },
  letter: {
    experiment: "letter",
    name: "Letter",
    task: "colours, from nothing",
    grows: "a coloured letter",
    hint: "Drag to wound it, or draw another target",
    sign: [".o....", ".o....", ".o....", ".o....", ".####.", "......"],
  },
};

// What the screen says of the goal and of the picture, for the experiment of the open run.

import type { LogicExperiment } from "../../generated/protocol";
import type { AboutWords } from "../../ui/lab-view";
import { formatCount } from "../../core/format";

/** What the cells have to do, in the tests of the lab's crate (crates/labs/logic/src/proof). */
const TASKS: Record<LogicExperiment, string> = {
  life: "follow the rule of the game of life in all 512 neighbourhoods",
  checkerboard: "make a checkerboard from random cells, also on a larger grid than they are trained on",
  async:
    "make a checkerboard from random cells, also on a larger grid than they are trained on, and repair it after damage",
  figure: "grow the figure from a single cell",
  letter: "grow the coloured letter from an empty grid",
};

/** `tests` is how many tests in a row the goal asks for. */
export function aboutWords(experiment: LogicExperiment, tests: number): AboutWords {
  const task = TASKS[experiment];
  const grids = "The same grid twice, with soft gates and with hard gates. One square is one cell";
  return {
    goal: `The cells have to ${task}. The goal: no wrong cell with hard gates, in ${formatCount(tests, "test")} in a row.${experiment === "life" ? "" : " A target that you draw takes the place of this target."}`,
    picture:
      experiment === "life"
        ? `${grids}. Draw live cells, enlarge the grid, and inspect the circuit of one cell.`
        : `${grids}; a dot marks one that differs from the target. Damage it, enlarge it, draw a target of your own, and inspect the circuit of one cell.`,
  };
}

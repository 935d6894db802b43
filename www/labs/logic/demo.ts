// The demonstration on the stages of compared runs: the grids run to the step that training compares with the target,
// rest, and begin again.

import type { StageDemo } from "../../ui/stage-demo";

const STEPS_PER_SECOND = 12;
/** How long the outcome is shown. */
const REST_SECONDS = 2;
/** The game of life has no target; this many steps of it are shown. */
const LIFE_STEPS = 200;

export function stageDemo(): StageDemo<"logic"> {
  let begun = false;
  let rest = 0;
  return ({ stage }, seconds) => {
    if (!begun) {
      begun = true;
      return [
        { type: "pace", rate: STEPS_PER_SECOND },
        { type: "play", playing: true },
      ];
    }
    const last = stage.target.length > 0 ? stage.steps : LIFE_STEPS;
    rest = stage.step < last ? 0 : rest + seconds;
    if (rest < REST_SECONDS) return [];
    rest = 0;
    return [{ type: "restart" }];
  };
}

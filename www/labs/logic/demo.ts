// The demonstration on the stages of compared runs: the grids run to the step that training compares with the target,
// rest, and begin again.

import type { StageDemo } from "../../ui/stage-demo";

/** The pace of the grids. */
const STEPS_PER_SECOND = 12;
/** How long the outcome is shown. */
const REST_SECONDS = 2;
/** The game of life has no target; this many steps of it are shown. */
const LIFE_STEPS = 200;

export function stageDemo(): StageDemo<"logic"> {
  let hasBegun = false;
  let restedSeconds = 0;
  return ({ stage }, seconds) => {
    if (!hasBegun) {
      hasBegun = true;
      return [
        { type: "pace", rate: STEPS_PER_SECOND },
        { type: "play", playing: true },
      ];
    }
    const lastStep = stage.target.length > 0 ? stage.steps : LIFE_STEPS;
    restedSeconds = stage.step < lastStep ? 0 : restedSeconds + seconds;
    if (restedSeconds < REST_SECONDS) return [];
    restedSeconds = 0;
    return [{ type: "restart" }];
  };
}

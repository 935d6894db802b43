// The demonstration on the stages of compared runs: the agents play at a pace at which one can follow.

import type { StageDemo } from "../../ui/stage-demo";

/** The seconds of a turn. */
const TURN_SECONDS = 1;

/** Sends one command, with the first view: the stage then plays by itself. */
export function stageDemo(): StageDemo<"backgammon"> {
  let begun = false;
  return () => {
    if (begun) return [];
    begun = true;
    return [{ type: "tempo", seconds: TURN_SECONDS }];
  };
}

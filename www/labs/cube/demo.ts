// The demonstration on the stages of compared runs: the cube is scrambled, and the agent tries to solve it. The 2x2x2
// is solved turn by turn, the 3x3x3 by a search whose solution is then played.

import type { CubeCommand, CubeLargeStage, CubeStage } from "../../generated/protocol";
import type { StageDemo } from "../../ui/stage-demo";

/**
 * The distance of a scramble from solved, in turns; how many turns the agent may make; and the pauses after a scramble
 * and after an attempt, in seconds.
 */
const SMALL_DEMO = { distance: 6, turns: 14, afterScramble: 1, afterAttempt: 1.6 };
/** The same for the 3x3x3, and the time between two turns of the solution. */
const LARGE_DEMO = { scramble: 6, betweenTurns: 0.4, afterScramble: 1, afterAttempt: 1.6 };

export function stageDemo(): StageDemo<"cube"> {
  const [small, large] = [smallCube(), largeCube()];
  return (view, seconds) => (view.puzzle === "2x2x2" ? small(view.stage, seconds) : large(view.stage, seconds));
}

function smallCube(): (stage: CubeStage, seconds: number) => CubeCommand[] {
  /** Seconds since the cube came to rest, or since the last command. */
  let rest = 0;
  return (stage, seconds) => {
    if (stage.attempt === "solving") {
      rest = 0;
      return stage.made.length < SMALL_DEMO.turns ? [] : [{ type: "stop" }];
    }
    rest += seconds;
    // An attempt that was stopped is idle again, with the turns that were made.
    const scrambled = stage.attempt === "idle" && stage.distance > 0 && stage.made.length === 0;
    if (rest < (scrambled ? SMALL_DEMO.afterScramble : SMALL_DEMO.afterAttempt)) return [];
    rest = 0;
    return [scrambled ? { type: "solve" } : { type: "away", turns: SMALL_DEMO.distance }];
  };
}

function largeCube(): (stage: CubeLargeStage, seconds: number) => CubeCommand[] {
  /** Seconds since the last command. */
  let rest = 0;
  return ({ solution, solutionMade, searching, searches, beamStates, isSolved }, seconds) => {
    rest += seconds;
    /** The command, once the stage has rested for this long. */
    const after = (seconds: number, command: CubeCommand): CubeCommand[] => {
      if (rest < seconds) return [];
      rest = 0;
      return [command];
    };
    const next = solution[solutionMade];
    if (next !== undefined) return after(LARGE_DEMO.betweenTurns, { type: "turn", turns: next });
    // The first search shows what the agent can do; wider and wider ones would take long.
    if (searching) return searches === 0 ? [] : [{ type: "stop" }];
    const scrambled = !isSolved && searches === 0 && beamStates.length === 0;
    if (scrambled) return after(LARGE_DEMO.afterScramble, { type: "solve" });
    return after(LARGE_DEMO.afterAttempt, { type: "scramble", turns: LARGE_DEMO.scramble });
  };
}

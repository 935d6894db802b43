// Demonstrations on the stages of compared runs, which nobody else touches: commands to the lab that let the agent show
// again and again what it can do by now. All runs get the same commands, so that they can be compared.

import type { AnyView } from "../../core/run";
import type { CubeCommand, CubeLargeStage, CubeStage, LabTypes } from "../../generated/protocol";

/** The next commands, for a view that was drawn `seconds` after the one before. */
type StageDemo<Id extends keyof LabTypes> = (view: LabTypes[Id]["view"], seconds: number) => LabTypes[Id]["command"][];

/** The demonstration on any lab's stage. */
export type AnyStageDemo = (view: AnyView, seconds: number) => LabTypes[keyof LabTypes]["command"][];

/** Turns from the solved cube to a scramble, how many the agent may make, and pauses in seconds. */
const CUBE = { distance: 6, turns: 14, afterScramble: 1, afterAttempt: 1.6 };
/** The same for the 3×3×3, which is solved by a search, and the time between two turns of the solution. */
const LARGE_CUBE = { scramble: 6, betweenTurns: 0.4, afterScramble: 1, afterAttempt: 1.6 };
/** Steps per second of the logic lab's grids, how long their outcome is shown, and the steps of the game of life. */
const LOGIC = { rate: 12, afterOutcome: 2, lifeSteps: 200 };
/** The seconds of a turn of backgammon. */
const BACKGAMMON_TEMPO = 1;

const DEMOS: { [Id in keyof LabTypes]: () => StageDemo<Id> } = {
  // These stages go on by themselves.
  control: () => () => [],
  language: () => () => [],
  backgammon: () => once([{ type: "tempo", seconds: BACKGAMMON_TEMPO }], () => []),
  cube: () => {
    const [small, large] = [smallCube(), largeCube()];
    return (view, seconds) => (view.puzzle === "2x2x2" ? small(view.stage, seconds) : large(view.stage, seconds));
  },
  logic: () => {
    let rest = 0;
    return once(
      [
        { type: "pace", rate: LOGIC.rate },
        { type: "play", playing: true },
      ],
      ({ stage }, seconds) => {
        const last = stage.target.length > 0 ? stage.steps : LOGIC.lifeSteps;
        rest = stage.step < last ? 0 : rest + seconds;
        if (rest < LOGIC.afterOutcome) return [];
        rest = 0;
        return [{ type: "restart" }];
      },
    );
  },
};

function smallCube(): (stage: CubeStage, seconds: number) => CubeCommand[] {
  let rest = 0;
  return (stage, seconds) => {
    if (stage.attempt === "solving") {
      rest = 0;
      return stage.made.length < CUBE.turns ? [] : [{ type: "stop" }];
    }
    rest += seconds;
    // An attempt that was stopped is idle again, with the turns that were made.
    const scrambled = stage.attempt === "idle" && stage.distance > 0 && stage.made.length === 0;
    if (rest < (scrambled ? CUBE.afterScramble : CUBE.afterAttempt)) return [];
    rest = 0;
    return [scrambled ? { type: "solve" } : { type: "away", turns: CUBE.distance }];
  };
}

function largeCube(): (stage: CubeLargeStage, seconds: number) => CubeCommand[] {
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
    if (next !== undefined) return after(LARGE_CUBE.betweenTurns, { type: "turn", turns: next });
    // The first search shows what the agent can do; wider and wider ones would take long.
    if (searching) return searches === 0 ? [] : [{ type: "stop" }];
    const scrambled = !isSolved && searches === 0 && beamStates.length === 0;
    if (scrambled) return after(LARGE_CUBE.afterScramble, { type: "solve" });
    return after(LARGE_CUBE.afterAttempt, { type: "scramble", turns: LARGE_CUBE.scramble });
  };
}

/** Gives some commands first. */
function once<Id extends keyof LabTypes>(first: LabTypes[Id]["command"][], then: StageDemo<Id>): StageDemo<Id> {
  let begun = false;
  return (view, seconds) => {
    const commands = begun ? then(view, seconds) : first;
    begun = true;
    return commands;
  };
}

/** The demonstration on the stage of this lab. */
export function stageDemo(lab: string): AnyStageDemo {
  const demo = (DEMOS as Partial<Record<string, () => unknown>>)[lab];
  // A run sends only views of its own lab, which the types cannot express.
  return (demo?.() ?? (() => [])) as AnyStageDemo;
}

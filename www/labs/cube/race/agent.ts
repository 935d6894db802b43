// The agent's side of a race: its attempt at a cube, on the stage of a copy of the open run.

import type { StageCopy } from "../../../core/compare/stage-copy";
import type { CubeMetric, CubeSmallView, CubeView } from "../../../generated/protocol";
import { MAX_AGENT_TURNS, type Result } from "./rules";

/** Each view lets the agent make its next turn, or two; more views than this mean that it does not turn. */
const MAX_VIEWS = 4 * MAX_AGENT_TURNS;
/** Seconds for which a view animates the stage: longer than the agent waits before a turn. */
const VIEW_SECONDS = 1;

/** The agent's attempt. */
export interface Attempt extends Result {
  /** The names of its turns, in the lab's orientation of the cube. */
  moves: string[];
  /** The length of the shortest solution. */
  shortest: number;
}

async function smallView(copy: StageCopy, seconds: number): Promise<CubeSmallView> {
  const view = (await copy.view(seconds)) as CubeView;
  if (view.puzzle !== "2x2x2") throw new Error("the run has another cube");
  return view;
}

/** What counts as one turn in the run. */
export async function metricOf(copy: StageCopy): Promise<CubeMetric> {
  return (await smallView(copy, 0)).metric;
}

/** Lets the agent attempt a cube. */
export async function attempt(copy: StageCopy, stickers: string): Promise<Attempt> {
  copy.command({ type: "place", stickers });
  const { stage: placed } = await smallView(copy, 0);
  copy.command({ type: "solve" });
  let { stage } = await smallView(copy, 0);
  for (let views = 0; views < MAX_VIEWS && stage.attempt === "solving" && stage.made.length < MAX_AGENT_TURNS; views++)
    ({ stage } = await smallView(copy, VIEW_SECONDS));
  const { made: moves } = stage;
  return { moves, turns: moves.length, solved: stage.attempt === "solved", shortest: placed.distance };
}

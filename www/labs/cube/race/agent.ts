// The agent's side of a race: its attempt at a cube, on the stage of a copy of the open run. It solves the 2×2×2 turn
// by turn, and the 3×3×3 by a search, which a duel uses too (../duel.ts).

import type { StageCopy } from "../../../core/compare/stage-copy";
import type { CubeMetric, CubeSmallView, CubeView } from "../../../generated/protocol";
import { MAX_AGENT_TURNS, type Length, type Result } from "./rules";

/** Each view lets the agent make its next turn, or two; more views than this mean that it does not turn. */
const MAX_VIEWS = 4 * MAX_AGENT_TURNS;
/** Seconds for which a view animates the stage: longer than the agent waits before a turn. */
const VIEW_SECONDS = 1;
/** Views for which a search goes on. In each it goes on until 4,096 states or a few more have been expanded. */
const SEARCH_VIEWS = 6;
/** Seconds for which such a view animates the stage. */
const SEARCH_SECONDS = 0.25;

/** The agent's attempt. */
export interface Attempt extends Result {
  /** The names of its turns, in the lab's orientation of the cube. */
  moves: string[];
  /** The length of the shortest solution; null if nobody knows it. */
  shortest: Length | null;
}

/** A stage that can be asked. */
type Stage = Pick<StageCopy, "command" | "view">;

async function smallView(copy: Stage, seconds: number): Promise<CubeSmallView> {
  const view = (await copy.view(seconds)) as CubeView;
  if (view.puzzle !== "2x2x2") throw new Error("the run has another cube");
  return view;
}

/** What counts as one turn in the run. */
export async function metricOf(copy: Stage): Promise<CubeMetric> {
  return ((await copy.view(0)) as CubeView).metric;
}

/** Lets the agent attempt a 2×2×2. */
export async function attempt(copy: Stage, stickers: string): Promise<Attempt> {
  copy.command({ type: "place", stickers });
  const { stage: placed } = await smallView(copy, 0);
  copy.command({ type: "solve" });
  let { stage } = await smallView(copy, 0);
  for (let views = 0; views < MAX_VIEWS && stage.attempt === "solving" && stage.made.length < MAX_AGENT_TURNS; views++)
    ({ stage } = await smallView(copy, VIEW_SECONDS));
  const { made: moves } = stage;
  return {
    moves,
    turns: moves.length,
    solved: stage.attempt === "solved",
    shortest: { turns: placed.distance, isShortest: true },
  };
}

/** The turns of the shortest solution of a 3×3×3 that the agent's search has found; none if it found none. */
export async function searched(stage: Stage, stickers: string): Promise<string[]> {
  stage.command({ type: "place", stickers });
  stage.command({ type: "solve" });
  let found: string[] = [];
  for (let views = 0; views < SEARCH_VIEWS; views++) {
    const view = (await stage.view(SEARCH_SECONDS)) as CubeView;
    if (view.puzzle !== "3x3x3") throw new Error("the run has another cube");
    found = view.stage.solution;
    if (!view.stage.searching) break;
  }
  stage.command({ type: "stop" });
  return found;
}

/** Lets the agent attempt a 3×3×3. */
export async function attemptLarge(copy: Stage, stickers: string): Promise<Attempt> {
  const moves = await searched(copy, stickers);
  return { moves, turns: moves.length, solved: moves.length > 0, searches: true, shortest: null };
}

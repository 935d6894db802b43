// Duels of the cube: the same scrambles for both. The 2x2x2 is solved greedily, turn by turn; the 3x3x3 by a search for
// the same number of views (race/agent.ts). In each view it goes on until 4,096 states or a few more have been
// expanded.

import { playTasks, DUEL_SEED, type LabDuel } from "../../core/duel/duel";
import { randomFrom } from "../../core/duel/random";
import type { DuelStage } from "../../core/duel/stage";
import type { CubeMetric, CubeView } from "../../generated/protocol";
import { searched } from "./race/agent";
import { MAX_AGENT_TURNS, HALF_TURNS, scrambled } from "./race/rules";

/** Scrambles of the 2x2x2 have 1 to `MAX_SMALL` turns, in turn; those of the 3x3x3 have 1 to `MAX_LARGE`. */
const [SMALL_SCRAMBLES, MAX_SMALL] = [56, 14];
const [LARGE_SCRAMBLES, MAX_LARGE] = [24, 12];
/** More views than this mean that the agent does not turn. */
const MAX_VIEWS = 4 * MAX_AGENT_TURNS;
/** The worker animates the stage for this long at most. */
const VIEW_SECONDS = 0.25;

/** The stickers of the scrambles, the same in every duel. */
function scramblesOf(puzzle: string, metric: CubeMetric): string[] {
  const random = randomFrom(DUEL_SEED);
  const isLarge = puzzle === "3x3x3";
  const [count, most] = isLarge ? [LARGE_SCRAMBLES, MAX_LARGE] : [SMALL_SCRAMBLES, MAX_SMALL];
  return Array.from({ length: count }, (_, i) => scrambled(1 + (i % most), metric, random, isLarge ? 3 : 2));
}

const viewOf = async (stage: DuelStage, seconds: number) => (await stage.view(seconds)) as CubeView;

/** The turns in which an agent solves the 2x2x2; `MAX_AGENT_TURNS` if it does not. */
async function solveSmall(stage: DuelStage, stickers: string): Promise<number> {
  stage.command({ type: "place", stickers });
  stage.command({ type: "solve" });
  for (let views = 0; views < MAX_VIEWS; views++) {
    const view = await viewOf(stage, VIEW_SECONDS);
    if (view.puzzle !== "2x2x2") throw new Error("the run has another cube");
    const { attempt, made } = view.stage;
    if (attempt === "solved") return Math.min(made.length, MAX_AGENT_TURNS);
    if (attempt !== "solving" || made.length >= MAX_AGENT_TURNS) break;
  }
  return MAX_AGENT_TURNS;
}

/** The turns of the shortest solution of a 3x3x3 that the search has found; `MAX_AGENT_TURNS` if it found none. */
async function searchLarge(stage: DuelStage, stickers: string): Promise<number> {
  const { length } = await searched(stage, stickers);
  return length > 0 ? Math.min(length, MAX_AGENT_TURNS) : MAX_AGENT_TURNS;
}

export const duel: LabDuel = {
  plan: ([first, second]) => {
    const [puzzle, metric] = [first.settings["puzzle"] as string, first.settings["metric"] as CubeMetric];
    if (puzzle !== second.settings["puzzle"])
      return "One agent solves the 2×2×2 and the other one the 3×3×3. Choose two agents of the same cube.";
    if (metric !== second.settings["metric"])
      return "For one agent a half turn counts as one turn, for the other as two. Choose two agents that count turns alike.";
    const isLarge = puzzle === "3x3x3";
    const scrambles = scramblesOf(puzzle, metric);
    const how = isLarge
      ? "Both search about the same number of positions, some 25,000"
      : "Both solve them turn by turn, without a search";
    return {
      rule: `Both get the same ${scrambles.length} scrambles, of 1 to ${isLarge ? MAX_LARGE : MAX_SMALL} turns. ${how}. Whoever needs fewer turns is better; not solved counts as ${MAX_AGENT_TURNS}. ${HALF_TURNS[metric]}`,
      unit: "turns",
      digits: 1,
      lead: (number) => `${number} turns fewer`,
      counts: "scrambles",
      play: (pair, progress, signal) =>
        playTasks(
          pair,
          {
            count: scrambles.length,
            better: -1,
            play: (stage, task) => (isLarge ? searchLarge : solveSmall)(stage, scrambles[task] as string),
          },
          progress,
          signal,
        ),
    };
  },
};

// Duels of control: the same start states for both, one greedy episode from each.

import { playTasks, type LabDuel, type Pair } from "../../core/duel/duel";
import type { DuelStage } from "../../core/duel/stage";
import type { ControlStage, ControlView, World } from "../../generated/protocol";

const EPISODES = 50;
/** The longest time for which the worker animates the stage at once. */
const VIEW_SECONDS = 0.25;
/** An episode in a world of the visitor's own that sets no limit ends after this many steps. */
const MAX_OWN_STEPS = 1000;
/** A stage that does not step within so many views stands still. */
const MAX_IDLE_VIEWS = 50;

interface Scoring {
  /** What counts, in a sentence. */
  rule: string;
  unit: string;
  better: 1 | -1;
  digits: number;
  /** The most steps of an episode. */
  limit: number;
  /** Seconds of a step on the stage. */
  seconds: number;
  result: (steps: number, score: number) => number;
}

/** A world in which steps are counted until the goal is reached; an episode that does not reach it has all steps. */
const stepsTo = (goal: string, limit: number, seconds: number): Scoring => ({
  rule: `Whoever ${goal} in fewer steps is better; not within ${limit} steps counts as ${limit}.`,
  unit: "steps",
  better: -1,
  digits: 1,
  limit,
  seconds,
  result: (steps) => steps,
});

const SCORING: Record<World, Scoring> = {
  cartpole: {
    rule: "Whoever keeps the pole up for more steps is better; an episode has 500 at most.",
    unit: "steps",
    better: 1,
    digits: 1,
    limit: 500,
    seconds: 0.02,
    result: (steps) => steps,
  },
  mountaincar: stepsTo("gets to the flag", 200, 1 / 30),
  acrobot: stepsTo("swings the tip above the line", 500, 1 / 15),
  pendulum: {
    rule: "Each of 200 steps costs points, fewer the closer the pendulum is to standing upright and at rest. Whoever loses fewer points is better.",
    unit: "lost points",
    better: -1,
    digits: 1,
    limit: 200,
    seconds: 0.05,
    result: (_, score) => -score,
  },
  own: {
    rule: `Whoever collects more reward in an episode is better; it has ${MAX_OWN_STEPS} steps at most.`,
    unit: "points",
    better: 1,
    digits: 2,
    limit: MAX_OWN_STEPS,
    seconds: VIEW_SECONDS,
    result: (_, score) => score,
  },
};

const stageOf = async (stage: DuelStage, seconds: number): Promise<ControlStage> =>
  ((await stage.view(seconds)) as ControlView).stage;

/** Plays the first episode of the stage, which is greedy. */
async function episode(stage: DuelStage, { limit, seconds, result }: Scoring): Promise<number> {
  const first = await stageOf(stage, 0);
  let last = first;
  // Near the limit it goes step by step, so that the score is the one at the limit.
  const nearLimit = limit - Math.ceil(VIEW_SECONDS / seconds) - 1;
  for (let idle = 0; !last.over && last.steps < limit && idle < MAX_IDLE_VIEWS;) {
    const next = await stageOf(stage, last.steps < nearLimit ? VIEW_SECONDS : Math.min(seconds, VIEW_SECONDS));
    // A world with a goal begins anew at its limit.
    if (next.episode !== first.episode) return result(limit, last.score - (limit - last.steps));
    idle = next.steps > last.steps ? 0 : idle + 1;
    last = next;
  }
  return result(Math.min(last.steps, limit), last.score);
}

/** What decides whether two worlds of a visitor's own are the same: the text and its parameters. */
const worldOf = ({ data }: Pair[number]): string => {
  const { text, parameters } = (data ?? {}) as { text?: unknown; parameters?: unknown };
  return JSON.stringify([text, parameters]);
};

export const duel: LabDuel = {
  plan: (pair) => {
    const [first, second] = pair.map(({ settings }) => settings["world"] as World) as [World, World];
    if (first !== second)
      return "These agents live in different worlds, so they have no start in common. Choose two agents of the same world.";
    if (first === "own" && worldOf(pair[0]) !== worldOf(pair[1]))
      return "These agents learned worlds with different rules. Choose two agents of the same world.";
    const scoring = SCORING[first];
    return {
      rule: `Both begin ${EPISODES} episodes in the same ${EPISODES} states, and always act as they think best. ${scoring.rule}`,
      unit: scoring.unit,
      digits: scoring.digits,
      lead: (number) => `${number} ${scoring.unit} ${scoring.better > 0 ? "more" : "fewer"}`,
      counts: "episodes",
      play: (both, progress, signal) =>
        playTasks(
          both,
          {
            count: EPISODES,
            better: scoring.better,
            // Each episode has a copy of its own, because its start follows from the seed.
            play: (stage, task) => stage.begin(task).then(() => episode(stage, scoring)),
          },
          progress,
          signal,
        ),
    };
  },
};

// Duels of control: the same start states for both, one greedy episode from each.

import { playTasks, type LabDuel } from "../../core/duel/duel";
import type { Entrant } from "../../core/duel/duelist";
import type { DuelStage } from "../../core/duel/stage";
import { formatInteger } from "../../core/format";
import type { ControlView, World } from "../../generated/protocol";

/** Episodes of a duel. */
const EPISODES = 50;
/** The longest time for which the worker animates the stage at once. */
const VIEW_SECONDS = 0.25;
/** An episode in a world of the visitor's own that sets no limit ends after this many steps. */
const MAX_OWN_STEPS = 1000;
/** The most steps of a world of the visitor's own in one view, in which a step lasts 1/240 second or longer. */
const MAX_VIEW_STEPS = 60;
/**
 * Near the limit of an episode, a view lasts a little less than a step: then it has one step at most, although times
 * are rounded.
 */
const SHORTER = 0.999;
/** A stage that makes no step within this many views stands still: its episode counts as ended. */
const MAX_IDLE_VIEWS = 50;

interface Scoring {
  /** What counts, in a sentence. */
  rule: (limit: number) => string;
  unit: string;
  /** The words for a lead of so many, where “3 steps fewer” would not do. */
  lead?: (number: string) => string;
  /** 1 if more is better, −1 if less. */
  better: 1 | -1;
  digits: number;
  /** The most steps of an episode, unless the world's text sets a limit. */
  limit: number;
  /** Seconds of a step on the stage; null if the world's text decides, which the page does not read. */
  seconds: number | null;
  result: (steps: number, score: number) => number;
}

/** A world in which steps are counted until the goal is reached; an episode that does not reach it has all steps. */
const stepsTo = (goal: string, limit: number, seconds: number): Scoring => ({
  rule: () => `Whoever ${goal} in fewer steps is better; not within ${limit} steps counts as ${limit}.`,
  unit: "steps",
  better: -1,
  digits: 1,
  limit,
  seconds,
  result: (steps) => steps,
});

/** What a duel counts, by the world. */
const SCORING: Record<World, Scoring> = {
  cartpole: {
    rule: () => "Whoever keeps the pole up for more steps is better; an episode has 500 at most.",
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
    rule: () =>
      "Each of 200 steps costs points, fewer the closer the pendulum is to standing upright and at rest. Whoever loses fewer points is better.",
    unit: "points lost",
    lead: (number) => `${number} points fewer lost`,
    better: -1,
    digits: 1,
    limit: 200,
    seconds: 0.05,
    result: (_, score) => -score,
  },
  own: {
    rule: (limit) =>
      `Whoever collects more reward in an episode is better; an episode has ${formatInteger(limit)} steps at most.`,
    unit: "points",
    better: 1,
    digits: 2,
    limit: MAX_OWN_STEPS,
    seconds: null,
    result: (_, score) => score,
  },
};

const viewOf = async (stage: Pick<DuelStage, "view">, seconds: number): Promise<ControlView> =>
  (await stage.view(seconds)) as ControlView;

/**
 * Plays the first episode of a stage, which is greedy, by asking for one view after another. Returns also the limit:
 * the most steps that the episode could have.
 *
 * The stage steps on as long as a view lasts, so only a view that ends at the limit has the score at the limit. If the
 * text of a world sets a limit, the stage stops there (`over`). Otherwise the page has to hit it: up to a view before
 * the limit by long views, then by views of one step at most.
 */
export async function episode(
  stage: Pick<DuelStage, "view">,
  world: World,
): Promise<{ result: number; limit: number }> {
  const scoring = SCORING[world];
  const { seconds } = scoring;
  const { stage: first, own } = await viewOf(stage, 0);
  const limit = own?.limit ?? scoring.limit;
  const stepsOfView = seconds === null ? MAX_VIEW_STEPS : Math.ceil(VIEW_SECONDS / seconds);
  const stageStops = typeof own?.limit === "number";
  const nearLimit = stageStops ? limit : limit - stepsOfView - 1;
  let last = first;
  let elapsed = 0;
  for (let idle = 0; !last.over && last.steps < limit && idle < MAX_IDLE_VIEWS;) {
    // If n steps were taken in t seconds, step n + 1 is not due yet, so a step lasts longer than t / (n + 1).
    const step = seconds ?? elapsed / (last.steps + 1);
    const duration = last.steps < nearLimit ? VIEW_SECONDS : SHORTER * step;
    const { stage: next } = await viewOf(stage, duration);
    elapsed += duration;
    // At the limit, the stage of MountainCar and of Acrobot begins the next episode without `over`. Their result is the
    // number of steps, so it does not matter that `last` lacks the last ones.
    if (next.episode !== first.episode) return { result: scoring.result(limit, last.score), limit };
    idle = next.steps > last.steps ? 0 : idle + 1;
    last = next;
  }
  return { result: scoring.result(Math.min(last.steps, limit), last.score), limit };
}

/** What decides whether two worlds of a visitor's own are the same: the text and its parameters. */
const worldOf = ({ data }: Entrant): string => {
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
    // A world of the visitor's own tells its limit when an episode begins.
    let { limit } = scoring;
    return {
      get rule() {
        return `Both begin ${EPISODES} episodes in the same ${EPISODES} states, and always act as they think best. ${scoring.rule(limit)}`;
      },
      unit: scoring.unit,
      digits: scoring.digits,
      lead: scoring.lead ?? ((number) => `${number} ${scoring.unit} ${scoring.better > 0 ? "more" : "fewer"}`),
      counts: "episodes",
      play: (both, progress, signal) =>
        playTasks(
          both,
          {
            count: EPISODES,
            better: scoring.better,
            // Each episode has a stage of its own, with a seed of its own, from which its start follows.
            seedOf: (task) => task,
            play: async (stage) => {
              const played = await episode(stage, first);
              ({ limit } = played);
              return played.result;
            },
          },
          progress,
          signal,
        ),
    };
  },
};

// Duels of logic: the same damage for both, and in the game of life the same boards. Only hard gates count, which is
// what a circuit would be built from.

import { DUEL_SEED, playTasks, type LabDuel, type Tasks } from "../../core/duel/duel";
import type { Entrant } from "../../core/duel/duelist";
import { randomFrom } from "../../core/duel/random";
import type { DuelStage } from "../../core/duel/stage";
import type { LogicExperiment, LogicStage, LogicView } from "../../generated/protocol";

/** Holes that are made in the picture, one at a time. */
const WOUNDS = 30;
/** Boards of the game of life, and the steps on each. */
const BOARDS = 20;
const GENERATIONS = 10;
/** The fraction of cells that live at the start of a board. */
const ALIVE = 0.4;
/** A wound's radius as fractions of the grid's width. */
const [LEAST_RADIUS, MOST_RADIUS] = [0.1, 0.25];
/** The radius of a brush that reaches the centre of one cell only. */
const ONE_CELL = 0.4;

const stageOf = async (stage: DuelStage): Promise<LogicStage> => ((await stage.view(0)) as LogicView).stage;

/** Lets the stage make so many steps. */
function steps(stage: DuelStage, count: number): void {
  for (let i = 0; i < count; i++) stage.command({ type: "step" });
}

/** A wound, with lengths as fractions of the grid's width. */
interface Wound {
  x: number;
  y: number;
  radius: number;
}

/**
 * Steps before and after the damage, as multiples of the steps of training. A picture is compared at the step at which
 * training compares it, because later it may decay; a checkerboard has to come to rest again.
 */
const [PICTURE, CHECKERBOARD, ASYNCHRONOUS] = [
  [0.5, 0.5],
  [1, 1],
  [2, 2],
] as const;
const PHASES: Record<Exclude<LogicExperiment, "life">, readonly [before: number, after: number]> = {
  figure: PICTURE,
  letter: PICTURE,
  checkerboard: CHECKERBOARD,
  async: ASYNCHRONOUS,
};

/** Damage to the picture. A result is how many cells are wrong with hard gates at the end. */
function wounds(experiment: Exclude<LogicExperiment, "life">): Tasks {
  const random = randomFrom(DUEL_SEED);
  const all: Wound[] = Array.from({ length: WOUNDS }, () => ({
    x: random(),
    y: random(),
    radius: LEAST_RADIUS + (MOST_RADIUS - LEAST_RADIUS) * random(),
  }));
  return {
    count: WOUNDS,
    better: -1,
    prepare: pause,
    play: async (stage, task) => {
      stage.command({ type: "restart" });
      const { width, steps: trained } = await stageOf(stage);
      const [before, after] = PHASES[experiment];
      const first = Math.floor(before * trained);
      const { x, y, radius } = all[task] as Wound;
      steps(stage, first);
      stage.command({ type: "wound", x: x * width, y: y * width, radius: radius * width });
      steps(stage, Math.round((before + after) * trained) - first);
      return (await stageOf(stage)).wrongHard;
    },
  };
}

/** Boards of the game of life. A result is how many cells were set against the rule, in all generations together. */
const boards: Tasks = {
  count: BOARDS,
  better: -1,
  prepare: pause,
  play: async (stage, task) => {
    const random = randomFrom(DUEL_SEED + task);
    stage.command({ type: "clear" });
    const { width, height } = await stageOf(stage);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        if (random() < ALIVE) stage.command({ type: "paint", x: x + 0.5, y: y + 0.5, radius: ONE_CELL, on: true });
    let wrong = 0;
    for (let i = 0; i < GENERATIONS; i++) {
      steps(stage, 1);
      wrong += (await stageOf(stage)).wrongHard;
    }
    return wrong;
  },
};

/** Lets the stage step only when it is told to. */
function pause(stage: DuelStage): Promise<void> {
  stage.command({ type: "play", playing: false });
  return Promise.resolve();
}

/** The picture that a run learned: the visitor's own, or that of its experiment. */
const pictureOf = ({ data }: Entrant): unknown => (data as { planes?: unknown } | null)?.planes || null;

export const duel: LabDuel = {
  plan: (pair) => {
    const [first, second] = pair.map(({ settings }) => settings["experiment"]) as [LogicExperiment, LogicExperiment];
    if (first !== second)
      return "These agents learned different experiments, so they cannot do the same task. Choose two of the same experiment.";
    if (pictureOf(pair[0]) !== pictureOf(pair[1]))
      return "These agents learned different pictures. Choose two agents of the same picture.";
    const isLife = first === "life";
    const tasks = isLife ? boards : wounds(first);
    return {
      rule: isLife
        ? `Both go on from the same ${BOARDS} boards for ${GENERATIONS} generations. Whoever makes fewer wrong cells is better.`
        : `${WOUNDS} times, both grow their picture, and ${PHASES[first] === PICTURE ? "half-way" : "then"} the same hole is made in it: the same cells are erased, in a circle. Whoever has fewer wrong cells in the end is better.`,
      unit: "wrong cells",
      digits: 1,
      lead: (number) => `${number} fewer wrong cells`,
      counts: isLife ? "boards" : "holes",
      play: (both, progress, signal) => playTasks(both, tasks, progress, signal),
    };
  },
};

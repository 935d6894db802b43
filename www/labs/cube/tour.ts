// The tour of the cube lab. With the 2×2×2: the cube, the estimates, speed, the solved states, and what a
// learning rate that is too high does. With the 3×3×3: the cube, the predictions, the search, its solution, and speed.

import type { Run } from "../../core/run";
import { isScramble } from "./scramble-commands";
import { measuredAfter, measuredText, type Measure } from "../../core/since-change";
import { breakCaptions, learningRateTexts } from "../../ui/tour-break";
import type { Caption, Captions, Waiting } from "../../ui/tour-caption";

/** From this percentage of solved states on, there is something to break. */
const LEARNED_PERCENT = 20;

/** What shows, with the 2×2×2, that a learning rate of 0.1 breaks learning, and from which change on. */
const BREAK_MEASURES: Measure[] = [
  {
    metric: "solved",
    words: "share of solved states",
    worse: "down",
    // Every state up to a distance is tested, so the share has no error of sampling. Measured with one seed
    // (docs/log/page.md): from 41% it fell to 0.0005% in the next test, five iterations later.
    fraction: 0.3,
    // What has hardly learned cannot be broken visibly.
    counts: (from) => from >= LEARNED_PERCENT,
  },
];

/** The stage of the 3×3×3 in a view. */
const largeStage = (view: Waiting<"cube">["view"]) => (view?.puzzle === "3x3x3" ? view.stage : null);
/** The turns of the agent's solution that have been made. */
const turnsMade = (view: Waiting<"cube">["view"]) => largeStage(view)?.solutionMade ?? 0;

/** Whether the visitor has turned a face, once or by half a turn. A scramble, also an automatic one, is none. */
const isTurned = ({ commands }: Waiting<"cube">) =>
  commands.some((command) => command.type === "turn" && !isScramble(command) && /^(\w\S*)( \1)?$/.test(command.turns));

const TURN: Pick<Caption<"cube">, "at" | "task" | "done" | "show"> = {
  at: [".cube-stage .cube-surface"],
  task: "Drag a face to turn it.",
  done: isTurned,
  show: () => [{ key: "u", on: ".cube-surface" }],
};

const SPEED: Caption<"cube"> = {
  at: [".dock .speed", ".dock"],
  text: "How fast it learns is up to you. The result is the same, only sooner.",
  task: "Make it faster: drag the speed to the right, or press “Max”.",
  when: ({ run }) => run.pace !== null,
  done: ({ run, paceBefore }) => run.pace === null || (paceBefore !== null && run.pace > paceBefore),
  show: () => [{ press: "Max", within: ".speeds" }],
};

const smallCaptions = (run: Run): Caption<"cube">[] => [
  {
    ...TURN,
    text: "This cube has 3,674,160 states. The agent has to find out how to solve it: nobody shows it.",
  },
  {
    at: [".turn-values"],
    text: "Its network judges every turn: the longer the bar, the better. The agent takes the best one.",
    task: "Make a turn that you choose: press its bar.",
    done: isTurned,
    show: () => [{ click: ".turn-value" }],
  },
  SPEED,
  {
    at: [".distances-figure"],
    text: "How much it has learned: the states of the cube, sorted by their distance from solved. Green ones it solves.",
    task: `Wait for a test in which it solves ${LEARNED_PERCENT}%.`,
    needsRun: true,
    reading: ({ run: { series } }) =>
      Number.isFinite(series.last("solved")) ? `Last test: ${measuredText(series, "solved")}` : "",
    done: ({ run, unitsBefore }) => Math.max(...measuredAfter(run.series, "solved", unitsBefore)) >= LEARNED_PERCENT,
    outcome: ({ run: { series }, before, unitsBefore }) => {
      const first = Number.isFinite(before("solved")) ? `; before: ${measuredText(series, "solved", unitsBefore)}` : "";
      return `Of the tested states it solves ${measuredText(series, "solved")}${first}.`;
    },
  },
  ...breakCaptions(run, {
    ...learningRateTexts("the network's weights, its numbers"),
    at: [".distances-figure"],
    measures: BREAK_MEASURES,
    updates: ({ updates }) => Number(updates),
  }),
];

const LARGE_CAPTIONS: Caption<"cube">[] = [
  {
    ...TURN,
    text: "This cube has 43 quintillion states. The agent learns from random scrambles alone: nobody shows it how.",
  },
  {
    at: [".cube3-guess-figure"],
    text: "Its network predicts how far a scrambled cube is from solved. Learning changes this curve.",
    // Not every method of learning predicts distances.
    when: ({ view }) => view?.puzzle !== "3x3x3" || view.guessByScramble.length > 0,
    task: "Wait for an iteration, a piece of training.",
    needsRun: true,
    done: ({ run, unitsBefore }) => run.progress.units > unitsBefore,
  },
  {
    at: [".cube-solve"],
    text: "To solve a cube it looks ahead, and at each depth keeps only the states that look closest to solved.",
    task: ({ view }) =>
      largeStage(view)?.isSolved ? "Press “Scramble”, then “Solve with the agent”." : "Press “Solve with the agent”.",
    done: ({ commands }) => commands.some(({ type }) => type === "solve"),
    show: ({ view }) => [
      ...(largeStage(view)?.isSolved ? [{ press: "Scramble", within: ".cube-controls" }] : []),
      { press: "Solve with the agent", within: ".cube-controls" },
    ],
  },
  {
    at: [".cube3-solution"],
    text: "Once it has found a solution, the turns are listed here. Then it looks for a shorter one.",
    task: ({ view }) => {
      const stage = largeStage(view);
      if (stage && stage.solution.length > 0) return "Press “Play”.";
      return stage?.searching === false
        ? "There is none yet. Press “Solve with the agent”, or “Skip”."
        : "Wait until there is one, then press “Play”.";
    },
    // A solution that was played to its end cannot be played again.
    when: ({ viewBefore }) => turnsMade(viewBefore) === 0,
    done: ({ view }) => turnsMade(view) > 0,
    show: ({ view }) =>
      largeStage(view)?.solution.length
        ? [{ press: "Play", within: ".cube3-player" }]
        : largeStage(view)?.searching === false
          ? [{ press: "Solve with the agent", within: ".cube-controls" }]
          : [],
  },
  SPEED,
];

export const captions: Captions<"cube"> = (run) =>
  run.settings["puzzle"] === "3x3x3" ? LARGE_CAPTIONS : smallCaptions(run);

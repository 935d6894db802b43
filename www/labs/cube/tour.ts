// The guided minute of the cube lab. With the 2×2×2: the cube, the estimates, the solved states, speed, and what a
// learning rate that is too high does. With the 3×3×3: the cube, the predictions, the search, its solution, and speed.

import type { Run } from "../../core/run";
import type { Caption } from "../../ui/tour-caption";

/** A learning rate above this is far too high. */
const TOO_HIGH_LEARNING_RATE = 0.05;

/** Below this fraction of the most states that the run ever solved, it has forgotten. */
const FORGOTTEN_FRACTION = 0.9;

const SPEED_CAPTION: Caption = {
  at: [".dock .speed", ".dock"],
  text: "How fast it learns is up to you. The result is the same, only sooner.",
  task: "Drag the speed to the right.",
  actsOn: ".speed",
  keys: ["]"],
};

export const captions = (run: Run): Caption[] => (run.settings["puzzle"] === "3x3x3" ? LARGE_CAPTIONS : SMALL_CAPTIONS);

const SMALL_CAPTIONS: Caption[] = [
  {
    at: [".cube-stage"],
    text: "This cube can look in 3,674,160 ways. The agent has to find out how to solve it: nobody shows it.",
    task: "Drag a face to turn it.",
    actsOn: ".cube-surface",
    keys: ["u", "r", "f", "l", "d", "b"],
  },
  {
    at: [".turn-values"],
    text: "Its network judges every turn: how close to solved would the cube be then? The agent takes the best.",
    task: "Press a bar to make that turn.",
    actsOn: ".turn-values",
  },
  {
    at: [".distances-figure"],
    text: "Here you see that it learns: all states, sorted by their distance from solved. Green ones it can solve.",
    task: "Watch the green grow from the left.",
    done: ({ run, before }) => run.series.last("solved") > (before("solved") || 0),
  },
  SPEED_CAPTION,
  {
    at: [".lab-side .dial:has(#dial-learning_rate-help)", ".setting:has(#setting-learning_rate)", "#tool-tab-settings"],
    text: "The learning rate: how far each update moves the network's numbers. Too far ruins what it had learned.",
    task: "Turn learning rate to 0.1, here or in Settings.",
    done: ({ run }) => Number(run.settings["learning_rate"]) > TOO_HIGH_LEARNING_RATE,
  },
  {
    at: [".distances-figure"],
    text: "The updates are too large now: it forgets, and the green goes away.",
    task: "Watch, then turn the learning rate back. It learns again.",
    // All may be forgotten already when this caption appears, so the most that the run ever solved counts.
    done: ({ run }) => {
      const most = run.series.column("solved").reduce((most, solved) => (solved > most ? solved : most), 0);
      return (
        run.series.last("solved") < FORGOTTEN_FRACTION * most ||
        Number(run.settings["learning_rate"]) <= TOO_HIGH_LEARNING_RATE
      );
    },
  },
];

const LARGE_CAPTIONS: Caption[] = [
  {
    at: [".cube-stage .cube-surface"],
    text: "This cube can look in 43 quintillion ways. The agent learns from random scrambles alone: nobody shows it how.",
    task: "Drag a face to turn it.",
    actsOn: ".cube-surface",
    keys: ["u", "r", "f", "l", "d", "b"],
  },
  {
    at: [".cube3-guess-figure"],
    text: "Its network guesses how far a scrambled cube is from solved. Learning bends this curve.",
    task: "Watch it change.",
    done: ({ run, unitsBefore }) => run.progress.units > unitsBefore,
  },
  {
    at: [".cube-solve"],
    text: "To solve a cube it looks ahead, and at each depth keeps only the states that look closest to solved.",
    task: "Press “Solve with the agent”.",
    actsOn: ".cube-solve",
    keys: ["g"],
  },
  {
    at: [".cube3-solution"],
    text: "Once it has found a solution, the turns are listed here. Then it looks for a shorter one.",
    task: "When there is one, press “Play”.",
    actsOn: ".cube3-player",
    keys: ["n", "m"],
  },
  SPEED_CAPTION,
];

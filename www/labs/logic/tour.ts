// The guided minute of the logic lab: cells, blended and real gates, the error, and what a learning rate that is too
// high does.

import type { Caption } from "../../ui/tour-caption";

/** A learning rate above this is far too high. */
const TOO_HIGH_LEARNING_RATE = 0.5;

export const captions = (): Caption[] => [
  {
    at: [".logic-panes"],
    text: "Each square is a cell. All cells run the same small circuit and see only their neighbours.",
    task: "Watch the cells change.",
    done: ({ run, unitsBefore }) => run.progress.units > unitsBefore,
  },
  {
    at: [".logic-pane.soft"],
    text: "While it learns, each gate is a blend of all sixteen kinds. So it can change a little at a time.",
    task: "Press “Regrow” to start the cells again.",
    actsOn: ".logic-stage .button",
    keys: ["n"],
  },
  {
    at: [".logic-pane.hard"],
    text: "The final circuit keeps one kind per gate, a real gate. With it, the cells must not make a single mistake.",
    task: "Drag over the cells to disturb them.",
    actsOn: ".logic-pane",
    keys: ["w"],
  },
  {
    at: [".logic-strip", ".logic-errors"],
    text: "Here you see that it learns: the error of the blended gates falls, at first slowly, then all at once.",
    task: "Watch two iterations.",
    done: ({ run, unitsBefore }) => run.progress.units >= unitsBefore + 2,
  },
  {
    at: [".lab-side .dial:has(#dial-learning_rate-help)", ".setting:has(#setting-learning_rate)", "#tool-tab-settings"],
    text: "The learning rate: how far each update changes the blends. Too far ruins what they had learned.",
    task: "Turn learning rate to 1, here or in Settings.",
    done: ({ run }) => Number(run.settings["learning_rate"]) > TOO_HIGH_LEARNING_RATE,
  },
  {
    at: [".logic-strip", ".logic-gates"],
    text: "Now the updates are so large that gates jump from kind to kind. So the error does not get small.",
    task: "Watch the gates, then turn the learning rate back.",
    done: ({ run, before }) =>
      run.series.last("changed") > before("changed") || Number(run.settings["learning_rate"]) <= TOO_HIGH_LEARNING_RATE,
  },
];

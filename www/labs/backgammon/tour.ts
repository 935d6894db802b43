// The guided minute of the backgammon lab: self-play, the prediction, how it chooses a play, the score, and what a
// learning rate that is too high does.

import type { Caption } from "../../ui/tour-caption";

/** A learning rate above this is far too high. */
const TOO_HIGH_LEARNING_RATE = 0.05;

export const captions = (): Caption[] => [
  {
    at: [".board"],
    text: "The agent plays both sides. Its network began with random numbers, and nobody shows it good moves.",
    task: "Watch it play and learn.",
    done: ({ run, unitsBefore }) => run.progress.units >= unitsBefore + 2,
  },
  {
    at: [".outlook"],
    text: "The network predicts who wins. Equity: the points that the lower side wins on average, negative if it loses.",
    task: "Press “Next turn” and watch the bar.",
    actsOn: ".game-controls, .board",
    keys: ["n"],
  },
  {
    at: [".candidates-figure"],
    text: "How it plays: it judges the position after every legal play, and takes the best, on top.",
    task: "Press another play to see it on the board.",
    actsOn: ".candidates-box",
  },
  {
    at: [".goal"],
    text: "Here you see that it learns: its points per game against pubeval, a fixed player. At random it loses 2.4.",
    task: "Wait for the next test.",
    done: ({ run, before }) =>
      Number.isFinite(run.series.last("points")) && run.series.last("points") !== before("points"),
  },
  {
    at: [".lab-side .dial:has(#dial-learning_rate-help)", ".setting:has(#setting-learning_rate)", "#tool-tab-settings"],
    text: "The learning rate: how far each update moves the network's numbers. Too far ruins what it had learned.",
    task: "Turn learning rate to 0.1, here or in Settings.",
    done: ({ run }) => Number(run.settings["learning_rate"]) > TOO_HIGH_LEARNING_RATE,
  },
  {
    at: [".goal"],
    text: "The updates are too large now: it gets no better, and forgets what it could do.",
    task: "Wait for the next test, then turn the learning rate back.",
    done: ({ run, before }) =>
      run.series.last("points") !== before("points") || Number(run.settings["learning_rate"]) <= TOO_HIGH_LEARNING_RATE,
  },
];

// States of runs of the control lab.

import type { Course, LabStates } from "../lab-states";

/** The test scores of a world: at first, while it learns, at the goal, and when it is lost. */
const course = (first: number, learning: number, learned: number, lost: number): Course => ({
  first: { examReturn: first, kl: 0.0001, valueLoss: 20 },
  learning: { examReturn: learning, kl: 0.01, valueLoss: 12 },
  learned: { examReturn: learned, kl: 0.01, valueLoss: 5 },
  lost: { examReturn: lost, kl: 0.9, valueLoss: 300 },
});

const WORLDS: Record<string, Course> = {
  // With a learning rate of 0.1 for four iterations: crates/labs/control/EXPERIMENTS.md.
  cartpole: course(22, 180, 493, 157),
  mountaincar: course(-200, -150, -104, -196),
  pendulum: course(-1300, -600, -150, -1200),
  acrobot: course(-500, -200, -82, -400),
  own: course(-2, 40, 110, 3),
};

export const states: LabStates = {
  course: ({ world }) => WORLDS[world as string] as Course,
  view: () => ({}),
  answers: {
    "ArrowRight on .stage": { command: { type: "push", strength: 1 } },
    "Enter on .own-run-hold": { command: { type: "act", numbers: [1] } },
  },
  views: () => [{}],
  done: [],
  outcomes: [
    [/three tests/, [480, 300, 493].map((examReturn) => ({ examReturn })), "Its scores: 480, 300, 493."],
    [
      /^Wait for an iteration/,
      [{ examReturn: 480 }],
      "By iteration 5 the agent had made about 20,000 steps in all its worlds.",
    ],
  ],
};

// States of runs of the cube lab, with the 2x2x2 and with the 3x3x3.

import type { LabStates } from "../lab-states";

/** A view of the 2x2x2 at this distance from solved, with a number (here 0) for each distance from 0 to 14. */
const small = (distance: number) => ({
  puzzle: "2x2x2",
  statesByDistance: new Uint8Array(15 * Float32Array.BYTES_PER_ELEMENT),
  stage: { distance },
});
/** The stage of the 3x3x3: a cube with a solution of one turn, which is not made yet. */
const stage = { isSolved: false, searching: false, solution: ["U"], solutionMade: 0 };
const large = (searching: boolean) => ({
  puzzle: "3x3x3",
  guessByScramble: new Uint8Array(Float32Array.BYTES_PER_ELEMENT),
  stage: { ...stage, searching },
});

export const states: LabStates = {
  course: () => ({
    first: { solved: 0.01, loss: 34 },
    learning: { solved: 45, loss: 2 },
    learned: { solved: 92, loss: 0.8 },
    lost: { solved: 3, loss: 41 },
  }),
  view: ({ puzzle }) => (puzzle === "3x3x3" ? large(false) : small(6)),
  answers: {
    "u on .cube-surface": { command: { type: "turn", turns: "U" } },
    ".turn-value": { command: { type: "turn", turns: "R" } },
    "Solve with the agent": { command: { type: "solve" } },
    Play: { command: { type: "turn", turns: "U" }, view: { stage: { ...stage, isSolved: true, solutionMade: 1 } } },
  },
  views: ({ puzzle }) => (puzzle === "3x3x3" ? [false, true].map(large) : [0, 6, 14].map(small)),
  done: [
    [small(14), /hardest/],
    [large(true), /^Mix/],
  ],
  outcomes: [[/^Wait for a test/, [{ solved: 90 }], "Of the tested states it solves 90%; before: 92%."]],
};

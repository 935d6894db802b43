// States of runs of the logic lab.

import { BREAKING } from "../../../www/labs/logic/breaking";
import type { LabStates } from "../lab-states";

/**
 * A view: wrong cells of the grid with hard gates, how many times as wide it is, and whether the target is one's own.
 */
const view = (wrongHard: number, multiple = 1, ownTarget = false) => ({
  target: new Uint8Array(256),
  ownTarget,
  // Grids that are paused keep their damage.
  stage: { width: 16, height: 16, wrongHard, multiple, step: 12, playing: false },
});

export const states: LabStates = {
  breaking: BREAKING,
  course: () => ({
    first: { softError: 0.25, changed: 0 },
    learning: { softError: 0.2, changed: 60, wrong: 700 },
    learned: { softError: 0.001, changed: 420, wrong: 0, proof: 100 },
    lost: { softError: 0.3, changed: 900, wrong: 900, proof: 40 },
  }),
  view: () => view(0),
  answers: { "Damage the middle": { command: { type: "wound", x: 8, y: 8, radius: 3 }, view: view(17) } },
  views: () => [1, 2, 4].flatMap((multiple) => [view(0, multiple), view(0, multiple, true)]),
  done: [
    [view(0, 4), /four times as wide/],
    [view(0, 1, true), /heals|Give it a target/],
  ],
  outcomes: [
    [/two iterations/, [0.002, 0.004].map((softError) => ({ softError })), "Soft error: 0.004; before: 0.001."],
    [/Damage/, { press: "Damage the middle" }, "With hard gates, 17 cells were wrong after it."],
  ],
};

// States of runs of the backgammon lab.

import type { LabStates } from "../lab-states";

/** A view: who plays, and the match that they play, if it is one. */
const stage = (players: string, matchPlay: object | null = null) => ({ stage: { players, matchPlay } });

export const states: LabStates = {
  course: () => ({
    first: { points: -2.45, margin: 0.1, loss: 3.46 },
    learning: { points: -0.5, margin: 0.1, loss: 2.9 },
    learned: { points: 0.52, margin: 0.05, loss: 2.6 },
    lost: { points: -2.1, margin: 0.1, loss: 5.2 },
  }),
  view: () => stage("watch"),
  answers: { "Next turn": { command: { type: "next" } } },
  views: () => ["watch", "learner", "expert"].flatMap((players) => [stage(players), stage(players, { length: 3 })]),
  done: [
    [stage("learner"), /Play a game/],
    [stage("watch", { length: 3 }), /Play a game|to a match/],
  ],
  outcomes: [[/next test/, [{ points: 0.48 }], "Its points per game: 0.480; before: 0.520."]],
};

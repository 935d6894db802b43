// The parts of the backgammon lab, and how scripts record and photograph it.

import type { LabManifest, LabMedia } from "../../ui/lab-manifest";

export const manifest: LabManifest<"backgammon"> = {
  view: () => import("./view"),
  tour: () => import("./tour"),
  suggestions: () => import("./suggestions"),
  challenges: () => import("./challenges"),
  demo: () => import("./demo"),
};

export const media: LabMedia<"backgammon"> = {
  recording: {
    units: [0, 100, 400],
    rate: 0.8,
    frames: 9,
    uses: ["stage"],
    turns: true,
    prepare: [
      { type: "newGame", players: "watch" },
      { type: "tempo", seconds: 1 },
    ],
    score: (metric) => `${signed(metric("points"))} points a game against a known program`,
  },
  screenshotAt: 60,
};

const signed = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;

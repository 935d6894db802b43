// The parts of the language lab, and what scripts need of it: how to record, photograph and measure it.

import type { LabManifest, LabMedia } from "../../ui/lab-manifest";

export const manifest: LabManifest<"language"> = {
  view: () => import("./view"),
  tour: () => import("./tour"),
  suggestions: () => import("./suggestions"),
  challenges: () => import("./challenges"),
  lesson: () => import("./lesson.txt?raw"),
  commandForText: (text) => ({ type: "text", name: "the text of the lesson", text }),
};

export const media: LabMedia<"language"> = {
  recording: {
    settings: {
      source: "stories",
      width: 64,
      layers: 2,
      length: 64,
      heads: 4,
      batch: 16,
      updates: 4,
      judge_every: 10,
      judge_size: 4096,
      goal: 20,
      optimiser: "muon",
      learning_rate: 0.003,
      muon_rate: 0.03,
      anneal: 4000,
      echoes: 0.5,
      echo_until: 1000,
    },
    units: [0, 30, 900],
    rate: 30,
    frames: 150,
    uses: ["sample"],
    prepare: [{ type: "dials", temperature: 0.5, topK: 0 }, { type: "again" }],
    ended: ({ sample }) => sample.done,
    score: (metric) => `still guesses among about ${Math.round(2 ** metric("bits"))} characters each time`,
  },
  solvedBy: "seed=0&source=copy&size=8&anneal=2000",
  screenshotAt: 60,
  measuredOnGpu: ["gpu", "a"],
};

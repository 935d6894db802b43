// The parts of the cube lab, and what scripts need of it: how to record, photograph and measure it.

import { formatShare } from "../../core/format";
import type { LabManifest, LabMedia } from "../../ui/lab-manifest";

export const manifest: LabManifest<"cube"> = {
  view: () => import("./view"),
  tour: () => import("./tour"),
  suggestions: () => import("./suggestions"),
  challenges: () => import("./challenges"),
  lesson: () => import("./lesson.txt?raw"),
  demo: () => import("./demo"),
};

export const media: LabMedia<"cube"> = {
  recording: {
    units: [0, 5, 20],
    rate: 2,
    frames: 15,
    uses: ["puzzle", "stage"],
    turns: true,
    prepare: [{ type: "away", turns: 8 }, { type: "solve" }],
    ended: (view) => view.puzzle === "2x2x2" && ["solved", "stuck"].includes(view.stage.attempt),
    score: (metric) => {
      const solved = metric("solved");
      return `solves ${formatShare(solved / 100, solved < 10 ? 1 : 0)} of all states`;
    },
  },
  solvedBy: "seed=0",
  screenshotAt: 25,
  measuredOnGpu: ["cube3"],
};

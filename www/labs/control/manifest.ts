// The parts of the control lab, and what scripts need of it: how to record, photograph and measure it.

import type { LabManifest, LabMedia } from "../../ui/lab-manifest";

export const manifest: LabManifest<"control"> = {
  view: () => import("./view"),
  tour: () => import("./tour"),
  suggestions: () => import("./suggestions"),
  challenges: () => import("./challenges"),
  lesson: () => import("./lesson.txt?raw"),
};

export const media: LabMedia<"control"> = {
  recording: {
    units: [0, 3, 40],
    rate: 25,
    frames: 150,
    uses: ["world", "stage"],
    score: (metric) => `holds the pole for ${Math.round(metric("examReturn"))} of 500 steps`,
  },
  solvedBy: "seed=0",
  screenshotAt: 25,
  measuredOnGpu: ["gpu"],
};

// The parts of the logic lab, and what scripts need of it: how to record, photograph and measure it.

import { formatShare } from "../../core/format";
import type { LabManifest, LabMedia } from "../../ui/lab-manifest";

export const manifest: LabManifest<"logic"> = {
  view: () => import("./view"),
  tour: () => import("./tour"),
  suggestions: () => import("./suggestions"),
  challenges: () => import("./challenges"),
  lesson: () => import("./lesson.txt?raw"),
  demo: () => import("./demo"),
};

export const media: LabMedia<"logic"> = {
  recording: {
    units: [0, 10, 50],
    rate: 8,
    frames: 24,
    uses: ["stage"],
    turns: true,
    // Training compares this step with the target.
    ended: ({ stage }) => stage.step >= stage.steps,
    prepare: [{ type: "pace", rate: 8 }, { type: "restart" }, { type: "play", playing: true }],
    score: (metric) => `${formatShare(metric("hardError"))} of the cells are wrong once it has grown`,
  },
  solvedBy: "seed=0",
  screenshotAt: 50,
  measuredOnGpu: [null],
};

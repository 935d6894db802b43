// The parts of the bandit lab, and how scripts photograph it.

import type { LabManifest, LabMedia } from "../../ui/lab-manifest";

export const manifest: LabManifest<"bandit"> = {
  view: () => import("./view"),
  tour: () => import("./tour"),
  suggestions: () => import("./suggestions"),
};

export const media: LabMedia<"bandit"> = {
  solvedBy: "seed=0",
  screenshotAt: 10,
};

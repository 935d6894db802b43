// The phases of a training iteration in their order, with their names on the page.

import type { ControlPhase } from "../../generated/protocol";

export const PHASES: [ControlPhase, string][] = [
  ["collecting", "collecting"],
  ["learning", "learning"],
  ["evaluating", "evaluating"],
];

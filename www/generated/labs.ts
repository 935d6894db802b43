// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

import type { LabInfo } from "./protocol";

/** Every lab, in the order of the front page; the rest of its texts and its settings are loaded on demand. */
export const LABS: { id: string; title: string; tagline: string; load: () => Promise<LabInfo> }[] = [
  { id: "control", title: "Control", tagline: "Reinforcement learning: an agent learns by trial and error to balance a pole, climb a hill or swing up one rod or two.", load: async () => (await import("./labs/control")).LAB },
  { id: "backgammon", title: "Backgammon", tagline: "Self-play: an agent learns backgammon from nothing but the rules and games against itself.", load: async () => (await import("./labs/backgammon")).LAB },
  { id: "cube", title: "Cube", tagline: "An agent teaches itself to solve the cube: the 2x2x2, tested on all its 3,674,160 states, or the 3x3x3.", load: async () => (await import("./labs/cube")).LAB },
  { id: "logic", title: "Logic", tagline: "Every cell runs the same circuit of logic gates. Training chooses the gates, until the cells grow a picture together.", load: async () => (await import("./labs/logic")).LAB },
  { id: "language", title: "Language", tagline: "A small transformer (a language model) learns to add numbers, sort letters or write stories by predicting what comes next.", load: async () => (await import("./labs/language")).LAB },
];

// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

import type { LabInfo } from "./protocol";

/** Every lab, in the order of the front; the rest of its texts and its settings are loaded on demand. */
export const LABS: { id: string; title: string; tagline: string; load: () => Promise<LabInfo> }[] = [
  { id: "control", title: "Control", tagline: "A pole on a cart, a car in a valley, a pendulum, two linked rods: one learner, many worlds at once.", load: async () => (await import("./labs/control")).LAB },
  { id: "backgammon", title: "Backgammon", tagline: "It learns backgammon by playing against itself, gammons included.", load: async () => (await import("./labs/backgammon")).LAB },
  { id: "cube", title: "Cube", tagline: "The 2x2x2 cube has 3,674,160 states, and the agent is tested on every one of them.", load: async () => (await import("./labs/cube")).LAB },
  { id: "logic", title: "Logic", tagline: "Cells made of logic gates learn which gates to be, until together they grow a picture.", load: async () => (await import("./labs/logic")).LAB },
  { id: "language", title: "Language", tagline: "A small transformer learns to write: from noise to words, to sentences, to stories that make sense.", load: async () => (await import("./labs/language")).LAB },
];

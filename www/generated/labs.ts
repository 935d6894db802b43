// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

import type { LabInfo } from "./protocol";

/** Every lab, in the order of the gallery; its texts and settings are loaded on demand. */
export const LABS: { id: string; load: () => Promise<LabInfo> }[] = [
  { id: "control", load: async () => (await import("./labs/control")).LAB },
  { id: "backgammon", load: async () => (await import("./labs/backgammon")).LAB },
  { id: "cube", load: async () => (await import("./labs/cube")).LAB },
  { id: "logic", load: async () => (await import("./labs/logic")).LAB },
  { id: "language", load: async () => (await import("./labs/language")).LAB },
];

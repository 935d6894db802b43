// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

import type { LabInfo } from "./protocol";

/** Every lab there is, in the order of the gallery; what is known of one is loaded when it is wanted. */
export const LABS: { id: string; load: () => Promise<LabInfo> }[] = [
  { id: "control", load: async () => (await import("./labs/control")).LAB },
  { id: "backgammon", load: async () => (await import("./labs/backgammon")).LAB },
  { id: "cube", load: async () => (await import("./labs/cube")).LAB },
  { id: "logic", load: async () => (await import("./labs/logic")).LAB },
  { id: "language", load: async () => (await import("./labs/language")).LAB },
];

// Parts of a lab that a run gets below its picture, as `labs/run-parts.ts` finds them.

import type { LabDuel } from "../core/duel/duel";
import type { Behaviour } from "../core/story/behaviour";
import type { Race } from "./race";

export interface RunParts {
  /** The behaviours of the lab; null for a lab that has none. */
  loadBehaviour: () => Promise<Behaviour | null>;
  race: Race | null;
  /** The duels of the lab; null for a lab that has none. */
  loadDuel: (() => Promise<LabDuel>) | null;
}

/** The exports of labs/run-parts.ts. */
export interface RunPartsModule {
  loadRunParts: (lab: string) => Promise<RunParts>;
}

// An agent of a duel.

import type { JsonValue, LabInfo } from "../../generated/protocol";
import type { BundleChoice } from "../bundle";
import type { Settings } from "../values";

/** What decides which agents can meet. It is known before a run has been repeated. */
export interface Entrant {
  lab: LabInfo;
  /** All settings of its run. */
  settings: Settings;
  /** The command that gave its run data of the visitor's own; null for none. */
  data: JsonValue | null;
}

/** An agent as it takes part in a duel: a checkpoint, and what a copy of it is made from. */
export interface Duelist extends Entrant {
  bytes: Uint8Array<ArrayBuffer>;
  /** How many units (training iterations) it has done. */
  units: number;
  /** The bundle for the CPU. */
  bundle: BundleChoice;
}

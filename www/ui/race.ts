// A race of the visitor against the agent of the open run, in the labs that have one (`labs/<lab>/race/race.ts`).

import type { Run } from "../core/run";
import type { Settings } from "../core/values";

export interface Race {
  /** Whether there is a race for runs with these settings. */
  allows(settings: Settings): boolean;
  /** Opens the race, unless the signal has ended it before. Resolves when it is closed, which the signal also does. */
  open(run: Run, signal: AbortSignal): Promise<void>;
}

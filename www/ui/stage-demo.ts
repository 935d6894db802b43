// Demonstrations on the stages of compared runs, which nobody else touches: commands to the lab that let the agent show
// again and again what it can do by now. All runs get the same commands, so that they can be compared.

import type { LabTypes } from "../generated/protocol";

/** The next commands, for a view that was drawn `seconds` after the one before. */
export type StageDemo<Id extends keyof LabTypes = keyof LabTypes> = (
  view: LabTypes[Id]["view"],
  seconds: number,
) => LabTypes[Id]["command"][];

/** The exports of a lab's module `demo.ts`. */
export interface DemoModule<Id extends keyof LabTypes = keyof LabTypes> {
  /** The demonstration on the stage of one run, from its beginning. */
  stageDemo: () => StageDemo<Id>;
}

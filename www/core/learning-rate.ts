// The learning rate of a run: whether it is so high that learning breaks, and whether annealing has lowered it.

import type { Change, Field, LabInfo, Progress } from "../generated/protocol";
import { turnedUp } from "./since-change";
import type { Settings } from "./values";

/** From this fraction of the highest allowed learning rate on, updates are far too large in every lab. */
const TOO_HIGH_FRACTION = 0.5;
/** From this fraction of its schedule on, annealing hides a high learning rate: about half of what is set is left. */
const HIDDEN_FRACTION = 0.5;

/** The settings of a run. */
interface RunSettings {
  lab: LabInfo;
  settings: Settings;
}

/** The settings of a run, and how they were changed during the run. */
type ChangedSettings = RunSettings & { changes: readonly Change[] };

/**
 * The setting that is the learning rate of most parameters: where a run uses the optimiser Muon, that of Muon. The one
 * of AdamW then moves so few parameters that learning goes on even at its highest value.
 */
export function rateName(settings: Settings): "learning_rate" | "muon_rate" {
  return settings["optimiser"] === "muon" ? "muon_rate" : "learning_rate";
}

/** The setting, with its title and the highest value that the lab allows. */
export function rateField({ lab, settings }: RunSettings): Extract<Field, { kind: "number" }> {
  const field = lab.fields.find(({ name }) => name === rateName(settings));
  if (field?.kind !== "number") throw new Error(`${lab.about.id} has no learning rate`);
  return field;
}

/** From this learning rate on, updates are far too large. */
function leastTooHigh(state: RunSettings): number {
  return TOO_HIGH_FRACTION * rateField(state).max;
}

export function isTooHigh(state: RunSettings): boolean {
  return Number(state.settings[rateName(state.settings)]) >= leastTooHigh(state);
}

/** The change that made the learning rate too high; null if it is not, or was from the start. */
export function turnedTooHigh(state: ChangedSettings): Change | null {
  return turnedUp(state.changes, rateName(state.settings), leastTooHigh(state));
}

/** The learning rate to go back to: the one from before it was turned up, or the default. */
export function usualRate(state: ChangedSettings): number {
  const { name, default: usual } = rateField(state);
  return Number(turnedTooHigh(state)?.before[name] ?? usual);
}

/**
 * What to set in order to go back: the learning rate from before, and annealing if it was switched off since it was
 * turned up.
 */
export function usualSettings(state: ChangedSettings): Settings {
  const since = turnedTooHigh(state)?.unit ?? Infinity;
  const anneal = state.changes.find(({ unit, after }) => unit >= since && after["anneal"] === 0)?.before["anneal"];
  return { [rateName(state.settings)]: usualRate(state), ...(anneal !== undefined && { anneal }) };
}

/**
 * Whether annealing has lowered the learning rate so far that turning it up would show little. `updates` are the steps
 * of annealing in a unit (training iteration).
 */
export function isAnnealed(settings: Settings, { units }: Progress, updates: number): boolean {
  const anneal = Number(settings["anneal"] ?? 0);
  return anneal > 0 && units * updates >= HIDDEN_FRACTION * anneal;
}

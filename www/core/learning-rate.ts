// The learning rate of a run: whether it is so high that learning breaks, and whether annealing has lowered it.

import type { Change, LabInfo, Progress } from "../generated/protocol";
import { turnedUp } from "./since-change";
import type { Settings } from "./values";

/** From this fraction of the highest allowed learning rate on, updates are far too large in every lab. */
const TOO_HIGH_FRACTION = 0.5;
/** From this fraction of its schedule on, annealing hides a high learning rate: the rate is half of what is set. */
const HIDDEN_FRACTION = 0.5;

/** The highest learning rate that a lab allows. */
export function highestRate({ fields }: LabInfo): number {
  const field = fields.find(({ name }) => name === "learning_rate");
  return field?.kind === "number" ? field.max : NaN;
}

/** From this learning rate on, updates are far too large. */
export function leastTooHigh(lab: LabInfo): number {
  return TOO_HIGH_FRACTION * highestRate(lab);
}

export function isTooHigh(lab: LabInfo, settings: Settings): boolean {
  return Number(settings["learning_rate"]) >= leastTooHigh(lab);
}

/** The change that turned the learning rate up so far; null if it is not too high, or was from the start. */
export function turnedTooHigh(lab: LabInfo, changes: readonly Change[]): Change | null {
  return turnedUp(changes, "learning_rate", leastTooHigh(lab));
}

/** The learning rate to go back to: the one from before it was turned up, or the default. */
export function usualRate(lab: LabInfo, changes: readonly Change[]): number {
  const before = turnedTooHigh(lab, changes)?.before["learning_rate"];
  return Number(before ?? lab.fields.find(({ name }) => name === "learning_rate")?.default);
}

/**
 * What to set in order to go back: the learning rate from before, and annealing if it was switched off since it was
 * turned up.
 */
export function usualSettings(lab: LabInfo, changes: readonly Change[]): Settings {
  const since = turnedTooHigh(lab, changes)?.unit ?? Infinity;
  const anneal = changes.find(({ unit, after }) => unit >= since && after["anneal"] === 0)?.before["anneal"];
  return { learning_rate: usualRate(lab, changes), ...(anneal !== undefined && { anneal }) };
}

/**
 * Whether annealing has lowered the learning rate so far that turning it up would show little. `updates` is what the
 * setting `anneal` counts in a unit (training iteration).
 */
export function isAnnealed(settings: Settings, { units }: Progress, updates: number): boolean {
  const anneal = Number(settings["anneal"] ?? 0);
  return anneal > 0 && units * updates >= HIDDEN_FRACTION * anneal;
}

// The setting that destroys what a run has learned when it is turned all the way up: the learning rate, if a lab names
// no other. Suggestions and tours use it to let the visitor break a run and mend it again. This file says whether the
// setting is that high, whether annealing (the decay of the learning rate) hides it, and what to set to go back.

import type { Change, Field, LabInfo, Progress } from "../generated/protocol";
import { turnedUp } from "./since-change";
import type { Settings } from "./values";

export interface BreakingSetting {
  name: string;
  /** From this fraction of its highest allowed value on, it breaks what was learned. */
  fraction: number;
}

/** From this fraction of the highest allowed learning rate on, updates are far too large in every lab. */
const TOO_HIGH_RATE_FRACTION = 0.5;
/**
 * From this fraction of its schedule on, annealing hides a high learning rate: it has lowered the rate by about half.
 */
const HIDDEN_FRACTION = 0.5;

/** The settings of a run. */
interface RunSettings {
  lab: LabInfo;
  settings: Settings;
  /** The setting that breaks a run of this lab, if it is not the learning rate. */
  breaking?: BreakingSetting | undefined;
}

/** The settings of a run, and how they were changed during the run. */
type ChangedSettings = RunSettings & { changes: readonly Change[] };

/**
 * The setting that is the learning rate of most parameters: where a run uses the optimiser Muon, that of Muon. The one
 * of AdamW then moves so few parameters that learning goes on even at its highest value.
 */
function learningRate(settings: Settings): BreakingSetting {
  return { name: settings["optimiser"] === "muon" ? "muon_rate" : "learning_rate", fraction: TOO_HIGH_RATE_FRACTION };
}

const breakingOf = ({ settings, breaking }: RunSettings) => breaking ?? learningRate(settings);

/** The setting, with its title and the highest value that the lab allows. */
export function breakingField(state: RunSettings): Extract<Field, { kind: "number" }> {
  const { name } = breakingOf(state);
  const field = state.lab.fields.find((each) => each.name === name);
  if (field?.kind !== "number") throw new Error(`${state.lab.about.id} has no number ${name}`);
  return field;
}

/** From this value on, the setting is too high. */
function leastTooHigh(state: RunSettings): number {
  return breakingOf(state).fraction * breakingField(state).max;
}

/** The change that turned the setting down to where it breaks nothing; null if it is too high, or never was. */
export function turnedDown(state: ChangedSettings): Change | null {
  const { name } = breakingOf(state);
  const least = leastTooHigh(state);
  const change = state.changes.findLast(({ after }) => name in after);
  return change && Number(change.before[name]) >= least && Number(change.after[name]) < least ? change : null;
}

export function isTooHigh(state: RunSettings): boolean {
  return Number(state.settings[breakingOf(state).name]) >= leastTooHigh(state);
}

/** The change that made the setting too high; null if it is not, or was from the start. */
export function turnedTooHigh(state: ChangedSettings): Change | null {
  return turnedUp(state.changes, breakingOf(state).name, leastTooHigh(state));
}

/** The value to go back to: the one from before it was turned up, or the default. */
export function earlierValue(state: ChangedSettings): number {
  const { name, default: usual } = breakingField(state);
  return Number(turnedTooHigh(state)?.before[name] ?? usual);
}

/**
 * What to set in order to go back: the value from before, and annealing if it was switched off since the setting was
 * turned up.
 */
export function earlierSettings(state: ChangedSettings): Settings {
  const since = turnedTooHigh(state)?.unit ?? Infinity;
  const anneal = state.changes.find(({ unit, after }) => unit >= since && after["anneal"] === 0)?.before["anneal"];
  return { [breakingOf(state).name]: earlierValue(state), ...(anneal !== undefined && { anneal }) };
}

/**
 * Whether annealing has lowered the learning rate so far that turning it up would show little. `updates` are the steps
 * of annealing in a unit (training iteration).
 */
export function isAnnealed(settings: Settings, { units }: Progress, updates: number): boolean {
  const anneal = Number(settings["anneal"] ?? 0);
  return anneal > 0 && units * updates >= HIDDEN_FRACTION * anneal;
}

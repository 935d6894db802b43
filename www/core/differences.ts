// How runs of a lab differ that are compared: by their settings and their seeds.

import type { JsonValue, LabInfo } from "../generated/protocol";
import { settingLabel } from "./labels";
import { settingText, type Settings } from "./link";

/** What identifies a run: the settings that differ from the defaults, or all of them, and the seed. */
export interface Identity {
  settings: Settings;
  seed: number;
}

/** The value of a setting of a run, or its seed. */
function valueOf(lab: LabInfo, { settings, seed }: Identity, name: string): JsonValue {
  if (name === "seed") return seed;
  return settings[name] ?? lab.fields.find((field) => field.name === name)?.default ?? null;
}

/** The value as a text for people. */
export function shownValue(lab: LabInfo, run: Identity, name: string): string {
  const value = valueOf(lab, run, name);
  return typeof value === "boolean" ? (value ? "on" : "off") : settingText(value);
}

/** The names of the settings in which any of the runs differ, in the order of the schema, then "seed". */
export function differingSettings(lab: LabInfo, runs: Identity[]): string[] {
  const names = [...lab.fields.map(({ name }) => name), "seed"];
  return names.filter((name) => new Set(runs.map((run) => valueOf(lab, run, name))).size > 1);
}

/** A title of a run made of what distinguishes it from the others, such as "learning rate 0.01"; empty if nothing does. */
export function distinction(lab: LabInfo, run: Identity, runs: Identity[]): string {
  const names = differingSettings(lab, runs);
  return names.map((name) => `${settingLabel(name)} ${shownValue(lab, run, name)}`).join(", ");
}

// How runs of a lab differ that are compared: by their settings and their seeds.

import type { JsonValue, LabInfo } from "../../generated/protocol";
import { settingTitle } from "../labels";
import { changedSettings, settingText, type Settings } from "../link";

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

/**
 * A title of a run made of what distinguishes it from the others, such as "learning rate 0.01"; empty if nothing does.
 * A value that several runs have, and that more runs have than any other value, is the usual one and is left out.
 */
export function distinction(lab: LabInfo, run: Identity, runs: Identity[]): string {
  const names = differingSettings(lab, runs).filter((name) => {
    const counts = new Map<JsonValue, number>();
    for (const each of runs) {
      const value = valueOf(lab, each, name);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const own = counts.get(valueOf(lab, run, name)) ?? 0;
    const most = Math.max(...counts.values());
    const isOnlyMost = [...counts.values()].filter((count) => count === most).length === 1;
    const hasUsualValue = own === most && own > 1 && isOnlyMost;
    return !hasUsualValue;
  });
  return names.map((name) => `${settingTitle(lab, name)} ${shownValue(lab, run, name)}`).join(", ");
}

/** The settings that differ from the defaults in words: "learning rate 0.01, worlds 64"; empty for none. */
export function changedWords(lab: LabInfo, settings: Settings): string {
  const run = { settings, seed: 0 };
  const names = Object.keys(changedSettings(lab, settings));
  return names.map((name) => `${settingTitle(lab, name)} ${shownValue(lab, run, name)}`).join(", ");
}

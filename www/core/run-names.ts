// Names of runs in plain words, made of what distinguishes a run: the nearest preset, the settings that differ from it,
// and the seed, such as "CartPole, learning rate 0.05, seed 7".

import type { JsonValue, LabInfo, Preset } from "../generated/protocol";
import { defaults } from "./draft";
import { settingTitle } from "./labels";
import { settingText, type Settings } from "./link";
import { presetSettings } from "./presets";
import type { RunMetadata } from "./run-metadata";

/** A name lists at most this many settings. */
const MAX_LISTED = 3;

/** The name that the visitor has given, or else one in plain words. */
export function nameOf(lab: LabInfo, metadata: Pick<RunMetadata, "name" | "settings" | "seed">): string {
  return metadata.name ?? generatedName(lab, metadata);
}

/** A name in plain words. */
export function generatedName(lab: LabInfo, { settings, seed }: Pick<RunMetadata, "settings" | "seed">): string {
  const { preset, changed } = nearestPreset(lab, settings);
  const names = Object.keys(changed);
  const listed = names.slice(0, MAX_LISTED).map((name) => settingWords(lab, name, changed[name] as JsonValue));
  const others = names.length - listed.length;
  if (others > 0) listed.push(`${others} more ${others === 1 ? "setting" : "settings"}`);
  return [preset?.title ?? lab.about.title, ...listed, `seed ${seed}`].join(", ");
}

/** A setting with its value: "learning rate 0.05". */
export function settingWords(lab: LabInfo, name: string, value: JsonValue): string {
  return `${settingTitle(lab, name)} ${typeof value === "boolean" ? (value ? "on" : "off") : settingText(value)}`;
}

/**
 * The preset from which the fewest settings differ, and the settings that differ. A preset with another choice of what
 * is learned, such as another world, is far away however few settings differ.
 */
export function nearestPreset(lab: LabInfo, settings: Settings): { preset: Preset | undefined; changed: Settings } {
  const all = { ...defaults(lab), ...settings };
  // The first choice among a lab's settings is what is learned.
  const task = lab.fields.find(({ kind }) => kind === "choice")?.name;
  let nearest: { preset: Preset | undefined; changed: Settings } = { preset: undefined, changed: {} };
  let least = Infinity;
  for (const preset of lab.about.presets) {
    const complete: Settings = { ...defaults(lab), ...presetSettings(preset) };
    const names = lab.fields.map(({ name }) => name).filter((name) => all[name] !== complete[name]);
    const distance = names.length + (task !== undefined && names.includes(task) ? lab.fields.length : 0);
    if (distance >= least) continue;
    least = distance;
    nearest = { preset, changed: Object.fromEntries(names.map((name) => [name, all[name] as JsonValue])) };
  }
  return nearest;
}

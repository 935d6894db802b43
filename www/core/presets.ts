// The presets of a lab, as settings.

import type { LabInfo, Preset } from "../generated/protocol";
import type { Settings } from "./link";

/** What a preset changes of the defaults. */
export function presetSettings({ settings }: Pick<Preset, "settings">): Settings {
  return JSON.parse(settings) as Settings;
}

/** The settings of the preset with this id; the defaults where there is none. */
export function presetById({ about }: LabInfo, id: string): Settings {
  const preset = about.presets.find(({ name }) => name === id);
  return preset ? presetSettings(preset) : {};
}

/**
 * The settings with which a visitor first meets one choice of a field, such as a world or an experiment: those of the
 * first preset that makes this choice.
 */
export function firstSettingsWith({ about, fields }: LabInfo, field: string, choice: string): Settings {
  const standard = fields.find(({ name }) => name === field)?.default;
  const presets = about.presets.map(presetSettings);
  return presets.find((settings) => (settings[field] ?? standard) === choice) ?? { [field]: choice };
}

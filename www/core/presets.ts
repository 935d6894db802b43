// Converts the presets of a lab, which are named settings, to settings that can be applied.

import type { LabInfo, Preset } from "../generated/protocol";
import type { Settings } from "./link";
import { programOf } from "./program";

/** The settings in which a preset differs from the defaults. */
export function presetSettings({ settings }: Pick<Preset, "settings">): Settings {
  return JSON.parse(settings) as Settings;
}

/**
 * The presets that visitors choose from. Those for data of their own are left out: they are used where such data are
 * written.
 */
export function offeredPresets({ about }: LabInfo): Preset[] {
  return about.presets.filter((preset) => programOf(about.id, presetSettings(preset)) === about.id);
}

/** The settings of the preset with this id; none (the defaults) if there is no such preset. */
export function presetById({ about }: LabInfo, id: string): Settings {
  const preset = about.presets.find(({ name }) => name === id);
  return preset ? presetSettings(preset) : {};
}

/** The id of the preset that has these settings; null if none has. */
export function presetOf({ about, fields }: LabInfo, settings: Settings): string | null {
  const preset = about.presets.find((each) => {
    const own = presetSettings(each);
    return fields.every(({ name, default: value }) => settings[name] === (own[name] ?? value));
  });
  return preset?.name ?? null;
}

/**
 * Suitable settings for one choice of a field, such as the world "pendulum" of the field `world`: the settings of the
 * first preset that makes this choice.
 */
export function firstSettingsWith({ about, fields }: LabInfo, field: string, choice: string): Settings {
  const defaultChoice = fields.find(({ name }) => name === field)?.default;
  const presets = about.presets.map(presetSettings);
  return presets.find((settings) => (settings[field] ?? defaultChoice) === choice) ?? { [field]: choice };
}

// The worlds the page can draw, in the order they are offered.

import type { Settings } from "../../../core/link";
import type { LabInfo, World } from "../../../generated/protocol";
import { acrobot } from "./acrobot";
import { cartpole } from "./cartpole";
import type { Kind } from "./kind";
import { mountaincar } from "./mountaincar";
import { pendulum } from "./pendulum";

export const KINDS: Record<World, Kind> = { cartpole, mountaincar, pendulum, acrobot };

/** The settings a world is first met with: the first preset that chooses it. */
export function settingsOf(lab: LabInfo, world: World): Settings {
  const fallback = lab.fields.find(({ name }) => name === "world")?.default;
  const presets = lab.about.presets.map(({ settings }) => JSON.parse(settings) as Settings);
  return presets.find((settings) => (settings["world"] ?? fallback) === world) ?? { world };
}

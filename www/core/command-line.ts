// Commands that repeat a run of the page in a terminal.

import type { LabInfo } from "../generated/protocol";
import type { Device } from "./bundle";
import { changedSettings, settingText, writeLink, type LinkEnd, type Settings } from "./link";
import { changesInLink } from "./recipe";

/** The command that trains the run of a link in a terminal. */
export const recipeCommand = (link: string): string => `cargo run --release -- train --recipe '${link}'`;

/**
 * The command that trains the same run in a terminal. A run that was changed while it trained is repeated by its link,
 * because options cannot say when a change was made.
 */
export function commandLine(
  lab: LabInfo,
  settings: Settings,
  seed: number,
  units: number | null = null,
  device: Device = "cpu",
  { changes = [], bits = null }: LinkEnd = {},
): string {
  if (changesInLink(changes).length > 0) {
    const link = writeLink(lab, settings, seed, units, device, { changes, bits });
    return recipeCommand(link);
  }
  const parts = [`cargo run --release -- train ${lab.about.id} --seed ${seed}`];
  for (const [name, value] of Object.entries(changedSettings(lab, settings)))
    parts.push(`--set ${name}=${settingText(value)}`);
  if (units !== null) parts.push(`--units ${units}`);
  if (device !== "cpu") parts.push(`--device ${device}`);
  return parts.join(" ");
}

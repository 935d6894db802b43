// Describes the changes that wait for a restart.

import type { Draft } from "../core/draft";
import { settingTitle, valueLabel } from "../core/labels";

/** Each change with the value that the run has and the one that waits, as `worlds 128 → 64`. */
export function describeWaiting(draft: Draft): string[] {
  const { settings, seed } = draft.run;
  const text = (value: (typeof settings)[string] | undefined) => valueLabel(value ?? null);
  return draft.changesNeedingRestart().map((name) => {
    const [from, to] = name === "seed" ? [seed, draft.seed] : [settings[name], draft.settings[name]];
    return `${settingTitle(draft.lab, name)} ${text(from)} → ${text(to)}`;
  });
}

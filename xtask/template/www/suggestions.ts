// What to try next in the bandit lab (www/ui/suggestion.ts).

import { compareSettings, newRun } from "../../ui/common-suggestions";
import type { Suggestions } from "../../ui/suggestion";

/** The machines of the harder run that is suggested, as in the preset `crowd`. */
const CROWD = 100;

export const suggestions: Suggestions<"bandit"> = (state) => {
  const { settings } = state;
  const explores = Number(settings["exploration"]) > 0;
  return [
    newRun(state),
    Number(settings["machines"]) < CROWD
      ? { text: `Find the best of ${CROWD} machines`, settings: { machines: CROWD } }
      : { text: "Find the best of ten machines", settings: {} },
    explores
      ? { text: "Let it always take what looks best", deeds: [{ set: { exploration: 0 } }] }
      : { text: "Let it try a machine at random, now and then", deeds: [{ set: { exploration: 0.1 } }] },
    compareSettings,
  ];
};

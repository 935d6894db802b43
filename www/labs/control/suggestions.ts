// What to try next in the control lab (www/ui/suggestion.ts).

import { defaults } from "../../core/draft";
import { formatInteger } from "../../core/format";
import { firstSettingsWith } from "../../core/presets";
import { compareSettings, newRun, turnDown, turnUp } from "../../ui/common-suggestions";
import type { World } from "../../generated/protocol";
import type { Suggestions } from "../../ui/suggestion";
import { WORLD_KINDS } from "./worlds/list";

/** In a single world each iteration makes more steps, so that there is enough to learn from. */
const ONE_WORLD = { worlds: 1, horizon: 512, minibatches: 4 };

/** What comes after a push: a pole falls or not, a car and a rod have to swing up again. */
const PUSH_TEXTS: Partial<Record<World, string>> = {
  mountaincar: "Push it, and see how it climbs out again",
  acrobot: "Push it, and see whether it still swings up",
};
const TAKE_OVER = {
  text: "Take over, and see whether you do better",
  deeds: [{ key: "Enter", on: ".own-run-hold" }],
};

const pushed = (world: World) => ({
  text: PUSH_TEXTS[world] ?? "Push it, and see whether it recovers",
  deeds: [{ key: "ArrowRight", on: ".stage" }],
});

export const suggestions: Suggestions<"control"> = (state) => {
  const { lab, settings, lost } = state;
  const world = settings["world"] as World;
  const preset = firstSettingsWith(lab, "world", world);
  const kinds = Object.values(WORLD_KINDS);
  // After a world of the visitor's own comes the first one.
  const next = kinds[(kinds.findIndex((kind) => kind.world === world) + 1) % kinds.length] ?? WORLD_KINDS.cartpole;
  const [worlds, usualWorlds] = [settings["worlds"], { ...defaults(lab), ...preset }["worlds"]];
  return [
    turnDown(state),
    newRun(state),
    !lost && (world === "own" ? TAKE_OVER : pushed(world)),
    {
      text: `New run: the next task, ${next.name} (${next.task})`,
      settings: firstSettingsWith(lab, "world", next.world),
    },
    worlds === 1
      ? { text: `New run: ${formatInteger(Number(usualWorlds))} worlds instead of one`, settings: preset }
      : {
          text: `New run: one world instead of ${formatInteger(Number(worlds))}`,
          settings: { ...preset, ...ONE_WORLD },
        },
    turnUp(state),
    compareSettings,
  ];
};

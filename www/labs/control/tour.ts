// The guided minute of the control lab: practice, a push, the test score, the critic, and what the discount factor
// does.

import type { Run } from "../../core/run";
import type { World } from "../../generated/protocol";
import type { Caption } from "../../ui/tour-caption";
import { WORLD_KINDS } from "./worlds/list";

const REWARD_TEXTS: Record<World, string> = {
  cartpole: "one point for each step with the pole up",
  mountaincar: "one point less for each step before the flag",
  pendulum: "points are taken off while it hangs or swings",
  acrobot: "one point less for each step below the line",
};

/** A discount factor below this is short-sighted. */
const SHORT_SIGHTED_DISCOUNT = 0.5;
const PUSH_ACTS = { actsOn: ".stage", keys: ["ArrowLeft", "ArrowRight"] };

export function captions({ settings }: Run): Caption[] {
  const world = (settings["world"] as World) in WORLD_KINDS ? (settings["world"] as World) : "cartpole";
  const { dragged } = WORLD_KINDS[world].controls;
  return [
    {
      at: [".world-grid"],
      text: `The agent practises in all these worlds at once. It tries actions and gets rewards: ${REWARD_TEXTS[world]}.`,
      task: "Watch it try.",
      done: ({ run, unitsBefore }) => run.progress.units > unitsBefore,
    },
    {
      at: [".stage"],
      text: "This world is yours. The agent acts here with what it has learned so far.",
      task: `Push: drag ${dragged}, or press ← or →.`,
      ...PUSH_ACTS,
    },
    {
      at: [".goal"],
      text: "Here you see that it learns: the test score, its average reward in tries that it does not learn from.",
      task: "Watch the next three tests.",
      done: ({ run, unitsBefore }) => run.progress.units >= unitsBefore + 3,
    },
    {
      at: [".value-map-figure"],
      text: "A second network, the critic, predicts how much reward is still to come: greener is more. The dot is your world.",
      task: "Push again and watch the dot.",
      ...PUSH_ACTS,
    },
    {
      at: [".lab-side .dial:has(#dial-gamma-help)", ".setting:has(#setting-gamma)", "#tool-tab-settings"],
      text: "The discount factor: how much later rewards count. At 0 only the very next step counts.",
      task: "Turn discount factor to 0, here or in Settings.",
      done: ({ run }) => Number(run.settings["gamma"]) < SHORT_SIGHTED_DISCOUNT,
    },
    {
      at: [".goal"],
      text: "Now it never thinks ahead. It forgets how to act well, and the critic's numbers shrink.",
      task: "Watch the score fall, then turn the discount factor back up.",
      done: ({ run }) => Number(run.settings["gamma"]) >= SHORT_SIGHTED_DISCOUNT,
    },
  ];
}

// What the test score of each world counts, in a few words.

import { sentence } from "../../core/format";
import type { World } from "../../generated/protocol";

export const REWARD_TEXTS: Record<World, string> = {
  cartpole: "one point for each step with the pole up",
  mountaincar: "one point less for each step before the flag",
  pendulum: "points off for leaning, speed and force",
  acrobot: "one point less for each step below the line",
  own: "points as your rules give them",
};

/** The same as a sentence; empty for a world that is not among them. */
export function rewardSentence(world: unknown): string {
  const text = REWARD_TEXTS[world as World] as string | undefined;
  return text ? sentence(text) : "";
}

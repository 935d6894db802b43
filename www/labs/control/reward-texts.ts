// What the test score of each built-in world counts, in a few words.

import { sentence } from "../../core/format";
import type { BuiltInWorld } from "./worlds/world-kind";

export const REWARD_TEXTS: Record<BuiltInWorld, string> = {
  cartpole: "one point for each step with the pole up",
  mountaincar: "one point less for each step before the flag",
  pendulum: "points off for leaning, speed and force",
  acrobot: "one point less for each step below the line",
};

/** The same as a sentence; empty for a world that is not among them. */
export function rewardSentence(world: unknown): string {
  const text = REWARD_TEXTS[world as BuiltInWorld] as string | undefined;
  return text ? sentence(text) : "";
}

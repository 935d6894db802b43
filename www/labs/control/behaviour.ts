// What the agent of the control lab does for the first time, by the mean return of its test episodes.

import { firstTest, type Behaviour } from "../../core/story/behaviour";
import { formatNumber } from "../../core/format";
import type { ControlView, World } from "../../generated/protocol";

/** A test's mean return from which on the behaviour was seen, and a sentence about it. */
interface Sight {
  /** What was seen, as a title. */
  title: string;
  isSeen: (meanReturn: number) => boolean;
  words: (meanReturn: string) => string;
}

/** In CartPole a return counts the steps that the pole stood. */
const BALANCED_STEPS = 100;

/**
 * An attempt that never reaches the goal loses a point a step up to its time limit. So a better mean means that one
 * did.
 */
const reachedWithin = (limit: number, title: string, what: string): Sight => ({
  title,
  isSeen: (meanReturn) => meanReturn > -limit,
  words: (meanReturn) =>
    `For the first time an attempt of a test ${what}: the mean return was ${meanReturn}, and it is ${formatNumber(-limit)} if none does.`,
});

/** A return of the pendulum, or of a world of the visitor's own, shows no behaviour for certain. */
const SIGHTS: Partial<Record<World, Sight>> = {
  cartpole: {
    title: `The pole stands for ${BALANCED_STEPS} steps`,
    isSeen: (meanReturn) => meanReturn >= BALANCED_STEPS,
    words: (meanReturn) =>
      `For the first time the pole stood for at least ${BALANCED_STEPS} steps in a test, on average: ${meanReturn} of 500.`,
  },
  mountaincar: reachedWithin(200, "The flag is reached", "reached the flag"),
  acrobot: reachedWithin(500, "The tip swings above the line", "swung up to the line"),
};

export const behaviour: Behaviour<ControlView> = {
  measured(record) {
    const sight = SIGHTS[record.settings["world"] as World];
    const test = sight ? firstTest(record, "examReturn", sight.isSeen) : null;
    return sight && test ? { unit: test.unit, title: sight.title, text: sight.words(formatNumber(test.value)) } : null;
  },
};

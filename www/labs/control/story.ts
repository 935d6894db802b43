// The story of a run of the control lab, by the mean return of its test episodes.

import { formatInteger, formatNumber } from "../../core/format";
import type { Story } from "../../ui/story";
import type { World } from "../../generated/protocol";

/**
 * What the agent does in a world at some mean return. In the lab's worlds but the pendulum a return counts steps; in
 * one of the visitor's own it is what the text says.
 */
const SENTENCES: Record<World, (meanReturn: number) => string> = {
  cartpole: (steps) => {
    const text = formatInteger(steps);
    // Pushes to one side only let it fall after 8 to 10 steps, pushes at random after about 20.
    if (steps < 11) return `The pole falls after ${text} steps, as if it were pushed to one side only.`;
    if (steps < 30) return `The pole falls after ${text} steps; with pushes at random it falls after about 20.`;
    // Only a mean of exactly 500 means that no pole fell.
    return steps === 500
      ? "It balances the pole for all 500 steps, in every try of the last test."
      : `It balances the pole for ${text} of 500 steps on average.`;
  },
  mountaincar: (negativeSteps) =>
    negativeSteps <= -199.5
      ? "It has never reached the flag: each attempt ends after 200 steps."
      : `It reaches the flag after ${formatInteger(-negativeSteps)} steps on average.`,
  acrobot: (negativeSteps) =>
    negativeSteps <= -499.5
      ? "It has never swung up to the line: each attempt ends after 500 steps."
      : `It swings up to the line in ${formatInteger(-negativeSteps)} steps on average.`,
  // The cost of a step grows with the angle, the speed and the force; hanging still costs 9.9 a step for 200 steps.
  pendulum: (negativeCost) => {
    const cost = `it loses ${formatInteger(-negativeCost)} points per attempt`;
    if (negativeCost < -1000) return `It swings without aim: ${cost}.`;
    if (negativeCost < -400) return `It swings up but does not stay there: ${cost}.`;
    return `It swings up and stays there: ${cost}.`;
  },
  own: (meanReturn) => `It scores ${formatNumber(meanReturn, 3)} in your world, on average.`,
};

export const story: Story = ({ settings, last, solved, lost }) => {
  const meanReturn = last("examReturn");
  if (!Number.isFinite(meanReturn)) return null;
  const world = settings["world"] as World;
  const successes = world === "own" ? last("successes") : NaN;
  const ends = Number.isFinite(successes) ? ` ${formatNumber(successes, 3)}% of its attempts end as a success.` : "";
  const sentence = (SENTENCES[world]?.(meanReturn) ?? "") + ends;
  if (lost) return `It has become worse. ${sentence}`;
  const invitation = settings["world"] === "own" ? "Try to do better." : "Push it.";
  return solved ? `Solved. ${sentence} ${invitation}` : sentence;
};

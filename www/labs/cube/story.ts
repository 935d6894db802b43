// The story of a run of the cube lab, by the percentage of states that it solves.

import { formatNumber } from "../../core/format";
import type { Story } from "../../ui/story";

/** The largest distance of a state of the 2x2x2 from solved, in quarter turns. */
const MAX_DISTANCE = 14;

export const story: Story = ({ settings, last, solved, lost }) => {
  const percent = last("solved");
  if (!Number.isFinite(percent)) return null;
  const isSmall = settings["puzzle"] !== "3x3x3";
  const states = isSmall && Number(settings["judge_within"]) >= MAX_DISTANCE ? "all states" : "the tested states";
  const text = `${formatNumber(percent, 3, "%").replace("<", "less than ")}% of ${states}`;
  if (lost) return `It has become worse: it solves ${text}.`;
  if (percent === 100) return "Goal reached: it solves every tested state. Scramble the cube for it.";
  if (solved) return `Goal reached: it solves ${text}. Scramble the cube for it.`;
  if (percent === 0) return `It solves none of ${states} so far.`;
  if (percent < 1 && isSmall) return `So far it solves ${text}, those next to the solved cube.`;
  return `It solves ${text}.`;
};

// The story of a run of the cube lab, by the percentage of states that it solves.

import { formatNumber } from "../../core/format";
import type { Story } from "../../ui/story";

export const story: Story = ({ settings, last, solved, lost }) => {
  const percent = last("solved");
  if (!Number.isFinite(percent)) return null;
  const text = `${formatNumber(percent, 3, "%").replace("<", "less than ")}% of the tested states`;
  if (lost) return `It has become worse: it solves ${text}.`;
  if (percent === 100) return "Solved: it solves every tested state. Scramble the cube for it.";
  if (solved) return `Solved: it solves ${text}. Scramble the cube for it.`;
  if (percent < 1 && settings["puzzle"] === "3x3x3") return "It knows nothing: it solves none of the tested states.";
  if (percent < 1) return `It knows nothing: it solves ${text}, those next to the solved cube.`;
  return `It solves ${text}.`;
};

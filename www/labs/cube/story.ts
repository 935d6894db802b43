// The story of a run of the cube lab, by the percentage of states that it solves.

import { formatCount, formatNumber } from "../../core/format";
import type { Story } from "../../ui/story";
import { clearlyBelow, worseWords } from "../../ui/worse-words";

/** The largest distance of a state of the 2x2x2 from solved, in quarter turns. */
const MAX_DISTANCE = 14;

export const story: Story = ({ settings, last, measured, solved, lost }) => {
  const percent = last("solved");
  if (!Number.isFinite(percent)) return null;
  const isSmall = settings["puzzle"] !== "3x3x3";
  const [within, scrambled] = [Number(settings["judge_within"]), Number(settings["evaluate_scramble"])];
  const all = within >= MAX_DISTANCE ? "all states" : `the states within ${formatCount(within, "turn")} of solved`;
  // The 3x3x3 has too many states, so a test is a sample.
  const isShort = !isSmall && scrambled > 0;
  const sample = isShort ? `cubes, scrambled by ${formatCount(scrambled, "turn")}` : "random cubes";
  const states = isSmall ? all : `the tested ${sample}`;
  const text = `${formatNumber(percent, 3, "%").replace("<", "less than ")}% of ${states}`;
  if (lost) return `${worseWords(measured("solved").values, 0)}: it solves ${text}.`;
  if (solved || percent === 100)
    return `Goal reached: it solves ${text}. Scramble the cube for it${isShort ? `, by at most ${formatCount(scrambled, "turn")}` : ""}.`;
  // Of the 3x3x3 it is not known how exact a test is.
  const best = isSmall ? clearlyBelow(measured("solved").values, 0) : NaN;
  const fell = Number.isFinite(best) ? ` An earlier test was better: ${formatNumber(best, 3, "%")}%.` : "";
  if (percent > 0) return `It solves ${text}.${fell}`;
  const hasSolved = measured("solved").values.some((value) => value > 0);
  const when = hasSolved ? `now.${fell}` : "so far.";
  return `It solves ${states === "all states" ? "no state" : `none of ${states}`} ${when}`;
};

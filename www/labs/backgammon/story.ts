// The story of a run of the backgammon lab, by its points per game against pubeval.

import { formatNumber } from "../../core/format";
import type { Story } from "../../ui/story";

/** A player that moves at random loses about 2.4 points a game. */
const NEARLY_RANDOM_EQUITY = -1.5;

export const story: Story = ({ last, solved, lost }) => {
  const [points, margin] = [last("points"), last("margin")];
  if (!Number.isFinite(points)) return null;
  const text = `${formatNumber(Math.abs(points), 2)} points a game`;
  const even = Math.abs(points) <= (Number.isFinite(margin) ? margin : 0);
  if (lost)
    return `It has become worse: ${points < 0 ? "it loses" : "it wins only"} ${text} against the program pubeval.`;
  if (points < NEARLY_RANDOM_EQUITY) return `It plays almost at random: it loses ${text} to the program pubeval.`;
  if (even) return "It is as strong as the program pubeval.";
  if (points < 0) return `It loses ${text} to the program pubeval.`;
  return solved
    ? `Solved: it wins ${text} against the program pubeval. Play against it.`
    : `It wins ${text} against the program pubeval.`;
};

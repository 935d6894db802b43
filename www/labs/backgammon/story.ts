// The story of a run of the backgammon lab, by its points per game against pubeval.

import { formatMeasured } from "../../core/format";
import type { Story } from "../../ui/story";
import { clearlyBelow } from "../../ui/worse-words";

/**
 * A player that moves at random loses about 2.4 points a game. A test whose interval reaches this loss may be one of
 * random play.
 */
const RANDOM_LOSS = 2.3;
/** What random play scores. */
const RANDOM_POINTS = -2.4;
/** The fixed opponent of the tests, pubeval; the headline has its name. */
const PUBEVAL = "a simple program";

export const story: Story = ({ last, measured, solved, lost }) => {
  const [points, margin] = [last("points"), last("margin")];
  if (!Number.isFinite(points)) return null;
  const text = `${formatMeasured(Math.abs(points), margin, 2)} points a game`;
  const even = Math.abs(points) <= (Number.isFinite(margin) ? margin : 0);
  if (lost) return `It has become worse: ${points < 0 ? "it loses" : "it wins only"} ${text} against ${PUBEVAL}.`;
  if (points - (margin || 0) <= -RANDOM_LOSS) {
    const like = points <= RANDOM_POINTS ? "no better than at" : "almost at";
    return `It plays ${like} random: it loses ${text} to ${PUBEVAL}.`;
  }
  const best = clearlyBelow(measured("points").values, margin || Infinity);
  const fell = Number.isFinite(best)
    ? ` An earlier test was better: it ${best < 0 ? "lost only" : "won"} ${formatMeasured(Math.abs(best), margin, 2)}.`
    : "";
  if (even) return `It is about as strong as ${PUBEVAL}: the test cannot tell them apart.${fell}`;
  if (points < 0) return `It loses ${text} to ${PUBEVAL}.${fell}`;
  return solved ? `Solved: it wins ${text} against ${PUBEVAL}. Play it.` : `It wins ${text} against ${PUBEVAL}.${fell}`;
};

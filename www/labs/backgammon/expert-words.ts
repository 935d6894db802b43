// The strength of the expert, a trained network that the visitor can play against, and what the page says during such a
// game.

import { formatInteger } from "../../core/format";
import type { Introduction } from "../../ui/introduction";

/**
 * The expert's score against pubeval. It plays without lookahead and without the doubling cube, as on the board;
 * `margin` is half the width of the 95% interval of the points. Measured by `learnery eval
 * models/backgammon.safetensors --games 100000`. docs/results.md has the same, and the comparison with GNU Backgammon.
 */
export const STRENGTH = { pointsPerGame: 0.639, margin: 0.008, percentWon: 71.2, games: 100_000 };

export function introduceExpert(): Introduction {
  const { pointsPerGame, margin, percentWon, games } = STRENGTH;
  return {
    story:
      `You play the expert, a network that was trained before: it wins ${pointsPerGame.toFixed(2)} points a game ` +
      "against pubeval, a program from 1993, and is as strong as GNU Backgammon without lookahead. It does not learn here.",
    headline: {
      name: "the expert's score against pubeval",
      value: pointsPerGame.toFixed(2),
      unit: "points a game",
      comparison:
        `Measured before, in ${formatInteger(games)} games without the doubling cube: ` +
        `${pointsPerGame} ± ${margin}, ${percentWon}% won.`,
    },
    note: "“Watch” above the board shows the agent that learns, with its curve.",
  };
}

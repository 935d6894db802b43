// Duels of backgammon: games in pairs with the same dice and the sides exchanged, played by the tool `duel`.

import type { DuelPlan, LabDuel } from "../../core/duel/duel";
import type { Paired } from "../../core/duel/paired";
import { formatInteger } from "../../core/format";
import { Superseded } from "../../core/requests";
import { askApart } from "../../core/tools-worker";
import type { BackgammonDuelOutput } from "../../generated/protocol";

/** Games of a duel: half as many pairs. */
const GAMES = 1000;

const play: DuelPlan["play"] = async ([first, second], progress, signal) => {
  const { output, partial } = await askApart(
    "backgammon",
    first.bundle,
    "duel",
    { against: "the second agent", games: GAMES },
    // The file is transferred to the worker.
    { source: first.bytes, file: second.bytes.slice(), onProgress: ({ share }) => progress(share), signal },
  );
  if (partial || !output) throw new Superseded();
  return resultOf(output);
};

/** The score as a comparison of pairs of games. */
export function resultOf({ points, margin, pairs, games, wins }: BackgammonDuelOutput): Paired {
  return {
    tasks: pairs,
    means: [points, -points],
    lead: points,
    margin,
    won: [wins, games - wins],
    isChance: Math.abs(points) <= margin,
  };
}

export const duel: LabDuel = {
  plan: () => ({
    rule: `Both play ${formatInteger(GAMES)} games against each other without the doubling cube, in pairs: both games of a pair have the same dice, with the sides exchanged. Each chooses the play after which its network values the position highest; neither looks further ahead. Whoever wins more points is better; a gammon counts two, a backgammon three.`,
    unit: "points a game",
    digits: 3,
    lead: (number) => `${number} points a game`,
    counts: "pairs of games",
    wonCounts: "games",
    play,
  }),
};

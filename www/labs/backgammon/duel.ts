// Duels of backgammon: games in pairs with the same dice and the sides exchanged, played by the tool `duel`; then one
// match with the doubling cube, played by the tool `match`, which decides nothing.

import type { DuelPlan, Exhibition, LabDuel, Pair } from "../../core/duel/duel";
import type { Paired } from "../../core/duel/paired";
import { formatCount, formatInteger } from "../../core/format";
import { Superseded } from "../../core/requests";
import { askApart } from "../../core/tools-worker";
import type { BackgammonDuelOutput, BackgammonMatchOutput } from "../../generated/protocol";

/** Games of a duel: half as many pairs. */
const GAMES = 1000;
/** Points that win the match. */
const MATCH_LENGTH = 7;

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

async function playMatch([first, second]: Pair, signal: AbortSignal): Promise<Exhibition> {
  const { output, partial } = await askApart(
    "backgammon",
    first.bundle,
    "match",
    { against: "the second agent", length: MATCH_LENGTH },
    { source: first.bytes, file: second.bytes.slice(), signal },
  );
  if (partial || !output) throw new Superseded();
  return {
    text: matchText(output),
    file: { label: "Save the match", name: "learnery-match.mat", bytes: new TextEncoder().encode(output.file) },
  };
}

/** How a match ended, and how little that says. */
export function matchText({ score: [first, second], length, games }: BackgammonMatchOutput): string {
  const [winner, won, lost] = first > second ? ["first", first, second] : ["second", second, first];
  return `They also played one match to ${formatCount(length, "point")} with the doubling cube. The ${winner} agent won it ${won} to ${lost}, in ${formatCount(games, "game")}. A single match says little about who is better, because luck decides much of it. To see what each decision cost, save the match and choose “Analyse a match file”.`;
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
    exhibition: playMatch,
  }),
};

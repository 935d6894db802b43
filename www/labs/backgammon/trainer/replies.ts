// Which rolls of the opponent cost more after a chosen play than after the best play. For each of the 21 rolls the
// network values the opponent's best play, without lookahead.

import { parsePlay } from "../game-record";
import { stakesOf } from "../match-file/decision-xgid";
import { applyMove, copyPosition, opponent, readPosition, type Side } from "../position";
import { writeXgid } from "../set-up/xgid";
import type { Card } from "./card";
import type { JudgedPlay } from "./options";

export interface CostlyRoll {
  dice: readonly [number, number];
  /** The equity that the roll gives the opponent after the chosen play, less that after the best play. */
  loss: number;
}

/** Resolves to the legal plays of an XGID, the best first; null if they could not be judged. */
export type AskPlays = (position: string, plies: number) => Promise<readonly JudgedPlay[] | null>;

/** How many rolls are named at most. */
const MAX_ROLLS = 3;
/** Rolls with a smaller loss are not named. */
const MIN_LOSS = 0.1;

/** The 21 different rolls of two dice, the higher number first. */
const ROLLS: [number, number][] = [6, 5, 4, 3, 2, 1].flatMap((high) =>
  Array.from({ length: high }, (_, i): [number, number] => [high, high - i]),
);

/** The position after a play, with a roll of the opponent, as an XGID. */
export function xgidAfter(card: Card, play: string, dice: readonly [number, number]): string {
  const side = card.decision.player as Side;
  const position = copyPosition(readPosition(card.decision.board));
  for (const move of parsePlay(play)) applyMove(position, side, move);
  return writeXgid({ position, side: opponent(side), dice }, stakesOf(card));
}

/**
 * The rolls that cost most beyond what they cost after the play `best`, the worst first. The list is empty if the
 * network cannot be asked.
 */
export async function costlyRolls(card: Card, play: string, best: string, ask: AskPlays): Promise<CostlyRoll[]> {
  const replies: CostlyRoll[] = [];
  for (const dice of ROLLS) {
    // One after the other, so that a question about the next card need not wait for all of them.
    const equities = [];
    for (const each of [play, best]) {
      const plays = await ask(xgidAfter(card, each, dice), 0);
      if (!plays) return [];
      equities.push(plays[0]?.equity);
    }
    const [after, afterBest] = equities;
    if (after !== undefined && afterBest !== undefined) replies.push({ dice, loss: after - afterBest });
  }
  return replies
    .filter(({ loss }) => loss >= MIN_LOSS)
    .sort((a, b) => b.loss - a.loss)
    .slice(0, MAX_ROLLS);
}

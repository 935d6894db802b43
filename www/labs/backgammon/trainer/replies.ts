// Which rolls of the opponent hurt after a play, compared with the best one: the network values the best reply to each
// of the 21 rolls, without lookahead.

import { parsePlay } from "../game-record";
import { applyMove, copyPosition, opponent, readPosition, type Side } from "../position";
import { writeXgid } from "../set-up/xgid";
import type { Card } from "./card";
import type { JudgedPlay } from "./options";

export interface HurtingReply {
  dice: readonly [number, number];
  /** How much more equity the roll costs than after the best play. */
  loss: number;
}

/** Resolves to the plays of a position, the best first; null if that cannot be found out. */
export type AskPlays = (position: string, plies: number) => Promise<readonly JudgedPlay[] | null>;

/** At most so many rolls are named, and only those that hurt so much more. */
const MAX_REPLIES = 3;
const MIN_LOSS = 0.1;

const ROLLS: [number, number][] = [6, 5, 4, 3, 2, 1].flatMap((high) =>
  Array.from({ length: high }, (_, i): [number, number] => [high, high - i]),
);

/** The position of a card with its roll, as an XGID. */
export function positionOf(card: Card): string {
  const { board, player, dice } = card.decision;
  return writeXgid(
    { position: readPosition(board), side: player as Side, dice: dice[0] > 0 ? dice : null },
    stakesOf(card),
  );
}

/** The position after a play, with a roll of the opponent. */
export function positionAfter(card: Card, play: string, dice: readonly [number, number]): string {
  const side = card.decision.player as Side;
  const position = copyPosition(readPosition(card.decision.board));
  for (const move of parsePlay(play)) applyMove(position, side, move);
  return writeXgid({ position, side: opponent(side), dice }, stakesOf(card));
}

function stakesOf({ decision: { cube, owner, score }, length, crawford }: Card) {
  return { cube, owner, score, length, crawford, beavers: false };
}

/** The rolls that hurt more after `play` than after `best`, the worst first. */
export async function hurtingReplies(card: Card, play: string, best: string, ask: AskPlays): Promise<HurtingReply[]> {
  const replies: HurtingReply[] = [];
  for (const dice of ROLLS) {
    // One after the other, so that a question about the next card need not wait for all of them.
    const equities = [];
    for (const each of [play, best]) {
      const plays = await ask(positionAfter(card, each, dice), 0);
      if (!plays) return [];
      equities.push(plays[0]?.equity);
    }
    const [after, afterBest] = equities;
    if (after !== undefined && afterBest !== undefined) replies.push({ dice, loss: after - afterBest });
  }
  return replies
    .filter(({ loss }) => loss >= MIN_LOSS)
    .sort((a, b) => b.loss - a.loss)
    .slice(0, MAX_REPLIES);
}

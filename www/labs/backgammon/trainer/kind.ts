// The kind of a position, by which a visitor chooses what to practise. The rules are simple ones of our own; experts
// would not always agree.

import type { BackgammonAnalysedDecision } from "../../../generated/protocol";
import { BAR, OFF, mirrored, opponent, readPosition, SIDES, type Position, type Side } from "../position";

export const KINDS = ["cube", "opening", "race", "blitz", "prime", "contact"] as const;
export type Kind = (typeof KINDS)[number];

export const KIND_NAMES: Record<Kind, string> = {
  cube: "Cube",
  opening: "Opening",
  race: "Race",
  blitz: "Blitz",
  prime: "Prime",
  contact: "Other",
};

/** What a kind means, for titles. */
export const KIND_HELP: Record<Kind, string> = {
  cube: "Doubling, taking and passing",
  opening: "The first two turns of each side",
  race: "The sides have passed each other",
  blitz: "An attack on single checkers in one's home board, or on the bar",
  prime: "Four made points or more in a row, with a checker of the other side behind them",
  contact: "All other positions",
};

/** Turns of both sides together that count as the opening. */
const OPENING_TURNS = 4;
/** The last point of a home board, in the numbering of its side. */
const HOME = 6;
/** A prime has at least this many points in a row. */
const PRIME_LENGTH = 4;
/** A blitz has at least this many checkers of the attacker in or near its home board. */
const BLITZ_CHECKERS = 10;
/** How far from home a checker takes part in a blitz. */
const NEAR_HOME = 11;

export function kindOf({ cubeReview, turn, board }: BackgammonAnalysedDecision): Kind {
  if (cubeReview) return "cube";
  const position = readPosition(board);
  if (isRace(position)) return "race";
  if (turn < OPENING_TURNS) return "opening";
  if (SIDES.some((side) => isPrime(position, side))) return "prime";
  if (SIDES.some((side) => isBlitz(position, side))) return "blitz";
  return "contact";
}

/** Whether no checker can be hit any more. */
function isRace(position: Position): boolean {
  const [south, north] = SIDES.map((side) => position[side].findLastIndex((count, place) => place > OFF && count > 0));
  // Both are the place farthest from home, each in its own numbering.
  return (south ?? OFF) < mirrored(north ?? OFF);
}

/**
 * Whether the opponent is on the bar or has single checkers in a side's home board, but holds no point there, and many
 * of the side's checkers are near.
 */
function isBlitz(position: Position, side: Side): boolean {
  const [own, other] = [position[side], position[opponent(side)]];
  const inHome = range(1, HOME).map((point) => other[mirrored(point)] ?? 0);
  if (inHome.some((count) => count >= 2)) return false;
  const targets = (other[BAR] ?? 0) + inHome.filter((count) => count === 1).length;
  const near = own.slice(1, NEAR_HOME + 1).reduce((sum, count) => sum + count, 0);
  return targets > 0 && near >= BLITZ_CHECKERS;
}

/** Whether a side has made a row of points behind which an opponent's checker stands. */
function isPrime(position: Position, side: Side): boolean {
  const [own, other] = [position[side], position[opponent(side)]];
  let length = 0;
  for (let point = 24; point >= 1; point--) {
    length = (own[point] ?? 0) >= 2 ? length + 1 : 0;
    if (length < PRIME_LENGTH) continue;
    // `point` is the lowest of the row. The opponent's checkers come from lower points of this side, and from the bar.
    const behind = (other[BAR] ?? 0) + range(1, point - 1).reduce((sum, p) => sum + (other[mirrored(p)] ?? 0), 0);
    if (behind > 0) return true;
  }
  return false;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}

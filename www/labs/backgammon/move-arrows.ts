// Chooses the arrows to draw on the board: the agent's candidate plays for the present roll, or, when an earlier turn
// is reviewed, that turn's play and the best play. A play is what a side does with a roll; it consists of moves.

import type { MoveArrow } from "./arrows";
import { readMoves, type Move } from "./position";
import { parsePlay, type RecordedTurn } from "./game-record";
import type { BackgammonCandidate, BackgammonReview, BackgammonStage } from "../../generated/protocol";
import { describeError } from "./wording";

/** Moves with a smaller fraction of the search's visits have no arrow, unless they are those of the best play. */
const MIN_VISITS = 0.08;
// Weights (see `MoveArrow`) of arrows that do not show visits.
/** The play under the pointer. */
const POINTED_WEIGHT = 0.7;
/** The best play, which the agent makes. */
const BEST_WEIGHT = 0.6;
/** At most, a move of other plays that the search visits. So the thickest arrows are those of the play that is made. */
const MAX_VISITED_WEIGHT = 0.4;
/** The play of a reviewed turn, and the best play for that turn. */
const REVIEWED_WEIGHT = 0.5;
const REVIEWED_BEST_WEIGHT = 0.6;

/**
 * Arrows for the play whose index in the list is `pointed`. If it is null, arrows for the best play
 * and, if the agent searches, for all moves that the search has visited often.
 */
export function candidateArrows({ candidates, simulations }: BackgammonStage, pointed: number | null): MoveArrow[] {
  const candidate = candidates[pointed ?? -1];
  if (candidate) return [{ moves: readMoves(candidate.moves), weight: POINTED_WEIGHT, tone: "candidate" }];
  if (simulations > 0) return visitArrows(candidates);
  return candidates
    .slice(0, 1)
    .map((best) => ({ moves: readMoves(best.moves), weight: BEST_WEIGHT, tone: "candidate" }));
}

/** The play of an earlier turn, and also the best play if that turn was an error. */
export function earlierArrows(turn: RecordedTurn, review: BackgammonReview | null): MoveArrow[] {
  const arrow: MoveArrow = { moves: parsePlay(turn.notation), weight: REVIEWED_WEIGHT, tone: "candidate" };
  if (!review || describeError(review.cost) === "") return [arrow];
  return [
    { ...arrow, tone: "played" },
    { moves: readMoves(review.bestMoves), weight: REVIEWED_BEST_WEIGHT, tone: "best" },
  ];
}

/** The moves of the best play, and those of others that the search has visited often, the more the thicker. */
function visitArrows(candidates: BackgammonCandidate[]): MoveArrow[] {
  const best = new Set(candidates.slice(0, 1).flatMap((play) => readMoves(play.moves).map(keyOf)));
  const arrows = new Map<string, MoveArrow>();
  for (const { moves: numbers, visits } of candidates) {
    // A play may contain the same move several times; its visits count once.
    const moves = new Map(readMoves(numbers).map((move) => [keyOf(move), move]));
    for (const [key, move] of moves) {
      const known = arrows.get(key);
      if (known) known.weight = Math.min(1, known.weight + visits);
      else arrows.set(key, { moves: [move], weight: visits, tone: "candidate" });
    }
  }
  return [...arrows]
    .filter(([key, { weight }]) => weight >= MIN_VISITS || best.has(key))
    .map(([key, arrow]) => ({ ...arrow, weight: best.has(key) ? BEST_WEIGHT : MAX_VISITED_WEIGHT * arrow.weight }));
}

/** What tells two moves of one position apart. */
function keyOf({ from, to }: Move): string {
  return `${from}/${to}`;
}

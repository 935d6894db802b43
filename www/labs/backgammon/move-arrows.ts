// Chooses the arrows to draw on the board: the agent's candidate plays for the present roll, or, in a review, the play
// of an earlier turn and the best play.

import type { MoveArrow } from "./arrows";
import { readMoves } from "./position";
import { parsePlay, type RecordedTurn } from "./game-record";
import type { BackgammonCandidate, BackgammonReview, BackgammonStage } from "../../generated/protocol";
import { describeError } from "./wording";

/** Moves with a smaller fraction of the search's visits have no arrow. */
const MIN_VISITS = 0.08;
/** Weights of arrows that do not show visits. */
const POINTED_WEIGHT = 0.7;
const BEST_WEIGHT = 0.45;
const REVIEWED_WEIGHT = 0.5;
const REVIEWED_BEST_WEIGHT = 0.6;

/**
 * Arrows for the play under the pointer in the list; without one, for the searched moves; without a search, for the
 * best.
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

/** Single moves, each with the visits of all plays that contain it. */
function visitArrows(candidates: BackgammonCandidate[]): MoveArrow[] {
  const arrows = new Map<string, MoveArrow>();
  for (const { moves: numbers, visits } of candidates) {
    // A play may contain the same move several times; its visits count once.
    const moves = new Map(readMoves(numbers).map((move) => [`${move.from}/${move.to}`, move]));
    for (const [key, move] of moves) {
      const known = arrows.get(key);
      if (known) known.weight = Math.min(1, known.weight + visits);
      else arrows.set(key, { moves: [move], weight: visits, tone: "candidate" });
    }
  }
  return [...arrows.values()].filter(({ weight }) => weight >= MIN_VISITS);
}

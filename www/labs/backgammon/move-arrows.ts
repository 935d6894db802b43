// Which arrows are drawn: the agent's candidates for the roll, or what was played at an earlier turn and what would
// have been best.

import type { MoveArrow } from "./arrows";
import { readMoves } from "./position";
import { parsePlay, type RecordedTurn } from "./game-record";
import type { BackgammonCandidate, BackgammonReview, BackgammonStage } from "../../generated/protocol";
import { describeError } from "./wording";

/** Moves with a smaller fraction of the visits have no arrow. */
const LEAST_VISITS = 0.08;

/** The play under the pointer; or each searched move with its visits; or the best play. */
export function candidateArrows({ candidates, simulations }: BackgammonStage, pointed: number | null): MoveArrow[] {
  const one = candidates[pointed ?? -1];
  if (one) return [{ moves: readMoves(one.moves), weight: 0.7, tone: "candidate" }];
  if (simulations > 0) return visitArrows(candidates);
  return candidates.slice(0, 1).map((best) => ({ moves: readMoves(best.moves), weight: 0.45, tone: "candidate" }));
}

/** The play of an earlier turn, and beside a bad one the best play. */
export function earlierArrows(line: RecordedTurn, review: BackgammonReview | null): MoveArrow[] {
  const arrow: MoveArrow = { moves: parsePlay(line.notation), weight: 0.5, tone: "candidate" };
  if (!review || describeError(review.cost) === "") return [arrow];
  return [
    { ...arrow, tone: "played" },
    { moves: readMoves(review.bestMoves), weight: 0.6, tone: "best" },
  ];
}

/** Single moves, each with the visits of all plays that contain it. */
function visitArrows(candidates: BackgammonCandidate[]): MoveArrow[] {
  const arrows = new Map<string, MoveArrow>();
  for (const { moves: flat, visits } of candidates) {
    const steps = new Map(readMoves(flat).map((step) => [`${step.from}/${step.to}`, step]));
    for (const [key, step] of steps) {
      const known = arrows.get(key);
      if (known) known.weight = Math.min(1, known.weight + visits);
      else arrows.set(key, { moves: [step], weight: visits, tone: "candidate" });
    }
  }
  return [...arrows.values()].filter(({ weight }) => weight >= LEAST_VISITS);
}

// Which arrows there are: what the agent has in mind for the throw, or what an earlier turn was and should have been.

import type { Wish } from "./arrows";
import { moves } from "./position";
import { parse, type Line } from "./record";
import type { BackgammonCandidate, BackgammonReview, BackgammonStage } from "../../generated/protocol";
import { blunder } from "./words";

/** A move in plays with fewer of the visits than this has no arrow. */
const SEEN = 0.08;

/** The play that is pointed at; or the moves that were looked at, the wider the more; or the best play. */
export function thoughts({ candidates, simulations }: BackgammonStage, pointed: number | null): Wish[] {
  const one = candidates[pointed ?? -1];
  if (one) return [{ moves: moves(one.moves), weight: 0.7, tone: "thought" }];
  if (simulations > 0) return visited(candidates);
  return candidates.slice(0, 1).map((best) => ({ moves: moves(best.moves), weight: 0.45, tone: "thought" }));
}

/** An earlier turn; with a better play beside it where it was a bad one. */
export function played(line: Line, review: BackgammonReview | null): Wish[] {
  const wish: Wish = { moves: parse(line.notation), weight: 0.5, tone: "thought" };
  if (!review || blunder(review.cost) === "") return [wish];
  return [
    { ...wish, tone: "played" },
    { moves: moves(review.bestMoves), weight: 0.6, tone: "best" },
  ];
}

/** Single moves, each with the visits of all plays it is part of. */
function visited(candidates: BackgammonCandidate[]): Wish[] {
  const wishes = new Map<string, Wish>();
  for (const { moves: flat, visits } of candidates) {
    const steps = new Map(moves(flat).map((step) => [`${step.from}/${step.to}`, step]));
    for (const [key, step] of steps) {
      const known = wishes.get(key);
      if (known) known.weight = Math.min(1, known.weight + visits);
      else wishes.set(key, { moves: [step], weight: visits, tone: "thought" });
    }
  }
  return [...wishes.values()].filter(({ weight }) => weight >= SEEN);
}

// Scrambles of the 3×3×3.

import { FACES, moveOf, type Move } from "../space";
import type { CubeMetric } from "../../../generated/protocol";

/** Random turns. No face is turned twice in a row, and no axis three times. */
export function randomTurns(length: number, metric: CubeMetric, random = Math.random): Move[] {
  const suffixes = metric === "half" ? ["", "'", "2"] : ["", "'"];
  const all = [...FACES].flatMap((face) => suffixes.map((suffix) => moveOf(face + suffix)));
  const moves: Move[] = [];
  while (moves.length < length) {
    const [last, beforeLast] = [moves.at(-1), moves.at(-2)];
    const isSameFace = (a: Move, b: Move | undefined) => a.axis === b?.axis && a.end === b.end;
    const allowed = all.filter((move) => {
      // Turns of opposite faces commute, so after U D, another U would undo or repeat the first turn.
      if (beforeLast?.axis === move.axis && last?.axis === move.axis) return false;
      return !isSameFace(move, last);
    });
    moves.push(allowed[Math.floor(random() * allowed.length)] as Move);
  }
  return moves;
}

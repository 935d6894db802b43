// Until a visitor takes it in hand, the cube is scrambled and solved again and again: somewhat deeper than what the
// learner mostly solves, so that one sees it get better.

import { moveOf, type Move } from "./space";
import type { CubeMetric, CubeView } from "../../generated/protocol";
import type { CubeMirror } from "./cube-mirror";

/** Seconds until it begins to solve a scrambled cube, and until the next scramble once that has ended. */
const THINKING = 1.1;
const DONE = { solved: 2.2, stuck: 2 };
/** A learner that knows little may wander about for long: it is not watched for more turns than this. */
const LOST = 24;
/** It goes one turn beyond the distances of which it solves at least so much. */
const MOSTLY = 0.7;
const SHALLOWEST = 3;

export class AutoPlay {
  /** Whether it goes on by itself. */
  on = true;
  /** Whether it has just given up an attempt that went on too long. */
  gaveUp = false;
  #waited = 0;

  constructor(
    readonly cube: CubeMirror,
    readonly scramble: (turns: number) => void,
    readonly solve: () => void,
  ) {}

  /** Waits anew. */
  reset(): void {
    this.#waited = 0;
  }

  draw({ stage, metric }: CubeView, shares: Float32Array, seconds: number): void {
    if (stage.attempt === "solving" || stage.distance === 0 || !this.on) this.gaveUp = false;
    if (this.on && stage.attempt === "solving" && this.cube.made.length >= LOST) {
      this.gaveUp = true;
      this.cube.stop();
    }
    if (!this.on || this.cube.animation.busy || stage.attempt === "solving") return void (this.#waited = 0);
    this.#waited += seconds;
    const fresh = stage.attempt === "idle" && stage.distance > 0 && !this.gaveUp;
    const until = fresh ? THINKING : stage.attempt === "stuck" || this.gaveUp ? DONE.stuck : DONE.solved;
    if (this.#waited < until) return;
    this.#waited = 0;
    this.gaveUp = false;
    if (fresh) this.solve();
    else this.scramble(depthFor(shares, metric));
  }
}

/** How far to scramble for a learner that solves these shares. */
function depthFor(shares: Float32Array, metric: CubeMetric): number {
  let depth = 0;
  while (depth + 1 < shares.length && (shares[depth + 1] as number) >= MOSTLY) depth++;
  const deepest = metric === "half" ? 11 : 14;
  return Math.min(deepest, Math.max(SHALLOWEST, depth + 1));
}

/** Random turns of which none undoes the one before. */
export function randomMoves(turns: number, metric: CubeMetric, random = Math.random): Move[] {
  const endings = metric === "half" ? ["", "'", "2"] : ["", "'"];
  const all = [..."URF"].flatMap((face) => endings.map((ending) => moveOf(face + ending)));
  const moves: Move[] = [];
  while (moves.length < turns) {
    const [last, before] = [moves.at(-1), moves.at(-2)];
    const fits = all.filter((move) => {
      if (move.axis !== last?.axis) return true;
      // The same quarter turn twice leads on, a third time back.
      return metric === "quarter" && move.quarters === last.quarters && before?.axis !== move.axis;
    });
    moves.push(fits[Math.floor(random() * fits.length)] as Move);
  }
  return moves;
}

// Scrambles and solves the cube again and again until a visitor takes over. The scrambles are slightly deeper than what
// the learner mostly solves, so that its progress shows.

import { moveOf, type Move } from "./space";
import type { CubeMetric, CubeView } from "../../generated/protocol";
import type { CubeMirror } from "./cube-mirror";

/** Seconds before it starts to solve, and before the next scramble. */
const SECONDS_BEFORE_SOLVING = 1.1;
const SECONDS_AFTER = { solved: 2.2, stuck: 2 };
/** A learner that knows little may turn the cube for a long time. It gives up after so many turns. */
const MOST_TURNS = 24;
/** The scramble is one turn deeper than the distances of which at least this fraction is solved. */
const SOLVED_FRACTION = 0.7;
const SHALLOWEST = 3;

export class AutoPlay {
  /** Whether the automatic play is on. */
  on = true;
  /** Whether it has just given up. */
  gaveUp = false;
  #waited = 0;

  constructor(
    readonly cube: CubeMirror,
    readonly scramble: (turns: number) => void,
    readonly solve: () => void,
  ) {}

  reset(): void {
    this.#waited = 0;
  }

  draw({ stage, metric }: CubeView, shares: Float32Array, seconds: number): void {
    if (stage.attempt === "solving" || stage.distance === 0 || !this.on) this.gaveUp = false;
    if (this.on && stage.attempt === "solving" && this.cube.turnsMade.length >= MOST_TURNS) {
      this.gaveUp = true;
      this.cube.stop();
    }
    if (!this.on || this.cube.animation.busy || stage.attempt === "solving") return void (this.#waited = 0);
    this.#waited += seconds;
    const fresh = stage.attempt === "idle" && stage.distance > 0 && !this.gaveUp;
    const until = fresh
      ? SECONDS_BEFORE_SOLVING
      : stage.attempt === "stuck" || this.gaveUp
        ? SECONDS_AFTER.stuck
        : SECONDS_AFTER.solved;
    if (this.#waited < until) return;
    this.#waited = 0;
    this.gaveUp = false;
    if (fresh) this.solve();
    else this.scramble(depthFor(shares, metric));
  }
}

/** The depth of a scramble for a learner that solves these fractions of the states at each distance. */
function depthFor(shares: Float32Array, metric: CubeMetric): number {
  let depth = 0;
  while (depth + 1 < shares.length && (shares[depth + 1] as number) >= SOLVED_FRACTION) depth++;
  const deepest = metric === "half" ? 11 : 14;
  return Math.min(deepest, Math.max(SHALLOWEST, depth + 1));
}

/** Random turns, none of which undoes the one before. */
export function randomMoves(turns: number, metric: CubeMetric, random = Math.random): Move[] {
  const endings = metric === "half" ? ["", "'", "2"] : ["", "'"];
  const all = [..."URF"].flatMap((face) => endings.map((ending) => moveOf(face + ending)));
  const moves: Move[] = [];
  while (moves.length < turns) {
    const [last, before] = [moves.at(-1), moves.at(-2)];
    const fits = all.filter((move) => {
      if (move.axis !== last?.axis) return true;
      // The same quarter turn twice leads on; a third time would lead back.
      return metric === "quarter" && move.quarters === last.quarters && before?.axis !== move.axis;
    });
    moves.push(fits[Math.floor(random() * fits.length)] as Move);
  }
  return moves;
}

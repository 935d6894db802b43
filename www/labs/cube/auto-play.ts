// Automatic play on the cube lab's stage (its interactive picture): scrambles the cube and lets the agent solve it,
// again and again, until a visitor takes over. Scrambles are one turn deeper than what the agent mostly solves, so that
// a visitor sees its progress.

import { moveOf, type Move } from "./space";
import type { CubeMetric, CubeSmallView } from "../../generated/protocol";
import type { CubeMirror } from "./cube-mirror";

/** Seconds from a scramble to the start of an attempt, and from the end of an attempt to the next scramble. */
const SECONDS_BEFORE_SOLVING = 1.1;
const SECONDS_AFTER = { solved: 2.2, stuck: 2 };
/** An untrained agent may turn the cube for a long time. The attempt is given up after this many turns. */
const MAX_ATTEMPT_TURNS = 24;
/** A distance counts as mostly solved if the agent solves at least this fraction of its states. */
const SOLVED_FRACTION = 0.7;
/**
 * The shortest scramble, and the longest, which is the largest distance of any state from solved. A half turn counts as
 * two turns in the metric "quarter" and as one in "half".
 */
const MIN_SCRAMBLE_TURNS = 3;
const MAX_SCRAMBLE_TURNS: Record<CubeMetric, number> = { quarter: 14, half: 11 };

export class AutoPlay {
  /** Whether the automatic play is on. */
  on = true;
  /** Whether the last attempt was given up. */
  gaveUp = false;
  /** Seconds since the cube came to rest. */
  #waited = 0;

  constructor(
    readonly cube: CubeMirror,
    readonly scramble: (turns: number) => void,
    readonly solve: () => void,
  ) {}

  reset(): void {
    this.#waited = 0;
  }

  /** Advances the play by `seconds`. `solvedByDistance[d]` is the solved fraction of the states at distance d. */
  advance({ stage, metric }: CubeSmallView, solvedByDistance: Float32Array, seconds: number): void {
    if (stage.attempt === "solving" || stage.distance === 0 || !this.on) this.gaveUp = false;
    if (this.on && stage.attempt === "solving" && this.cube.turnsMade.length >= MAX_ATTEMPT_TURNS) {
      this.gaveUp = true;
      this.cube.stop();
    }
    if (!this.on || this.cube.animation.busy || stage.attempt === "solving") return void (this.#waited = 0);
    this.#waited += seconds;
    // The cube is at rest. Either it has been scrambled and the next attempt starts, or an attempt has ended and the
    // next scramble starts, after a pause that depends on the outcome.
    const isScrambled = stage.attempt === "idle" && stage.distance > 0 && !this.gaveUp;
    const hasFailed = stage.attempt === "stuck" || this.gaveUp;
    const secondsAfter = hasFailed ? SECONDS_AFTER.stuck : SECONDS_AFTER.solved;
    if (this.#waited < (isScrambled ? SECONDS_BEFORE_SOLVING : secondsAfter)) return;
    this.#waited = 0;
    this.gaveUp = false;
    if (isScrambled) this.solve();
    else this.scramble(scrambleDepth(solvedByDistance, metric));
  }
}

/** The depth of a scramble: one more than the distance up to which the agent mostly solves the cube. */
function scrambleDepth(solvedByDistance: Float32Array, metric: CubeMetric): number {
  // `!(… >= …)` counts NaN, a distance that has not been evaluated, as not solved.
  const firstUnsolved = solvedByDistance.findIndex((solved, distance) => distance > 0 && !(solved >= SOLVED_FRACTION));
  const depth = firstUnsolved < 0 ? solvedByDistance.length : firstUnsolved;
  return Math.min(MAX_SCRAMBLE_TURNS[metric], Math.max(MIN_SCRAMBLE_TURNS, depth));
}

/** Random turns of the three visible faces, such that no turn undoes the one before. */
export function randomMoves(turns: number, metric: CubeMetric, random = Math.random): Move[] {
  const suffixes = metric === "half" ? ["", "'", "2"] : ["", "'"];
  const all = [..."URF"].flatMap((face) => suffixes.map((suffix) => moveOf(face + suffix)));
  const moves: Move[] = [];
  while (moves.length < turns) {
    const [last, beforeLast] = [moves.at(-1), moves.at(-2)];
    const allowed = all.filter((move) => {
      if (move.axis !== last?.axis) return true;
      // In the quarter-turn metric a face may turn twice in the same direction. A third quarter turn would be one turn
      // in the other direction.
      return metric === "quarter" && move.quarters === last.quarters && beforeLast?.axis !== move.axis;
    });
    moves.push(allowed[Math.floor(random() * allowed.length)] as Move);
  }
  return moves;
}

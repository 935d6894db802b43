// The animation of the cube: turns one after the other, a layer or the whole cube in the visitor's hand, and the return
// to rest. It runs in its own animation frames, so that the visitor never waits for the learner.

import { reducedMotion, onTheme } from "../../core/theme";
import { CubeDrawing, TILT } from "./cube-drawing";
import { angleOf, ROTATIONS, rotateWhole, SOLVED, turn, UPS, type CubeState, type Move } from "./space";
import { apply, AXES, dot, IDENTITY, product, rotation, transposed, type Matrix, type Vec } from "./vectors";

/** Seconds of a quarter turn: by the visitor, by the learner, and in a scramble. */
export const PACE = { hand: 0.18, learner: 0.26, scramble: 0.085 };
/** Seconds in which the whole cube comes to rest, and of the spin after solving. */
const REST_SECONDS = 0.3;
const SPIN_SECONDS = 1.1;
/** How far a layer leans, in radians, to preview a turn. */
const LEAN = 0.17;
const LEAN_SECONDS = 0.09;

interface Turning {
  move: Move;
  from: number;
  to: number;
  seconds: number;
  passed: number;
}

export class CubeAnimation {
  readonly drawing = new CubeDrawing();
  /** The state before the turns that are still queued. */
  #state: CubeState = { stickers: SOLVED, ups: UPS };
  #queue: { move: Move; seconds: number }[] = [];
  #turning: Turning | null = null;
  /** The layer that the visitor is dragging. */
  #heldLayer: { axis: number; end: number; angle: number } | null = null;
  #lean: { move: Move | null; layer: Move; angle: number } | null = null;
  /** Rotation of the whole cube relative to its usual orientation, which fades to none. */
  #offset: Matrix = IDENTITY;
  #free = false;
  #spin = 0;
  #frame = 0;
  #before = 0;
  #ready = false;
  #unsubscribe = onTheme(() => this.paint());

  get busy(): boolean {
    return this.#turning !== null || this.#queue.length > 0;
  }

  /** Whether the visitor is dragging a layer. */
  get holding(): boolean {
    return this.#heldLayer !== null;
  }

  /** The orientation of the cube on the screen. */
  get held(): Matrix {
    const spun = this.#spin > 0 ? rotation([0, 1, 0], 2 * Math.PI * ease(1 - this.#spin / SPIN_SECONDS)) : IDENTITY;
    return product(this.#offset, product(TILT, spun));
  }

  get state(): CubeState {
    return this.#state;
  }

  /** Shows a state without animation. */
  show(state: CubeState): void {
    this.#queue = [];
    this.#turning = this.#heldLayer = null;
    this.#state = state;
    this.#ready = true;
    this.paint();
  }

  /** Turns a layer after the turns that are still queued. */
  turn(move: Move, seconds: number): void {
    this.#queue.push({ move, seconds });
    if (reducedMotion()) this.finish();
    else this.#wake();
  }

  /** Ends all queued turns at once. */
  finish(): void {
    const left = [...(this.#turning ? [this.#turning.move] : []), ...this.#queue.map(({ move }) => move)];
    this.#queue = [];
    this.#turning = null;
    for (const move of left) this.#state = turn(this.#state, move);
    this.paint();
  }

  /** The visitor drags a layer to this angle. */
  hold(axis: number, end: number, angle: number): void {
    this.#lean = null;
    this.#heldLayer = { axis, end, angle };
    this.#wake();
  }

  /** The visitor lets go: the layer turns to the end of `move`, or back if there is none. */
  release(move: Move | null): void {
    const hand = this.#heldLayer;
    this.#heldLayer = null;
    if (!hand) return;
    const to = move ? angleOf(move) : 0;
    const nothing = { axis: hand.axis, end: hand.end as 1, quarters: 0 };
    const seconds = reducedMotion() ? 0 : PACE.hand * Math.min(1, Math.abs(to - hand.angle) / 1.2 + 0.25);
    this.#turning = { move: move ?? nothing, from: hand.angle, to, seconds, passed: 0 };
    this.#wake();
  }

  /** Leans a layer a little to preview a turn; null ends that. */
  lean(move: Move | null): void {
    if (reducedMotion()) return;
    if (!this.#lean || (move && (this.#lean.layer.axis !== move.axis || this.#lean.layer.end !== move.end))) {
      this.#lean = move && { move, layer: move, angle: 0 };
    } else this.#lean.move = move;
    this.#wake();
  }

  /** The visitor rotates the whole cube by angles on the screen. */
  orbit(right: number, down: number): void {
    this.#free = true;
    this.#spin = 0;
    const by = product(rotation([1, 0, 0], down), rotation([0, 1, 0], right));
    this.#offset = product(by, this.#offset);
    this.#wake();
  }

  /**
   * The visitor lets go of the whole cube, which comes to rest in the nearest of its 24 orientations. Returns that
   * rotation.
   */
  rest(): Matrix {
    this.#free = false;
    const now = product(this.#offset, TILT);
    let [best, most] = [IDENTITY, -Infinity];
    for (const rotation of ROTATIONS) {
      const alignment = product(TILT, rotation).reduce((sum, row, i) => sum + dot(row, now[i] as Vec), 0);
      if (alignment > most) [best, most] = [rotation, alignment];
    }
    this.rotate(best);
    return best;
  }

  /** Rotates the whole cube with an animation. */
  rotate(rotation: Matrix): void {
    this.finish();
    this.#state = rotateWhole(this.#state, rotation);
    const back = product(TILT, product(transposed(rotation), transposed(TILT)));
    this.#offset = reducedMotion() ? IDENTITY : product(this.#offset, back);
    this.#wake();
  }

  /** A whole rotation to celebrate. */
  spin(): void {
    if (!reducedMotion()) this.#spin = SPIN_SECONDS;
    this.#wake();
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame);
    this.#unsubscribe();
  }

  #wake(): void {
    if (this.#frame !== 0) return;
    this.#before = performance.now();
    this.#frame = requestAnimationFrame((now) => this.#tick(now));
  }

  #tick(now: number): void {
    const seconds = Math.min(0.1, Math.max(0, now - this.#before) / 1000);
    this.#before = now;
    const moving = this.#advance(seconds);
    this.paint();
    this.#frame = moving ? requestAnimationFrame((next) => this.#tick(next)) : 0;
  }

  /** Advances the animation. True while it goes on. */
  #advance(seconds: number): boolean {
    if (!this.#free) this.#offset = undone(this.#offset, 1 - Math.exp((-5 * seconds) / REST_SECONDS));
    this.#spin = Math.max(0, this.#spin - seconds);
    const leaning = this.#advanceLean(seconds);
    if (!this.#turning && !this.#heldLayer) this.#next();
    const turning = this.#turning;
    if (turning) {
      turning.passed += seconds;
      if (turning.passed >= turning.seconds) {
        this.#turning = null;
        if (turning.move.quarters !== 0) this.#state = turn(this.#state, turning.move);
        this.#next();
      }
    }
    return Boolean(this.#turning || leaning || this.#spin > 0 || this.#free || this.#offset !== IDENTITY);
  }

  #next(): void {
    const next = this.#queue.shift();
    if (!next) return;
    const { move, seconds } = next;
    const leans = this.#lean && this.#lean.layer.axis === move.axis && this.#lean.layer.end === move.end;
    const from = leans && this.#lean ? this.#lean.angle : 0;
    this.#lean = null;
    const length = move.quarters === 2 ? 1.5 : 1;
    this.#turning = { move, from, to: angleOf(move), seconds: seconds * length, passed: 0 };
  }

  #advanceLean(seconds: number): boolean {
    const lean = this.#lean;
    if (!lean || this.#turning) return false;
    const to = lean.move ? Math.sign(angleOf(lean.move)) * LEAN : 0;
    lean.angle += (to - lean.angle) * (1 - Math.exp(-seconds / LEAN_SECONDS));
    const there = Math.abs(to - lean.angle) < 0.002;
    if (there && !lean.move) this.#lean = null;
    return !there;
  }

  paint(): void {
    if (!this.#ready) return;
    const turning = this.#turning;
    let layer: { axis: number; end: number; angle: number } | undefined = this.#heldLayer ?? undefined;
    if (turning) {
      const share = turning.seconds > 0 ? ease(Math.min(1, turning.passed / turning.seconds)) : 1;
      layer = { ...turning.move, angle: turning.from + (turning.to - turning.from) * share };
    } else if (!layer && this.#lean) layer = { ...this.#lean.layer, angle: this.#lean.angle };
    this.drawing.draw(this.#state, { held: this.held, layer: layer?.end === 0 ? undefined : layer });
  }
}

/** Cubic easing, from rest to rest. */
function ease(t: number): number {
  return t < 0.5 ? 4 * t * t * t : 1 - (2 - 2 * t) ** 3 / 2;
}

/** The rotation with this fraction of it undone. */
function undone(beside: Matrix, share: number): Matrix {
  if (beside === IDENTITY) return IDENTITY;
  const trace = beside[0][0] + beside[1][1] + beside[2][2];
  const angle = Math.acos(Math.max(-1, Math.min(1, (trace - 1) / 2)));
  if (angle < 0.004) return IDENTITY;
  return product(rotation(axisOf(beside, angle), -angle * share), beside);
}

/** The axis of a rotation. */
function axisOf(m: Matrix, angle: number): Vec {
  const s = 2 * Math.sin(angle);
  if (s > 1e-3) return [(m[2][1] - m[1][2]) / s, (m[0][2] - m[2][0]) / s, (m[1][0] - m[0][1]) / s];
  // For half a turn: a direction that is mapped to itself.
  const candidates = AXES.map((axis) => {
    const to = apply(m, axis);
    return [axis[0] + to[0], axis[1] + to[1], axis[2] + to[2]] as Vec;
  });
  const longest = candidates.reduce((a, b) => (dot(a, a) > dot(b, b) ? a : b));
  const length = Math.sqrt(dot(longest, longest));
  return [longest[0] / length, longest[1] / length, longest[2] / length];
}

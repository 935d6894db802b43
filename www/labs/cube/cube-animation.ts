// The animation of the cube: queued turns one after the other, a layer or the whole cube while a visitor drags it, and
// the return to one of the 24 orientations. It runs in its own animation frames, so that a visitor never waits for the
// lab. Angles are in radians, counterclockwise as seen from the positive end of an axis.

import { ease } from "../../core/motion";
import { reducedMotion, onTheme } from "../../core/theme";
import { CubeDrawing, DEFAULT_VIEW } from "./cube-drawing";
import { angleOf, ROTATIONS, rotateWhole, sizeOf, solvedState, turn, type CubeState, type Move } from "./space";
import { apply, AXES, dot, IDENTITY, product, rotation, transposed, type Matrix, type Vec } from "./vectors";

/** Seconds of a quarter turn: by the visitor, by the agent, and in a scramble. */
export const QUARTER_TURN_SECONDS = { visitor: 0.18, agent: 0.26, scramble: 0.085 };
/** The duration of a half turn, in quarter turns. */
const HALF_TURN_QUARTERS = 1.5;
/** Seconds after which the whole cube has practically returned to an orientation, and the same in time constants. */
const REST_SECONDS = 0.3;
const REST_TIME_CONSTANTS = 5;
/** Seconds of the celebration, a whole turn of the cube. */
const SPIN_SECONDS = 1.1;
/** The angle by which a layer tilts to preview a turn, and the time constant of that. */
const PREVIEW_ANGLE = 0.17;
const PREVIEW_SECONDS = 0.09;
/** A preview, and a rotation of the whole cube, end when less than this angle is left. */
const PREVIEW_TOLERANCE = 0.002;
const ROTATION_TOLERANCE = 0.004;
/**
 * The return of a dragged layer lasts this fraction of the duration of a quarter turn, plus a part that grows with the
 * angle.
 */
const MIN_RETURN_QUARTERS = 0.25;
/** At this angle (radians) the growing part would be a whole quarter turn's duration; the sum is limited to that. */
const LONG_RETURN_ANGLE = 1.2;
/** A longer pause between two frames, as in a hidden tab, counts as this many seconds. */
const MAX_FRAME_SECONDS = 0.1;

/** A layer and the angle by which it is turned away from its place. */
interface LayerAngle {
  axis: number;
  /** 1 for the layer at the positive end of the axis, -1 for the other one. */
  end: number;
  angle: number;
}

/** A turn that is being shown. `quarters` is 0 for a layer that returns to where it was. */
interface ActiveTurn {
  move: Move;
  fromAngle: number;
  toAngle: number;
  /** The duration of the turn in seconds, and the seconds that have passed. */
  seconds: number;
  elapsed: number;
}

export class CubeAnimation {
  readonly drawing = new CubeDrawing();
  /** The state before the active turn and the queued ones. */
  #state: CubeState = solvedState(2);
  /** The turns to be shown next, with their durations. */
  #queue: { move: Move; seconds: number }[] = [];
  #activeTurn: ActiveTurn | null = null;
  /** The layer that the visitor is dragging. */
  #draggedLayer: LayerAngle | null = null;
  /** The previewed turn: a layer tilts towards `move`, or back if it is null. */
  #preview: { move: Move | null; layer: Move; angle: number } | null = null;
  /**
   * How the 3×3×3 is held. Its centres name the faces, so it is the view that rotates, and its state keeps the
   * orientation of the lab. The 2×2×2 has no centres: there the state is rotated, and this stays the identity.
   */
  #held: Matrix = IDENTITY;
  /** Rotation of the whole cube in view space on top of the default view. It decays to the identity. */
  #offset: Matrix = IDENTITY;
  /** Whether the visitor is rotating the whole cube, so that the offset stays. */
  #orbiting = false;
  /** Seconds left of the celebration. */
  #spinLeft = 0;
  /** The requested animation frame, or 0 while nothing moves. */
  #frame = 0;
  /** The time of the last frame, by `performance.now()`. */
  #frameTime = 0;
  /** False until a state has been shown. */
  #ready = false;
  #unsubscribe = onTheme(() => this.paint());

  /** Whether turns are being shown or are queued. */
  get busy(): boolean {
    return this.#activeTurn !== null || this.#queue.length > 0;
  }

  /** Whether the visitor is dragging a layer. */
  get draggingLayer(): boolean {
    return this.#draggedLayer !== null;
  }

  /** The rotation from the cube's coordinates to view space. */
  get view(): Matrix {
    const spin =
      this.#spinLeft > 0 ? rotation([0, 1, 0], 2 * Math.PI * ease(1 - this.#spinLeft / SPIN_SECONDS)) : IDENTITY;
    return product(this.#offset, product(DEFAULT_VIEW, product(spin, this.#held)));
  }

  /** Shows a state without animation. */
  show(state: CubeState): void {
    this.#queue = [];
    this.#activeTurn = this.#draggedLayer = null;
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

  /** Completes the active turn and all queued ones at once. */
  finish(): void {
    const remaining = [...(this.#activeTurn ? [this.#activeTurn.move] : []), ...this.#queue.map(({ move }) => move)];
    this.#queue = [];
    this.#activeTurn = null;
    for (const move of remaining) this.#state = turn(this.#state, move);
    this.paint();
  }

  /** Shows a layer at the angle to which the visitor has dragged it. */
  dragLayer(axis: number, end: number, angle: number): void {
    this.#preview = null;
    this.#draggedLayer = { axis, end, angle };
    this.#wake();
  }

  /** Ends the drag of a layer: it completes `move`, or turns back if there is none. */
  releaseLayer(move: Move | null): void {
    const dragged = this.#draggedLayer;
    this.#draggedLayer = null;
    if (!dragged) return;
    const { axis, end, angle } = dragged;
    const toAngle = move ? angleOf(move) : 0;
    const noTurn = { axis, end: end as 1 | -1, quarters: 0 };
    // A short way takes less than a quarter turn, but not so little that it looks like a jump.
    const length = Math.min(1, Math.abs(toAngle - angle) / LONG_RETURN_ANGLE + MIN_RETURN_QUARTERS);
    const seconds = reducedMotion() ? 0 : QUARTER_TURN_SECONDS.visitor * length;
    this.#activeTurn = { move: move ?? noTurn, fromAngle: angle, toAngle, seconds, elapsed: 0 };
    this.#wake();
  }

  /** Tilts a layer a little to preview a turn; null ends the preview. */
  preview(move: Move | null): void {
    if (reducedMotion()) return;
    const current = this.#preview;
    if (current && (!move || isSameLayer(current.layer, move))) current.move = move;
    else this.#preview = move && { move, layer: move, angle: 0 };
    this.#wake();
  }

  /** Rotates the whole cube as the visitor drags it, by angles to the right and down. */
  orbit(right: number, down: number): void {
    this.#orbiting = true;
    this.#spinLeft = 0;
    const dragged = product(rotation([1, 0, 0], down), rotation([0, 1, 0], right));
    this.#offset = product(dragged, this.#offset);
    this.#wake();
  }

  /** Ends the drag of the whole cube, which turns to the nearest of its 24 orientations. Returns that rotation. */
  releaseCube(): Matrix {
    this.#orbiting = false;
    const view = product(this.#offset, DEFAULT_VIEW);
    let [nearest, bestAlignment] = [IDENTITY, -Infinity];
    for (const candidate of ROTATIONS) {
      // The smaller the angle between two rotations A and B, the larger is the trace of A·Bᵀ: the sum of the products
      // of their entries.
      const alignment = product(DEFAULT_VIEW, candidate).reduce((sum, row, i) => sum + dot(row, view[i] as Vec), 0);
      if (alignment > bestAlignment) [nearest, bestAlignment] = [candidate, alignment];
    }
    this.rotate(nearest);
    return nearest;
  }

  /** Rotates the whole cube with an animation. */
  rotate(wholeRotation: Matrix): void {
    this.finish();
    if (sizeOf(this.#state.stickers) === 3) this.#held = product(wholeRotation, this.#held);
    else this.#state = rotateWhole(this.#state, wholeRotation);
    // The offset first undoes the rotation, so that the picture does not jump, and then decays. It acts in view space,
    // so the rotation is undone there: from view space to the cube's coordinates, back, and to view space again.
    const back = product(DEFAULT_VIEW, product(transposed(wholeRotation), transposed(DEFAULT_VIEW)));
    this.#offset = reducedMotion() ? IDENTITY : product(this.#offset, back);
    this.#wake();
  }

  /** Turns the whole cube once, to celebrate. */
  spin(): void {
    if (!reducedMotion()) this.#spinLeft = SPIN_SECONDS;
    this.#wake();
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame);
    this.#unsubscribe();
  }

  #wake(): void {
    if (this.#frame !== 0) return;
    this.#frameTime = performance.now();
    this.#frame = requestAnimationFrame((now) => this.#tick(now));
  }

  #tick(now: number): void {
    const seconds = Math.min(MAX_FRAME_SECONDS, Math.max(0, now - this.#frameTime) / 1000);
    this.#frameTime = now;
    const isMoving = this.#advance(seconds);
    this.paint();
    this.#frame = isMoving ? requestAnimationFrame((next) => this.#tick(next)) : 0;
  }

  /** Advances the animation. Returns true while something moves. */
  #advance(seconds: number): boolean {
    // The offset decays exponentially. This fraction of it is undone in this frame.
    const undone = 1 - Math.exp((-REST_TIME_CONSTANTS * seconds) / REST_SECONDS);
    if (!this.#orbiting) this.#offset = undoPart(this.#offset, undone);
    this.#spinLeft = Math.max(0, this.#spinLeft - seconds);
    const previewMoves = this.#advancePreview(seconds);
    if (!this.#activeTurn && !this.#draggedLayer) this.#startNextTurn();
    const active = this.#activeTurn;
    if (active) {
      active.elapsed += seconds;
      if (active.elapsed >= active.seconds) {
        this.#activeTurn = null;
        if (active.move.quarters !== 0) this.#state = turn(this.#state, active.move);
        this.#startNextTurn();
      }
    }
    return Boolean(
      this.#activeTurn || previewMoves || this.#spinLeft > 0 || this.#orbiting || this.#offset !== IDENTITY,
    );
  }

  /** Starts the next queued turn, from the angle of its preview if there is one. */
  #startNextTurn(): void {
    const next = this.#queue.shift();
    if (!next) return;
    const { move, seconds } = next;
    const preview = this.#preview;
    const fromAngle = preview && isSameLayer(preview.layer, move) ? preview.angle : 0;
    this.#preview = null;
    const length = move.quarters === 2 ? HALF_TURN_QUARTERS : 1;
    this.#activeTurn = { move, fromAngle, toAngle: angleOf(move), seconds: seconds * length, elapsed: 0 };
  }

  /** Moves the previewed layer. Returns true while it moves. */
  #advancePreview(seconds: number): boolean {
    const preview = this.#preview;
    if (!preview || this.#activeTurn) return false;
    const target = preview.move ? Math.sign(angleOf(preview.move)) * PREVIEW_ANGLE : 0;
    preview.angle += (target - preview.angle) * (1 - Math.exp(-seconds / PREVIEW_SECONDS));
    const hasArrived = Math.abs(target - preview.angle) < PREVIEW_TOLERANCE;
    if (hasArrived && !preview.move) this.#preview = null;
    return !hasArrived;
  }

  /** Draws the current state of the animation. */
  paint(): void {
    if (!this.#ready) return;
    const layer = this.#layerAngle();
    // The whole cube (end 0) is rotated through the view and never as a layer.
    this.drawing.draw(this.#state, { view: this.view, layer: layer?.end === 0 ? undefined : layer });
  }

  /** The layer that is away from its place: turning, dragged or previewed. */
  #layerAngle(): LayerAngle | undefined {
    const active = this.#activeTurn;
    if (active) {
      const { move, fromAngle, toAngle, seconds, elapsed } = active;
      const fraction = seconds > 0 ? ease(Math.min(1, elapsed / seconds)) : 1;
      return { ...move, angle: fromAngle + (toAngle - fromAngle) * fraction };
    }
    if (this.#draggedLayer) return this.#draggedLayer;
    return this.#preview ? { ...this.#preview.layer, angle: this.#preview.angle } : undefined;
  }
}

const isSameLayer = (a: Move, b: Move) => a.axis === b.axis && a.end === b.end;

/** What is left of a rotation after this fraction of its angle has been undone. */
function undoPart(rotated: Matrix, fraction: number): Matrix {
  if (rotated === IDENTITY) return IDENTITY;
  // The trace of a rotation by an angle a is 1 + 2 cos a.
  const trace = rotated[0][0] + rotated[1][1] + rotated[2][2];
  const angle = Math.acos(Math.max(-1, Math.min(1, (trace - 1) / 2)));
  if (angle < ROTATION_TOLERANCE) return IDENTITY;
  return product(rotation(axisOf(rotated, angle), -angle * fraction), rotated);
}

/** The axis of a rotation by this angle, as a unit vector. */
function axisOf(m: Matrix, angle: number): Vec {
  // The antisymmetric part of a rotation matrix is the axis times the sine of the angle.
  const s = 2 * Math.sin(angle);
  if (s > 1e-3) return [(m[2][1] - m[1][2]) / s, (m[0][2] - m[2][0]) / s, (m[1][0] - m[0][1]) / s];
  // Near half a turn that part vanishes. There v + m·v points along the axis for any v; the longest sum is the most
  // accurate.
  const candidates = AXES.map((axis) => {
    const image = apply(m, axis);
    return [axis[0] + image[0], axis[1] + image[1], axis[2] + image[2]] as Vec;
  });
  const longest = candidates.reduce((a, b) => (dot(a, a) > dot(b, b) ? a : b));
  const length = Math.sqrt(dot(longest, longest));
  return [longest[0] / length, longest[1] / length, longest[2] / length];
}

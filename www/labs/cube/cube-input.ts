// A visitor's input on the cube. Dragging a face turns its layer, and dragging beside the cube rotates the whole cube.
// So does a drag along a middle layer of the 3×3×3, which is no turn of a face. The keys U R F D L B turn faces; x, y,
// z and the arrows rotate the whole cube.
//
// Positions are SVG units of the drawing, with y downwards. Angles are in radians, counterclockwise as seen from the
// positive end of an axis.

import { dialogIsOpen, hasModifier, isLaidOut, listen, takesKeys } from "../../core/dom";
import { screenMotion, type VisibleFace } from "./cube-drawing";
import type { CubeAnimation } from "./cube-animation";
import { faceMiddle, FACES, moveOf, type Move, type Size } from "./space";
import { AXES, cross, dot } from "./vectors";

/** Screen pixels that a drag must cover before its direction decides which layer turns. */
const MIN_DRAG_PIXELS = 7;
/** Rotation of the whole cube for each unit of a drag. */
const ORBIT_RADIANS_PER_UNIT = 0.009;
/** A flick: a layer that is let go moves on with its speed for this long, by at most this angle. */
const FLICK_SECONDS = 0.1;
const MAX_FLICK_ANGLE = 0.9;
/** A pointer that has rested this long before it is lifted does not flick. */
const RESTING_MS = 80;
/** Weight of the newest movement in the average speed. */
const SPEED_WEIGHT = 0.4;

/** The rotations of the whole cube by arrow keys. */
const ARROW_MOVES: Record<string, string> = { ArrowLeft: "y", ArrowRight: "y'", ArrowUp: "x", ArrowDown: "x'" };

/** What a visitor turns. */
export interface TurnableCube {
  readonly size: Size;
  readonly animation: CubeAnimation;
  /** Turns a layer, or rotates the whole cube. */
  turn(move: Move): void;
  /** Ends the drag of a layer: it completes `move`, or turns back if there is none. */
  releaseLayer(move: Move | null): void;
  /** Ends the drag of the whole cube. */
  releaseCube(): void;
}

/** A layer that a drag can turn. */
interface DraggableLayer {
  axis: number;
  end: 1 | -1;
  /** The unit vector in the drawing along which the touched face moves when the angle grows. */
  direction: [number, number];
  radiansPerUnit: number;
}

interface Drag {
  pointerId: number;
  /** Where the drag started; if it rotates the whole cube, where the pointer was last. */
  x: number;
  y: number;
  /** The face that was touched; undefined beside the cube. */
  face: VisibleFace | undefined;
  /** The layer that turns, once the direction of the drag is known. */
  layer?: DraggableLayer;
  /** The angle of the layer, and its speed in radians a second. */
  angle: number;
  speed: number;
  /** Time stamp of the last movement. */
  time: number;
}

export class CubeInput {
  #drag: Drag | null = null;
  #surface: SVGSVGElement;

  constructor(
    readonly cube: TurnableCube,
    /** Called before a visitor turns a layer. */
    readonly beforeTurn: () => void,
  ) {
    const surface = (this.#surface = cube.animation.drawing.element);
    listen(surface, {
      pointerdown: (event) => this.#down(event),
      pointermove: (event) => this.#move(event),
      pointerup: (event) => this.#up(event),
      pointercancel: (event) => this.#up(event),
    });
    addEventListener("keydown", this.#onKey);
  }

  destroy(): void {
    removeEventListener("keydown", this.#onKey);
  }

  /** The position of the pointer in the drawing. */
  #position({ clientX, clientY }: PointerEvent): DOMPoint {
    return new DOMPoint(clientX, clientY).matrixTransform(this.#surface.getScreenCTM()?.inverse());
  }

  #down(event: PointerEvent): void {
    if (this.#drag || event.button !== 0) return;
    const { x, y } = this.#position(event);
    if (this.cube.animation.drawing.faceAt(x, y)) this.beforeTurn();
    this.cube.animation.finish();
    this.#surface.setPointerCapture(event.pointerId);
    // Ending the animation may have changed what lies under the pointer.
    const face = this.cube.animation.drawing.faceAt(x, y);
    this.#drag = { pointerId: event.pointerId, x, y, face, angle: 0, speed: 0, time: event.timeStamp };
    this.#surface.classList.add("held");
  }

  #move(event: PointerEvent): void {
    const drag = this.#drag;
    const { x, y } = this.#position(event);
    if (!drag) {
      this.#surface.classList.toggle("on-face", this.cube.animation.drawing.faceAt(x, y) !== undefined);
      return;
    }
    if (drag.pointerId !== event.pointerId) return;
    const [dx, dy] = [x - drag.x, y - drag.y];
    if (!drag.face) {
      this.cube.animation.orbit(dx * ORBIT_RADIANS_PER_UNIT, dy * ORBIT_RADIANS_PER_UNIT);
      [drag.x, drag.y] = [x, y];
      return;
    }
    if (!drag.layer) {
      const pixelsPerUnit = this.#surface.getScreenCTM()?.a ?? 1;
      if (Math.hypot(dx, dy) * pixelsPerUnit < MIN_DRAG_PIXELS) return;
      const layer = this.#chooseLayer(drag.face, dx, dy);
      if (!layer) {
        drag.face = undefined;
        [drag.x, drag.y] = [x, y];
        return;
      }
      drag.layer = layer;
    }
    const { axis, end, direction, radiansPerUnit } = drag.layer;
    const angle = (dx * direction[0] + dy * direction[1]) * radiansPerUnit;
    const seconds = Math.max(1, event.timeStamp - drag.time) / 1000;
    drag.speed += ((angle - drag.angle) / seconds - drag.speed) * SPEED_WEIGHT;
    [drag.angle, drag.time] = [angle, event.timeStamp];
    this.cube.animation.dragLayer(axis, end, angle);
  }

  /**
   * Of the two layers that a drag on a face can turn, the one that moves the face more nearly along the drag; null if
   * that is a middle layer.
   */
  #chooseLayer({ cubelet, normal }: VisibleFace, dx: number, dy: number): DraggableLayer | null {
    const { view } = this.cube.animation;
    const middle = faceMiddle(cubelet, normal, this.cube.size);
    const directions = AXES.filter((direction) => dot(direction, normal) === 0);
    const choices = directions.map((faceDirection) => {
      const [motionX, motionY] = screenMotion(view, middle, faceDirection);
      const length = Math.hypot(motionX, motionY);
      // A rotation around the axis normal × direction moves the face along the direction. The face is at a distance of
      // 1 from that axis, so a radian moves it by a length of 1, which is `length` units in the drawing.
      const rotationAxis = cross(normal, faceDirection);
      const axis = rotationAxis.findIndex((n) => n !== 0);
      const sign = rotationAxis[axis] as number;
      const end = cubelet[axis] as 1 | 0 | -1;
      const direction: [number, number] = [(sign * motionX) / length, (sign * motionY) / length];
      const layer = end === 0 ? null : { axis, end, direction, radiansPerUnit: 1 / length };
      return { layer, alignment: Math.abs(dx * motionX + dy * motionY) / length };
    });
    return choices.reduce((a, b) => (a.alignment > b.alignment ? a : b)).layer;
  }

  #up(event: PointerEvent): void {
    const drag = this.#drag;
    if (!drag || drag.pointerId !== event.pointerId) return;
    this.#drag = null;
    this.#surface.classList.remove("held");
    if (!drag.face) return this.cube.releaseCube();
    if (!drag.layer) return;
    const { axis, end } = drag.layer;
    const hasRested = event.timeStamp - drag.time > RESTING_MS;
    const flickAngle = hasRested
      ? 0
      : Math.max(-MAX_FLICK_ANGLE, Math.min(MAX_FLICK_ANGLE, drag.speed * FLICK_SECONDS));
    this.cube.releaseLayer(nearestMove(axis, end, drag.angle + flickAngle));
  }

  #onKey = (event: KeyboardEvent): void => {
    const { parentElement: surface } = this.#surface;
    // A dialog takes the keys of the page, but not of a cube in it.
    if (hasModifier(event) || dialogIsOpen() !== Boolean(surface?.closest("dialog"))) return;
    if (takesKeys(event.target) || !isLaidOut(this.#surface)) return;
    const letter = event.key.length === 1 ? event.key : "";
    const arrowMove = ARROW_MOVES[event.key];
    // Arrow keys scroll the page unless the cube has the focus.
    if (arrowMove && event.target === surface) this.#turn(event, moveOf(arrowMove));
    else if (letter && FACES.includes(letter.toUpperCase())) this.#turn(event, moveOf(letter.toUpperCase()));
    else if (letter && "xyz".includes(letter.toLowerCase())) this.#turn(event, moveOf(letter.toLowerCase()));
  };

  /** Makes a move by key. Shift with a letter reverses it. */
  #turn(event: KeyboardEvent, move: Move): void {
    event.preventDefault();
    if (event.repeat) return;
    if (move.end !== 0) this.beforeTurn();
    const isReversed = event.shiftKey && !ARROW_MOVES[event.key];
    this.cube.turn(isReversed ? { ...move, quarters: -1 } : move);
  }
}

/** The turn of a layer that is nearest to an angle; null if that is no turn. */
function nearestMove(axis: number, end: 1 | -1, angle: number): Move | null {
  const quarterTurns = Math.max(-2, Math.min(2, Math.round(angle / (Math.PI / 2))));
  if (quarterTurns === 0) return null;
  // Angles grow counterclockwise as seen from the positive end, but moves count clockwise quarters as seen from the
  // layer's own end. A half turn is 2 or -2, so that it goes on in the direction of the drag.
  return { axis, end, quarters: -end * quarterTurns };
}

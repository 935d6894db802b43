// Input on the cube: dragging a face turns its layer, dragging beside the cube rotates the whole cube. Letters turn
// faces; arrows and x, y, z rotate the whole cube.

import { dialogIsOpen, hasModifier, listen, takesKeys } from "../../core/dom";
import { screenMotion, type VisibleFace } from "./cube-drawing";
import { angleOf, FACES, moveOf, type Move } from "./space";
import { AXES, cross, dot, type Vec } from "./vectors";
import type { CubeMirror } from "./cube-mirror";

/** Pixels a pointer moves before it is decided which layer it turns. */
const CLEAR = 7;
/** Radians of the whole cube for each drawing unit. */
const ORBIT = 0.009;
/** The speed of a flick counts for so many seconds more. */
const FLICK_SECONDS = 0.1;

const ARROWS: Record<string, string> = { ArrowLeft: "y", ArrowRight: "y'", ArrowUp: "x", ArrowDown: "x'" };

interface Drag {
  id: number;
  x: number;
  y: number;
  /** The face that was touched; undefined beside the cube. */
  face: VisibleFace | undefined;
  /** The layer, its direction on the screen, and radians for each drawing unit. */
  layer?: { axis: number; end: 1 | -1; direction: [number, number]; each: number };
  angle: number;
  speed: number;
  at: number;
}

export class CubeInput {
  #drag: Drag | null = null;
  #surface: SVGSVGElement;

  constructor(
    readonly cube: CubeMirror,
    /** Called before the visitor changes anything. */
    readonly touched: () => void,
  ) {
    const surface = (this.#surface = cube.animation.drawing.element);
    listen(surface, {
      pointerdown: (event) => this.#down(event),
      pointermove: (event) => this.#move(event),
      pointerup: (event) => this.#up(event),
      pointercancel: (event) => this.#up(event),
    });
    addEventListener("keydown", this.#key);
  }

  destroy(): void {
    removeEventListener("keydown", this.#key);
  }

  /** A point of the screen in drawing units. */
  #point({ clientX, clientY }: PointerEvent): DOMPoint {
    return new DOMPoint(clientX, clientY).matrixTransform(this.#surface.getScreenCTM()?.inverse());
  }

  #down(event: PointerEvent): void {
    if (this.#drag || event.button !== 0) return;
    const { x, y } = this.#point(event);
    const face = this.cube.animation.drawing.at(x, y);
    if (face) this.touched();
    this.cube.animation.finish();
    this.#surface.setPointerCapture(event.pointerId);
    // Ending the animation may have changed what lies under the pointer.
    const now = this.cube.animation.drawing.at(x, y);
    this.#drag = { id: event.pointerId, x, y, face: now, angle: 0, speed: 0, at: event.timeStamp };
    this.#surface.classList.add("held");
  }

  #move(event: PointerEvent): void {
    const drag = this.#drag;
    const { x, y } = this.#point(event);
    if (!drag) {
      this.#surface.classList.toggle("on-face", this.cube.animation.drawing.at(x, y) !== undefined);
      return;
    }
    if (drag.id !== event.pointerId) return;
    const [dx, dy] = [x - drag.x, y - drag.y];
    if (!drag.face) {
      this.cube.animation.orbit(dx * ORBIT, dy * ORBIT);
      [drag.x, drag.y] = [x, y];
      return;
    }
    if (!drag.layer) {
      const scale = this.#surface.getScreenCTM()?.a ?? 1;
      if (Math.hypot(dx, dy) * scale < CLEAR) return;
      drag.layer = this.#choose(drag.face, dx, dy);
    }
    const { axis, end, direction, each } = drag.layer;
    const angle = (dx * direction[0] + dy * direction[1]) * each;
    const seconds = Math.max(1, event.timeStamp - drag.at) / 1000;
    drag.speed += ((angle - drag.angle) / seconds - drag.speed) * 0.4;
    [drag.angle, drag.at] = [angle, event.timeStamp];
    this.cube.animation.hold(axis, end, angle);
  }

  /** Of the two layers a drag on a face can turn, the one whose motion is closer to the drag. */
  #choose({ corner, normal }: VisibleFace, dx: number, dy: number): NonNullable<Drag["layer"]> {
    const held = this.cube.animation.held;
    const at = corner.map((c, a) => (normal[a] !== 0 ? c : c / 2)) as unknown as Vec;
    const choices = AXES.filter((along) => dot(along, normal) === 0).map((along) => {
      const [fx, fy] = screenMotion(held, at, along);
      const length = Math.hypot(fx, fy);
      const about = cross(normal, along);
      const axis = about.findIndex((n) => n !== 0);
      const sign = about[axis] as number;
      return {
        alignment: Math.abs(dx * fx + dy * fy) / length,
        layer: {
          axis,
          end: corner[axis] as 1 | -1,
          direction: [(sign * fx) / length, (sign * fy) / length] as [number, number],
          each: 1 / length,
        },
      };
    });
    return choices.reduce((a, b) => (a.alignment > b.alignment ? a : b)).layer;
  }

  #up(event: PointerEvent): void {
    const drag = this.#drag;
    if (!drag || drag.id !== event.pointerId) return;
    this.#drag = null;
    this.#surface.classList.remove("held");
    if (!drag.face) return this.cube.rest();
    if (!drag.layer) return;
    const { axis, end } = drag.layer;
    const still = event.timeStamp - drag.at > 80;
    const flick = still ? 0 : Math.max(-0.9, Math.min(0.9, drag.speed * FLICK_SECONDS));
    this.cube.drop(this.#nearest(axis, end, drag.angle + flick));
  }

  /** The turn nearest to an angle; null if that is no turn. */
  #nearest(axis: number, end: 1 | -1, angle: number): Move | null {
    const steps = Math.max(-2, Math.min(2, Math.round(angle / (Math.PI / 2))));
    if (steps === 0) return null;
    const quarters = Math.abs(steps) === 2 ? 2 : -end * steps;
    const move: Move = { axis, end, quarters };
    // A half turn is the same in both directions, so it goes on in the direction of the drag.
    return Math.sign(angleOf(move)) === Math.sign(steps) ? move : { ...move, quarters: -quarters };
  }

  #key = (event: KeyboardEvent): void => {
    if (hasModifier(event) || dialogIsOpen()) return;
    if (takesKeys(event.target)) return;
    const letter = event.key.length === 1 ? event.key : "";
    const whole = ARROWS[event.key];
    // Arrow keys scroll the page unless the cube has the focus.
    if (whole && event.target === this.#surface.parentElement) this.#turn(event, moveOf(whole));
    else if (letter && FACES.includes(letter.toUpperCase())) this.#turn(event, moveOf(letter.toUpperCase()));
    else if (letter && "xyz".includes(letter.toLowerCase())) this.#turn(event, moveOf(letter.toLowerCase()));
  };

  #turn(event: KeyboardEvent, move: Move): void {
    event.preventDefault();
    if (event.repeat) return;
    if (move.end !== 0) this.touched();
    const back = event.shiftKey && !ARROWS[event.key];
    this.cube.turn(back ? { ...move, quarters: -1 } : move);
  }
}

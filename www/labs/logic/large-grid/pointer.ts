// Pointers and the wheel on a large grid. One pointer damages the grid or moves it; two fingers move and zoom; the
// wheel zooms around the pointer. The middle button, or Shift, always moves.

import { listen } from "../../../core/dom";
import type { Camera } from "./camera";

export type LargeTool = "damage" | "move";

/** The radius of the damage, in CSS pixels. */
const DAMAGE_RADIUS = 24;
/** The logarithm of the zoom factor for each pixel that the wheel scrolls: 100 pixels, a usual notch, zoom by 1.16. */
const LOG_ZOOM_PER_WHEEL_PIXEL = 0.0015;
/**
 * The pixels of one unit of `deltaY`, by `deltaMode`: 0 means pixels, 1 lines, 2 pages. Browsers do not say how long a
 * line and a page are, so 16 and 400 are assumed.
 */
const PIXELS_PER_WHEEL_UNIT = [1, 16, 400];
/** The number of the middle button of a mouse; the left one is 0, the right one 2. */
const MIDDLE_BUTTON = 1;
/** The most discs for one event of a pointer. A longer jump has gaps, so that no event takes long. */
const MAX_DISCS = 64;

interface Actions {
  /** The camera has moved. */
  changed: () => void;
  /** Position and radius are in cells. */
  damage: (x: number, y: number, radius: number) => void;
}

export class GridPointer {
  tool: LargeTool = "damage";
  /** The positions of the pointers that are down, by their ids. */
  #down = new Map<number, [number, number]>();
  /** Whether a pointer that is down alone moves the grid; otherwise it damages it. */
  #moves = false;

  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly camera: Camera,
    readonly actions: Actions,
  ) {
    const lift = (event: PointerEvent) => this.#down.delete(event.pointerId);
    listen(canvas, {
      pointerdown: (event) => this.#begin(event),
      pointermove: (event) => this.#move(event),
      pointerup: lift,
      pointercancel: lift,
    });
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  /** Damages a disc around a position of the picture. */
  damageAt(x: number, y: number): void {
    const [gridX, gridY] = this.camera.toGrid(x, y);
    this.actions.damage(gridX, gridY, DAMAGE_RADIUS / this.camera.scale);
  }

  #begin(event: PointerEvent): void {
    if (event.button > MIDDLE_BUTTON) return; // the right button and others do nothing
    event.preventDefault();
    this.canvas.focus();
    this.canvas.setPointerCapture(event.pointerId);
    this.#down.set(event.pointerId, [event.offsetX, event.offsetY]);
    if (this.#down.size > 1) {
      // Two fingers are seldom lifted together: the last one goes on moving the grid. The first may have damaged a
      // disc already, before anything told that a second would come.
      this.#moves = true;
      return;
    }
    this.#moves = this.tool === "move" || event.button === MIDDLE_BUTTON || event.shiftKey;
    if (!this.#moves) this.damageAt(event.offsetX, event.offsetY);
  }

  #move(event: PointerEvent): void {
    const from = this.#down.get(event.pointerId);
    if (!from) return;
    const to: [number, number] = [event.offsetX, event.offsetY];
    this.#down.set(event.pointerId, to);
    const other = [...this.#down].find(([id]) => id !== event.pointerId)?.[1];
    if (other) return this.#pinch(from, to, other);
    if (!this.#moves) return this.#damageAlong(from, to);
    this.camera.pan(to[0] - from[0], to[1] - from[1]);
    this.actions.changed();
  }

  /** One of two fingers moves: the grid follows, so that the point between the fingers stays between them. */
  #pinch(from: [number, number], to: [number, number], other: [number, number]): void {
    const distance = ([x, y]: [number, number]) => Math.hypot(x - other[0], y - other[1]);
    this.camera.pan((to[0] - from[0]) / 2, (to[1] - from[1]) / 2);
    // Fingers at the same place would give an infinite factor, or 0, which shows the whole grid.
    const [before, after] = [distance(from), distance(to)];
    if (before > 1 && after > 1) this.camera.zoom(after / before, (to[0] + other[0]) / 2, (to[1] + other[1]) / 2);
    this.actions.changed();
  }

  #damageAlong(from: [number, number], to: [number, number]): void {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    // Discs half a radius apart look like one stroke.
    const discs = Math.min(MAX_DISCS, Math.ceil(length / (DAMAGE_RADIUS / 2)));
    for (let i = 1; i <= discs; i++) {
      this.damageAt(from[0] + ((to[0] - from[0]) * i) / discs, from[1] + ((to[1] - from[1]) * i) / discs);
    }
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const pixels = event.deltaY * (PIXELS_PER_WHEEL_UNIT[event.deltaMode] ?? 1);
    this.camera.zoom(Math.exp(-LOG_ZOOM_PER_WHEEL_PIXEL * pixels), event.offsetX, event.offsetY);
    this.actions.changed();
  }
}

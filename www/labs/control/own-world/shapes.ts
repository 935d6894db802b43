// Reads the flat picture of a world: shapes in coordinates of the world, and the trails that they leave.

import type { FlatPicture } from "./messages";

/** The kinds of shapes, in the order of their numbers. */
const KINDS = ["line", "circle", "rectangle", "polygon", "polyline", "text", "trail"] as const;
/** The colours of the roles (`Role::ALL` in crates/world-rules), by their names in palette.css. */
export const ROLES = ["ink", "ink-3", "earth", "learn", "other-1", "better", "worse"] as const;
/** Numbers of the camera: its middle (two) and its height. */
const CAMERA = 3;
/** Numbers before those of each shape: its kind, its role, the width of its lines (NaN for none), and their count. */
const HEAD = 4;
/** The ratio of width to height of the small pictures of training worlds. */
export const PICTURE_ASPECT = 16 / 9;

export interface Shape {
  kind: (typeof KINDS)[number];
  /** The place of its colour in `ROLES`. */
  role: number;
  /** The width of its lines in units of the world; null for none. */
  width: number | null;
  /**
   * By kind: both ends of a line; middle and radius of a circle; middle, size and turn of a rectangle; the points of a
   * polygon or polyline; place, size, value (NaN for none) and index of a text; place, length in steps and index of a
   * trail. A point or a size is two numbers, except the size of a text.
   */
  numbers: Float32Array;
}

/** The shapes of a picture. */
export function shapesOf({ numbers }: FlatPicture): Shape[] {
  const shapes: Shape[] = [];
  for (let i = CAMERA; i + HEAD <= numbers.length;) {
    const [kind = 0, role = 0, width = NaN, count = 0] = numbers.subarray(i, i + HEAD);
    i += HEAD;
    shapes.push({
      kind: KINDS[kind] ?? "line",
      role,
      width: Number.isNaN(width) ? null : width,
      numbers: numbers.subarray(i, i + count),
    });
    i += count;
  }
  return shapes;
}

/** Whether these are a camera and whole shapes, with the colours and texts that they name. */
export function areShapes({ numbers, texts }: FlatPicture): boolean {
  const height = numbers[CAMERA - 1] ?? 0;
  if (!numbers.subarray(0, CAMERA).every(Number.isFinite) || height <= 0) return false;
  for (let i = CAMERA; i < numbers.length;) {
    const [kind = -1, role = -1, , count = -1] = numbers.subarray(i, i + HEAD);
    const isWhole = [kind, role, count].every((each) => Number.isInteger(each) && each >= 0);
    if (!isWhole || kind >= KINDS.length || role >= ROLES.length || i + HEAD + count > numbers.length) return false;
    if (KINDS[kind] === "text" && texts[numbers[i + HEAD + 4] ?? -1] === undefined) return false;
    i += HEAD + count;
  }
  return true;
}

/** The pictures of a flat array: for each, the count of its numbers, then these. */
export function picturesOf(numbers: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer>[] {
  const pictures: Float32Array<ArrayBuffer>[] = [];
  for (let i = 0; i < numbers.length;) {
    const count = numbers[i] ?? 0;
    pictures.push(numbers.subarray(i + 1, i + 1 + count));
    i += 1 + count;
  }
  return pictures;
}

/** The number of columns with which `n` pictures are largest in a box. */
export function columnsFor(n: number, width: number, height: number): number {
  let best = { columns: 1, scale: 0 };
  for (let columns = 1; columns <= n; columns++) {
    const rows = Math.ceil(n / columns);
    const scale = Math.min(width / columns / PICTURE_ASPECT, height / rows);
    if (scale > best.scale) best = { columns, scale };
  }
  return best.columns;
}

/** Where the points of trails were in the last steps of an episode. */
export class Trails {
  #points = new Map<number, { step: number; x: number; y: number }[]>();
  #lastStep = 0;

  /** Notes the picture after a step of the episode. An earlier step than the last one belongs to another episode. */
  note(step: number, shapes: Shape[]): void {
    if (step < this.#lastStep) this.#points.clear();
    this.#lastStep = step;
    for (const { kind, numbers } of shapes) {
      if (kind !== "trail") continue;
      const [x = 0, y = 0, length = 0, index = 0] = numbers;
      const points = (this.#points.get(index) ?? []).filter((point) => point.step > step - length && point.step < step);
      this.#points.set(index, [...points, { step, x, y }]);
    }
  }

  of(index: number): readonly { x: number; y: number }[] {
    return this.#points.get(index) ?? [];
  }
}

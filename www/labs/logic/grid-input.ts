// Input on the two grids of the lab's interactive picture (that of the soft gates and that of the hard ones), by
// pointer or by keys. There are three tools: damage cells, draw cells, inspect a cell. A tool changes both grids, no
// matter on which of them it is used. Positions and radii are in cells; the centre of the first cell is at (0.5, 0.5).

import { ARROW_STEPS, hasModifier, listen } from "../../core/dom";
import type { CellGrid } from "./cell-grid";
import type { LogicCommand, LogicStage } from "../../generated/protocol";

export type Tool = "damage" | "draw" | "inspect";

/** Radius of the damage done with the tool: a minimum, and a fraction of the grid's width. */
const [MIN_DAMAGE_RADIUS, DAMAGE_FRACTION] = [1.6, 0.11];
/** Radius of the damage done by the button, in the same way. */
const [MIN_LARGE_DAMAGE_RADIUS, LARGE_DAMAGE_FRACTION] = [2, 0.2];
/** The centre of the damage by the button lies between these fractions of the width and the height of the grid. */
const [NEAR_MIDDLE_START, NEAR_MIDDLE_END] = [0.3, 0.7];
/**
 * The points that fill in a drag are at most half the tool's radius apart, or this many cells if that is more: the
 * points of the tools for one cell then lie in the same cell or in adjacent ones.
 */
const POINT_DISTANCE = 0.7;
/** Radius that affects a single cell. */
const ONE_CELL_RADIUS = 0.5;
/** Width and height of the grid until the first view has arrived. */
const DEFAULT_SIZE = 16;
/** A fast drag is filled in with at most this many points. */
const MAX_DRAG_POINTS = 64;

interface GridPoint {
  x: number;
  y: number;
}

export class GridInput {
  tool: Tool = "damage";
  /** The circle that the tool affects, while a pointer is over a grid. */
  brush: (GridPoint & { radius: number }) | null = null;
  #stage: LogicStage | null = null;
  /**
   * The pointer that is down, from its press to its release; null between drags. Another finger is ignored meanwhile.
   */
  #pointer: number | null = null;
  /** The last position of a drag, or null between drags. */
  #lastDragPoint: GridPoint | null = null;
  /** Whether the drawing tool switches cells on or off in this drag. */
  #drawsOn = true;

  constructor(
    grids: CellGrid[],
    readonly send: (command: LogicCommand) => void,
    /** Called before the visitor damages the grids or draws on them. */
    readonly beforeChange: () => void,
    /** Called when a cell has been chosen with the pointer to be inspected. */
    readonly inspected: () => void,
  ) {
    for (const grid of grids) this.#listen(grid);
  }

  /** Takes the state of the stage from a view. */
  setStage(stage: LogicStage): void {
    this.#stage = stage;
  }

  /** Damages a large circle at a random position near the middle. */
  damageNearMiddle(random = Math.random): void {
    const { width, height } = this.#stage ?? { width: DEFAULT_SIZE, height: DEFAULT_SIZE };
    const nearMiddle = (size: number) => size * (NEAR_MIDDLE_START + (NEAR_MIDDLE_END - NEAR_MIDDLE_START) * random());
    this.#damage(
      { x: nearMiddle(width), y: nearMiddle(height) },
      Math.max(MIN_LARGE_DAMAGE_RADIUS, width * LARGE_DAMAGE_FRACTION),
    );
  }

  #listen(grid: CellGrid): void {
    const { element, canvas } = grid;
    listen(canvas, {
      pointerdown: (event) => {
        if (event.button !== 0 || this.#pointer !== null) return;
        this.#pointer = event.pointerId;
        canvas.setPointerCapture(event.pointerId);
        const point = grid.positionOf(event);
        this.#drawsOn = !this.#isOn(point);
        this.#lastDragPoint = point;
        this.#apply(point);
      },
      pointermove: (event) => {
        if (this.#ignores(event)) return;
        const point = grid.positionOf(event);
        this.brush = { ...point, radius: this.#radius() };
        if (this.#lastDragPoint) this.#applyAlong(this.#lastDragPoint, point);
      },
    });
    const endDrag = (event: PointerEvent) => {
      if (!this.#ignores(event)) this.#pointer = this.#lastDragPoint = null;
    };
    listen(canvas, {
      // Comes before `endDrag`, which forgets the drag.
      pointerup: (event) => {
        if (!this.#ignores(event) && this.#lastDragPoint && this.tool === "inspect") this.inspected();
      },
    });
    listen(canvas, { pointerup: endDrag, pointercancel: endDrag, lostpointercapture: endDrag });
    listen(canvas, { pointerleave: (event) => this.#ignores(event) || (this.brush = null) });
    listen(element, { keydown: (event) => this.#handleKey(event) });
  }

  /** Whether another pointer is down. */
  #ignores({ pointerId }: PointerEvent): boolean {
    return this.#pointer !== null && this.#pointer !== pointerId;
  }

  #handleKey(event: KeyboardEvent): void {
    const stage = this.#stage;
    if (!stage || hasModifier(event)) return;
    const [x, y] = stage.cell;
    const step = ARROW_STEPS[event.key];
    if (!step && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    if (step) {
      const to = { x: x + step[0], y: y + step[1] };
      if (isInside(stage, to)) this.send({ type: "cell", ...to });
      return;
    }
    const centre = { x: x + 0.5, y: y + 0.5 };
    if (event.repeat) return; // a held key would switch the cell on and off
    this.#drawsOn = !this.#isOn(centre);
    // The cell is inspected already, so Enter damages it.
    if (this.tool === "inspect") this.#damage(centre, this.#radius("damage"));
    else this.#apply(centre);
  }

  #radius(tool = this.tool): number {
    return tool === "damage"
      ? Math.max(MIN_DAMAGE_RADIUS, (this.#stage?.width ?? DEFAULT_SIZE) * DAMAGE_FRACTION)
      : ONE_CELL_RADIUS;
  }

  /**
   * Whether a cell is on, by the first channel of the grid of the hard gates, whose cells are bits. It decides for a
   * drag on the other grid too, because both are drawn on together.
   */
  #isOn({ x, y }: GridPoint): boolean {
    const stage = this.#stage;
    return (stage?.hard[Math.floor(y) * (stage?.width ?? 0) + Math.floor(x)] ?? 0) > 0;
  }

  /**
   * Applies the tool at points between two positions of a drag, so that a fast drag leaves no gaps (in a usual grid).
   */
  #applyAlong(from: GridPoint, to: GridPoint): void {
    const distance = Math.hypot(to.x - from.x, to.y - from.y);
    const wanted = Math.ceil(distance / Math.max(POINT_DISTANCE, this.#radius() / 2));
    const steps = Math.min(wanted, MAX_DRAG_POINTS);
    for (let i = 1; i <= steps; i++) {
      this.#apply({ x: from.x + ((to.x - from.x) * i) / steps, y: from.y + ((to.y - from.y) * i) / steps });
    }
    this.#lastDragPoint = to;
  }

  /** Uses the tool at a position. */
  #apply(point: GridPoint): void {
    const stage = this.#stage;
    if (!stage) return;
    const cell = { x: Math.floor(point.x), y: Math.floor(point.y) };
    if (this.tool === "damage") return this.#damage(point, this.#radius());
    if (!isInside(stage, cell)) return;
    if (this.tool === "inspect") this.send({ type: "cell", ...cell });
    else {
      this.beforeChange();
      // The protocol's word for drawing.
      this.send({ type: "paint", x: cell.x + 0.5, y: cell.y + 0.5, radius: ONE_CELL_RADIUS, on: this.#drawsOn });
    }
  }

  #damage({ x, y }: GridPoint, radius: number): void {
    this.beforeChange();
    // The protocol's word for damage.
    this.send({ type: "wound", x, y, radius });
  }
}

function isInside({ width, height }: LogicStage, { x, y }: GridPoint): boolean {
  return x >= 0 && y >= 0 && x < width && y < height;
}

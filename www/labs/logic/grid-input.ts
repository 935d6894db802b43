// Input on the grids: damaging them, drawing cells, choosing a cell, by pointer or by keys. Both grids show the same
// world, so a tool works on both wherever it is used.

import { ARROW_STEPS, hasModifier, listen } from "../../core/dom";
import type { CellGrid } from "./cell-grid";
import type { LogicCommand, LogicStage } from "../../generated/protocol";

export type Tool = "wound" | "draw" | "look";

interface GridPoint {
  x: number;
  y: number;
}

export class GridInput {
  tool: Tool = "wound";
  /** The reach of the tool, while a pointer is over a grid. */
  brush: (GridPoint & { radius: number }) | null = null;
  #stage: LogicStage | null = null;
  #last: GridPoint | null = null;
  #on = true;

  constructor(
    grids: CellGrid[],
    readonly send: (command: LogicCommand) => void,
    /** Called before the visitor changes anything. */
    readonly touched: () => void,
  ) {
    for (const grid of grids) this.#listen(grid);
  }

  follow(stage: LogicStage): void {
    this.#stage = stage;
  }

  /** Damages a place near the middle, as large as a visitor would. */
  damageMiddle(random = Math.random): void {
    const { width, height } = this.#stage ?? { width: 16, height: 16 };
    const near = (size: number) => size * (0.3 + 0.4 * random());
    this.#damage({ x: near(width), y: near(height) }, Math.max(2, width * 0.2));
  }

  #listen(grid: CellGrid): void {
    const { element, canvas } = grid;
    listen(canvas, {
      pointerdown: (event) => {
        if (event.button !== 0) return;
        canvas.setPointerCapture(event.pointerId);
        const point = grid.at(event);
        this.#on = !this.#lit(point);
        this.#last = point;
        this.#apply(point);
      },
      pointermove: (event) => {
        const point = grid.at(event);
        this.brush = { ...point, radius: this.#radius() };
        if (this.#last) this.#drag(point);
      },
    });
    const end = () => (this.#last = null);
    listen(canvas, { pointerup: end, pointercancel: end, lostpointercapture: end });
    listen(canvas, { pointerleave: () => (this.brush = null) });
    listen(element, { keydown: (event) => this.#key(event) });
  }

  #key(event: KeyboardEvent): void {
    const stage = this.#stage;
    if (!stage || hasModifier(event)) return;
    const [x, y] = stage.cell;
    const way = ARROW_STEPS[event.key];
    if (!way && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    if (way) {
      const to = { x: x + way[0], y: y + way[1] };
      if (inside(stage, to)) this.send({ type: "cell", ...to });
      return;
    }
    const middle = { x: x + 0.5, y: y + 0.5 };
    this.#on = !this.#lit(middle);
    if (this.tool === "look") this.#damage(middle, this.#radius("wound"));
    else this.#apply(middle);
  }

  #radius(tool = this.tool): number {
    return tool === "wound" ? Math.max(1.6, (this.#stage?.width ?? 16) * 0.11) : 0.5;
  }

  /** Whether a cell of the hard grid is lit in its first channel. */
  #lit({ x, y }: GridPoint): boolean {
    const stage = this.#stage;
    return (stage?.hard[Math.floor(y) * (stage?.width ?? 0) + Math.floor(x)] ?? 0) > 0;
  }

  /** Applies the tool along the whole way of the pointer, which may be fast. */
  #drag(to: GridPoint): void {
    const from = this.#last as GridPoint;
    const way = Math.hypot(to.x - from.x, to.y - from.y);
    const steps = Math.ceil(way / Math.max(0.7, this.#radius() / 2));
    for (let i = 1; i <= Math.min(steps, 64); i++) {
      this.#apply({ x: from.x + ((to.x - from.x) * i) / steps, y: from.y + ((to.y - from.y) * i) / steps });
    }
    this.#last = to;
  }

  #apply(point: GridPoint): void {
    const stage = this.#stage;
    if (!stage) return;
    const cell = { x: Math.floor(point.x), y: Math.floor(point.y) };
    if (this.tool === "wound") return this.#damage(point, this.#radius());
    if (!inside(stage, cell)) return;
    if (this.tool === "look") this.send({ type: "cell", ...cell });
    else {
      this.touched();
      this.send({ type: "paint", x: cell.x + 0.5, y: cell.y + 0.5, radius: 0.5, on: this.#on });
    }
  }

  #damage({ x, y }: GridPoint, radius: number): void {
    this.touched();
    this.send({ type: "wound", x, y, radius });
  }
}

function inside({ width, height }: LogicStage, { x, y }: GridPoint): boolean {
  return x >= 0 && y >= 0 && x < width && y < height;
}

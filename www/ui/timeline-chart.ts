// The drawing of the timeline: the headline's metric over all units (training iterations) of the run, with the goal,
// the unit that reached it, a tick for each kept moment, a longer one where the run branched from another, and the
// handle.

import { ResponsiveCanvas } from "../core/canvas";
import { el } from "../core/dom";
import { colour } from "../core/theme";

export interface TimelineData {
  units: number[];
  /** The metric at each of `units`; NaN where it was not measured. */
  values: number[];
  /** The units of the run so far. */
  end: number;
  /** The goal's value, if there is a goal. */
  goal: number | null;
  /** The unit that reached the goal, if one did. */
  solvedAt: number | null;
  /** The units of the kept moments. */
  moments: number[];
  /** The unit where the run branched from another. */
  branchedAt: number | null;
  /** The unit of the handle. */
  shown: number;
}

// Lengths in CSS pixels.
/** Space at the left and right edges, so that the handle is not cut off. */
const SIDE_MARGIN = 11;
const TOP_MARGIN = 6;
/** Height of the strip with the ticks and the handle's knob. */
const STRIP_HEIGHT = 14;
const TICK_HEIGHT = 5;
const KNOB_RADIUS = 6;
/** The knob is set off from the lines behind it by a ring of this width in the colour of the page. */
const KNOB_RING_WIDTH = 2;
const SOLVED_DOT_RADIUS = 3.5;
/** Of a measurement that is the only one so far. */
const LONE_DOT_RADIUS = 2;
/** Space between the lowest value and the strip. */
const BOTTOM_MARGIN = 2;
/** The axis shows at least this many units. */
const MIN_UNITS = 5;

export class TimelineChart {
  readonly element: HTMLElement;
  #canvas: ResponsiveCanvas;
  #data: TimelineData | null = null;

  constructor() {
    this.element = el("div", { class: "timeline-chart" });
    const redraw = () => this.#data && this.draw(this.#data);
    this.#canvas = new ResponsiveCanvas({ class: "timeline-canvas", resized: redraw, recoloured: redraw });
    this.element.append(this.#canvas.element);
  }

  destroy(): void {
    this.#canvas.destroy();
  }

  /** The unit at a position on the page, in fractions of a unit. */
  unitAt(clientX: number): number {
    const { left } = this.element.getBoundingClientRect();
    const fraction = (clientX - left - SIDE_MARGIN) / Math.max(1, this.#canvas.width - 2 * SIDE_MARGIN);
    return Math.min(1, Math.max(0, fraction)) * this.#lastUnit();
  }

  /** Units per CSS pixel of the axis. */
  get unitsPerPixel(): number {
    return this.#lastUnit() / Math.max(1, this.#canvas.width - 2 * SIDE_MARGIN);
  }

  draw(data: TimelineData): void {
    this.#data = data;
    const { width, height } = this.#canvas;
    if (width === 0) return;
    const context = this.#canvas.clear();
    const x = (unit: number) => SIDE_MARGIN + (unit / this.#lastUnit()) * (width - 2 * SIDE_MARGIN);
    const y = scaleOf(data, TOP_MARGIN, height - STRIP_HEIGHT);
    context.lineJoin = context.lineCap = "round";
    if (data.goal !== null) {
      context.setLineDash([4, 4]);
      stroke(context, "--ink-3", 1, [
        [SIDE_MARGIN, y(data.goal)],
        [width - SIDE_MARGIN, y(data.goal)],
      ]);
      context.setLineDash([]);
    }
    const measured = data.units.flatMap((unit, i): [number, number][] => {
      const value = data.values[i] as number;
      return Number.isFinite(value) ? [[x(unit), y(value)]] : [];
    });
    const handle = x(data.shown);
    // What comes after the shown moment is faint.
    within(context, handle, width, () => stroke(context, "--learn-faint", 1.5, measured));
    within(context, 0, handle, () => stroke(context, "--learn", 2, measured));
    // A line through one point has no length.
    const [only, ...others] = measured;
    if (only && others.length === 0) dot(context, ...only, LONE_DOT_RADIUS, "--learn");
    const bottom = height - STRIP_HEIGHT;
    stroke(context, "--line-strong", 1, [
      [SIDE_MARGIN, bottom],
      [width - SIDE_MARGIN, bottom],
    ]);
    for (const unit of data.moments) tick(context, x(unit), bottom, TICK_HEIGHT, "--ink-3", 1.25);
    if (data.branchedAt !== null) tick(context, x(data.branchedAt), bottom, 2 * TICK_HEIGHT, "--ink", 2);
    if (data.solvedAt !== null && data.goal !== null)
      dot(context, x(data.solvedAt), y(data.goal), SOLVED_DOT_RADIUS, "--learn");
    tick(context, handle, 0, bottom, "--ink", 1.5);
    dot(context, handle, bottom, KNOB_RADIUS + KNOB_RING_WIDTH, "--paper");
    dot(context, handle, bottom, KNOB_RADIUS, "--ink");
  }

  #lastUnit(): number {
    return Math.max(MIN_UNITS, this.#data?.end ?? 0);
  }
}

/** Converts values to positions between `top` and `bottom`; the goal is in sight too. */
function scaleOf({ values, goal }: TimelineData, top: number, bottom: number): (value: number) => number {
  let [low, high] = goal === null ? [Infinity, -Infinity] : [goal, goal];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const span = high - low;
  const lowest = bottom - BOTTOM_MARGIN;
  return (value) => (span > 0 ? lowest - ((value - low) / span) * (lowest - top) : (top + bottom) / 2);
}

/** Draws only between two positions. */
function within(context: CanvasRenderingContext2D, left: number, right: number, draw: () => void): void {
  context.save();
  context.beginPath();
  context.rect(left, 0, right - left, context.canvas.height);
  context.clip();
  draw();
  context.restore();
}

function stroke(context: CanvasRenderingContext2D, name: string, width: number, points: [number, number][]): void {
  context.strokeStyle = colour(name);
  context.lineWidth = width;
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.stroke();
}

function tick(
  context: CanvasRenderingContext2D,
  x: number,
  top: number,
  length: number,
  name: string,
  width: number,
): void {
  stroke(context, name, width, [
    [x, top],
    [x, top + length],
  ]);
}

function dot(context: CanvasRenderingContext2D, x: number, y: number, radius: number, name: string): void {
  context.fillStyle = colour(name);
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

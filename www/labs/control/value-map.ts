// The critic's value over two numbers of the state, as a map with contour lines, with the present state of the stage
// and its recent path.

import { bitmap, ResponsiveCanvas } from "../../core/canvas";
import { ramp, type Rgb } from "../../core/colour";
import { el, write } from "../../core/dom";
import { formatTenths } from "../../core/format";
import { colour } from "../../core/theme";
import type { ControlValueMap, ControlStage } from "../../generated/protocol";
import { contour } from "./contour";
import type { WorldKind, State } from "./worlds/world-kind";

const SHADES = 128;
const LEVELS = 8;
const TRAIL = 45;
/** An agent that pushes to and fro would draw a scribble, so the path is a running mean. */
const SETTLE_SECONDS = 0.05;
/** The map changes slowly and needs no more redraws than this. */
const REDRAW_SECONDS = 0.1;

export class ValueMap {
  readonly element: HTMLElement;
  #map = new ResponsiveCanvas({
    class: "value-map-canvas",
    resized: () => (this.#sinceRedraw = Infinity),
    recoloured: () => this.#readColours(),
  });
  #over = new ResponsiveCanvas({ class: "value-map-trail" });
  #marks = { low: number(), high: number(), left: number(), right: number(), top: number(), bottom: number() };
  #shades: Rgb[] = [];
  #colours = { ink: "", over: "", surface: "", line: "" };
  #cells = bitmap();
  #range: [number, number] | null = null;
  #trail: [number, number][] = [];
  #episode = 0;
  #sinceRedraw = Infinity;

  constructor(readonly kind: WorldKind) {
    const [along, up] = kind.axes;
    const { low, high, left, right, top, bottom } = this.#marks;
    this.element = el(
      "div",
      { class: "value-map" },
      el("div", { class: "value-map-y" }, top, el("span", { text: up.label }), bottom),
      el("div", { class: "value-map-frame" }, this.#map.element, this.#over.element),
      el("div", { class: "value-map-x" }, left, el("span", { text: along.label }), right),
      el("div", { class: "legend value-map-legend" }, low, el("span", { class: "legend-bar" }), high),
    );
    this.#readColours();
  }

  destroy(): void {
    this.#map.destroy();
    this.#over.destroy();
  }

  /** A new run: the path and the scale start over. */
  reset(): void {
    this.#range = null;
    this.#trail = [];
  }

  #readColours(): void {
    this.#shades = ramp(
      [0, 1, 2, 3].map((i) => colour(`--ramp-${i}`)),
      SHADES,
    );
    this.#colours = {
      ink: colour("--ink"),
      over: colour(this.kind.ends === "goal" ? "--better" : "--worse"),
      surface: colour("--surface"),
      line: colour("--contour"),
    };
    this.#sinceRedraw = Infinity;
  }

  draw(plane: ControlValueMap, values: Float32Array, stage: ControlStage, state: State, seconds: number): void {
    if (this.#map.width === 0) return;
    this.#sinceRedraw += seconds;
    if (this.#sinceRedraw >= REDRAW_SECONDS) {
      this.#sinceRedraw = 0;
      this.#drawMap(plane, values);
    }
    this.#extendTrail(plane, stage, state, seconds);
    this.#drawTrail(stage);
  }

  #drawMap(plane: ControlValueMap, values: Float32Array): void {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (!Number.isFinite(low) || !Number.isFinite(high)) return;
    // The scale follows the values slowly, without jumps.
    const [oldLow, oldHigh] = this.#range ?? [low, high];
    const [from, to] = [oldLow + (low - oldLow) * 0.2, oldHigh + (high - oldHigh) * 0.2];
    this.#range = [from, to];
    this.#label(plane, from, to);
    const size = plane.size;
    this.#fill(size, values, from, Math.max(1e-6, to - from));
    const { context, element } = this.#map;
    context.setTransform(1, 0, 0, 1, 0, 0);
    const edge = element.width;
    context.imageSmoothingEnabled = true;
    context.imageSmoothingQuality = "high";
    // Values belong to points and pixels to areas, so half a cell is cut off on each side.
    context.drawImage(this.#cells.canvas, 0.5, 0.5, size - 1, size - 1, 0, 0, edge, edge);
    context.strokeStyle = this.#colours.line;
    context.lineWidth = this.#map.scale * 0.8;
    context.beginPath();
    for (let k = 1; k < LEVELS; k++) contour(context, values, size, from + ((to - from) * k) / LEVELS, edge);
    context.stroke();
  }

  #fill(size: number, values: Float32Array, from: number, span: number): void {
    const { canvas, context } = this.#cells;
    if (canvas.width !== size) canvas.width = canvas.height = size;
    const image = context.createImageData(size, size);
    for (let j = 0; j < size; j++) {
      for (let i = 0; i < size; i++) {
        const share = ((values[j * size + i] as number) - from) / span;
        const shade = this.#shades[Math.max(0, Math.min(SHADES - 1, Math.round(share * (SHADES - 1))))] as Rgb;
        const at = 4 * ((size - 1 - j) * size + i); // the y axis points up
        image.data.set(shade, at);
        image.data[at + 3] = 255;
      }
    }
    context.putImageData(image, 0, 0);
  }

  #label({ x, y }: ControlValueMap, low: number, high: number): void {
    const [along, up] = this.kind.axes;
    write(this.#marks.left, along.show(x[0]));
    write(this.#marks.right, along.show(x[1]));
    write(this.#marks.top, up.show(y[1]));
    write(this.#marks.bottom, up.show(y[0]));
    write(this.#marks.low, formatTenths(low));
    write(this.#marks.high, `${formatTenths(high)} ${this.kind.valueUnit}`);
  }

  /** Adds the state of the stage to the path, as fractions of both sides. */
  #extendTrail({ fields, x, y }: ControlValueMap, stage: ControlStage, state: State, seconds: number): void {
    if (stage.episode !== this.#episode) this.#trail = [];
    this.#episode = stage.episode;
    const last = this.#trail[this.#trail.length - 1];
    const settle = 1 - Math.exp(-seconds / SETTLE_SECONDS);
    const place = [x, y].map(([low, high], side) => {
      const share = ((state[fields[side] as number] as number) - low) / (high - low);
      const before = last?.[side] ?? share;
      // Where the axis wraps around, the path may cross the edge.
      if (!this.kind.axes[side]?.wraps) return Math.max(0.015, Math.min(0.985, before + (share - before) * settle));
      const way = share - before;
      const now = before + (way - Math.round(way)) * settle;
      return now - Math.floor(now);
    });
    this.#trail.push(place as [number, number]);
    if (this.#trail.length > TRAIL) this.#trail.shift();
  }

  #drawTrail(stage: ControlStage): void {
    const edge = this.#over.width;
    const context = this.#over.clear();
    context.lineCap = "round";
    // A light line inside a dark one is visible on every shade.
    for (const [width, tint] of [
      [4.5, this.#colours.ink],
      [2, this.#colours.surface],
    ] as const) {
      context.lineWidth = width;
      context.strokeStyle = tint;
      this.#trail.forEach(([x, y], i) => {
        const last = this.#trail[i - 1];
        if (!last || Math.abs(last[0] - x) > 0.5) return;
        context.globalAlpha = i / this.#trail.length;
        context.beginPath();
        context.moveTo(last[0] * edge, (1 - last[1]) * edge);
        context.lineTo(x * edge, (1 - y) * edge);
        context.stroke();
      });
    }
    const [x, y] = this.#trail[this.#trail.length - 1] as [number, number];
    context.globalAlpha = 1;
    context.beginPath();
    context.arc(x * edge, (1 - y) * edge, 5.5, 0, 2 * Math.PI);
    context.fillStyle = stage.over ? this.#colours.over : this.#colours.surface;
    context.fill();
    context.lineWidth = 2.5;
    context.strokeStyle = this.#colours.ink;
    context.stroke();
  }
}

function number(): HTMLElement {
  return el("span", { class: "num" });
}

// The critic's value over two numbers of a state, as a map with contour lines, and where the stage is on it now,
// with a short trail.

import { ramp, type Rgb } from "../../core/colour";
import { el, write } from "../../core/dom";
import { tenths } from "../../core/format";
import { colour, onTheme } from "../../core/theme";
import type { ControlStage as Stage, ControlValueMap as Plane } from "../../generated/protocol";
import { contour } from "./contour";
import type { Kind, State } from "./worlds/kind";

const SHADES = 128;
const LEVELS = 8;
const TRAIL = 45;
/** An agent that pushes to and fro many times a second makes a scribble; its way can be read from the mean of late. */
const SETTLE_SECONDS = 0.05;
/** The map changes slowly; a calm picture needs no more redraws than this. */
const REDRAW_SECONDS = 0.1;

export class PlaneView {
  readonly element: HTMLElement;
  #map = el("canvas", { class: "plane-map", "aria-hidden": "true" });
  #over = el("canvas", { class: "plane-over", "aria-hidden": "true" });
  #marks = { low: number(), high: number(), left: number(), right: number(), top: number(), bottom: number() };
  #shades: Rgb[] = [];
  #colours = { ink: "", over: "", surface: "", line: "" };
  #cells = document.createElement("canvas");
  #range: [number, number] | null = null;
  #trail: [number, number][] = [];
  #episode = 0;
  #since = Infinity;
  #size = 0;
  #scale = 1;
  #observer = new ResizeObserver(() => this.#fit());
  #forget: () => void;

  constructor(readonly kind: Kind) {
    const [along, up] = kind.axes;
    const { low, high, left, right, top, bottom } = this.#marks;
    this.element = el(
      "div",
      { class: "plane" },
      el("div", { class: "plane-y" }, top, el("span", { text: up.label }), bottom),
      el("div", { class: "plane-frame" }, this.#map, this.#over),
      el("div", { class: "plane-x" }, left, el("span", { text: along.label }), right),
      el("div", { class: "legend plane-legend" }, low, el("span", { class: "legend-bar" }), high),
    );
    this.#observer.observe(this.#map);
    this.#forget = onTheme(() => this.#paint());
    this.#paint();
  }

  leave(): void {
    this.#observer.disconnect();
    this.#forget();
  }

  /** A new run: no trail and no scale of the last. */
  reset(): void {
    this.#range = null;
    this.#trail = [];
  }

  #paint(): void {
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
    this.#since = Infinity;
  }

  #fit(): void {
    const { width } = this.#map.getBoundingClientRect();
    if (width === 0) return;
    this.#scale = Math.min(2, devicePixelRatio || 1);
    this.#size = width;
    for (const canvas of [this.#map, this.#over]) canvas.width = canvas.height = Math.round(width * this.#scale);
    this.#since = Infinity;
  }

  draw(plane: Plane, values: Float32Array, stage: Stage, state: State, seconds: number): void {
    if (this.#size === 0) return;
    this.#since += seconds;
    if (this.#since >= REDRAW_SECONDS) {
      this.#since = 0;
      this.#drawMap(plane, values);
    }
    this.#follow(plane, stage, state, seconds);
    this.#drawTrail(stage);
  }

  #drawMap(plane: Plane, values: Float32Array): void {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (!Number.isFinite(low) || !Number.isFinite(high)) return;
    // The scale follows the critic without jumping.
    const [oldLow, oldHigh] = this.#range ?? [low, high];
    const [from, to] = [oldLow + (low - oldLow) * 0.2, oldHigh + (high - oldHigh) * 0.2];
    this.#range = [from, to];
    this.#label(plane, from, to);
    const size = plane.size;
    this.#fill(size, values, from, Math.max(1e-6, to - from));
    const context = this.#map.getContext("2d") as CanvasRenderingContext2D;
    const edge = this.#map.width;
    context.imageSmoothingEnabled = true;
    context.imageSmoothingQuality = "high";
    // Values stand at points and pixels cover areas: half a cell is cut off at each side.
    context.drawImage(this.#cells, 0.5, 0.5, size - 1, size - 1, 0, 0, edge, edge);
    context.strokeStyle = this.#colours.line;
    context.lineWidth = this.#scale * 0.8;
    context.beginPath();
    for (let k = 1; k < LEVELS; k++) contour(context, values, size, from + ((to - from) * k) / LEVELS, edge);
    context.stroke();
  }

  #fill(size: number, values: Float32Array, from: number, span: number): void {
    if (this.#cells.width !== size) this.#cells.width = this.#cells.height = size;
    const context = this.#cells.getContext("2d") as CanvasRenderingContext2D;
    const image = context.createImageData(size, size);
    for (let j = 0; j < size; j++) {
      for (let i = 0; i < size; i++) {
        const share = ((values[j * size + i] as number) - from) / span;
        const shade = this.#shades[Math.max(0, Math.min(SHADES - 1, Math.round(share * (SHADES - 1))))] as Rgb;
        const at = 4 * ((size - 1 - j) * size + i); // it grows upwards
        image.data.set(shade, at);
        image.data[at + 3] = 255;
      }
    }
    context.putImageData(image, 0, 0);
  }

  #label({ x, y }: Plane, low: number, high: number): void {
    const [along, up] = this.kind.axes;
    write(this.#marks.left, along.show(x[0]));
    write(this.#marks.right, along.show(x[1]));
    write(this.#marks.top, up.show(y[1]));
    write(this.#marks.bottom, up.show(y[0]));
    write(this.#marks.low, tenths(low));
    write(this.#marks.high, `${tenths(high)} ${this.kind.worth}`);
  }

  /** Adds where the stage is to the trail, as shares of both sides. */
  #follow({ fields, x, y }: Plane, stage: Stage, state: State, seconds: number): void {
    if (stage.episode !== this.#episode) this.#trail = [];
    this.#episode = stage.episode;
    const last = this.#trail[this.#trail.length - 1];
    const settle = 1 - Math.exp(-seconds / SETTLE_SECONDS);
    const place = [x, y].map(([low, high], side) => {
      const share = ((state[fields[side] as number] as number) - low) / (high - low);
      const before = last?.[side] ?? share;
      // Where both ends are the same, the way may lead over them.
      if (!this.kind.axes[side]?.turns) return Math.max(0.015, Math.min(0.985, before + (share - before) * settle));
      const way = share - before;
      const now = before + (way - Math.round(way)) * settle;
      return now - Math.floor(now);
    });
    this.#trail.push(place as [number, number]);
    if (this.#trail.length > TRAIL) this.#trail.shift();
  }

  #drawTrail(stage: Stage): void {
    const edge = this.#size;
    const context = this.#over.getContext("2d") as CanvasRenderingContext2D;
    context.setTransform(this.#scale, 0, 0, this.#scale, 0, 0);
    context.clearRect(0, 0, edge, edge);
    context.lineCap = "round";
    // A light line in a dark one can be read on every shade of the map.
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

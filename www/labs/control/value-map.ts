// The value map: how much reward the critic (the value network) expects, over two variables of the world's state, in
// colour and with contour lines. A second layer above it shows the recent path of the state on the stage (the large
// world). Positions on the map are fractions of its sides, from the lower left corner. Both layers are square canvases;
// the map is drawn in bitmap pixels and the path in CSS pixels.

import { bitmap, ResponsiveCanvas } from "../../core/canvas";
import { ramp, type Rgb } from "../../core/colour";
import { el, write } from "../../core/dom";
import { formatEnds } from "../../core/format";
import { colour } from "../../core/theme";
import type { ControlValueMap, ControlStage } from "../../generated/protocol";
import { addContour } from "./contour";
import { EXPECTED_RETURN, type WorldKind, type State } from "./worlds/world-kind";

/** The number of colours of the scale. */
const SHADES = 128;
/** Contour lines divide the range of values into this many bands. */
const CONTOUR_BANDS = 8;
/** Points of the path. One is added in each frame. */
const PATH_POINTS = 45;
/** Time constant of the path. An agent that pushes to and fro would draw a scribble, so the path is an average. */
const PATH_SMOOTHING_SECONDS = 0.05;
/** The path stays this far from the edges of the map, as a fraction of its sides. */
const PATH_MARGIN = 0.015;
/** The map changes slowly and is redrawn no more often than this. */
const REDRAW_SECONDS = 0.1;
/** The fraction by which the colour scale approaches the range of the values in each redraw. */
const SCALE_RATE = 0.2;
/** A constant map has no span to divide by, so the scale reaches over at least this. */
const MIN_SPAN = 1e-6;
// In CSS pixels. The path is a light line inside a dark one, so that it is visible on every shade.
const CONTOUR_WIDTH = 0.8;
const PATH_WIDTHS = { dark: 4.5, light: 2 };
const DOT = { radius: 5.5, edge: 2.5 };

export class ValueMap {
  readonly element: HTMLElement;
  #map = new ResponsiveCanvas({
    class: "value-map-canvas",
    resized: () => (this.#sinceRedraw = Infinity),
    recoloured: () => this.#readColours(),
  });
  #pathLayer = new ResponsiveCanvas({ class: "value-map-trail" });
  /** The ends of the colour scale and of both axes. */
  #limits = {
    low: numberText(),
    high: numberText(),
    left: numberText(),
    right: numberText(),
    top: numberText(),
    bottom: numberText(),
  };
  #shades: Rgb[] = [];
  #colours = { ink: "", over: "", surface: "", line: "" };
  /** One pixel for each value, to be drawn enlarged. */
  #pixels = bitmap();
  /** The values at both ends of the colour scale. */
  #range: [number, number] | null = null;
  /** The recent positions of the stage's state. */
  #path: [x: number, y: number][] = [];
  #episode = 0;
  /** Seconds since the map was drawn; Infinity makes the next call draw it. */
  #sinceRedraw = Infinity;

  /** `kind` says what the axes and the end of an episode mean. */
  constructor(readonly kind: Pick<WorldKind, "axes" | "termination">) {
    const [xAxis, yAxis] = kind.axes;
    const { low, high, left, right, top, bottom } = this.#limits;
    this.element = el(
      "div",
      { class: "value-map" },
      el("div", { class: "value-map-y" }, top, el("span", { text: yAxis.label }), bottom),
      el("div", { class: "value-map-frame" }, this.#map.element, this.#pathLayer.element),
      el("div", { class: "value-map-x" }, left, el("span", { text: xAxis.label }), right),
      el("div", { class: "legend value-map-legend" }, low, el("span", { class: "legend-bar" }), high),
    );
    this.#readColours();
  }

  destroy(): void {
    this.#map.destroy();
    this.#pathLayer.destroy();
  }

  /** Starts the path and the scale anew, for a new run. */
  reset(): void {
    this.#range = null;
    this.#path = [];
  }

  #readColours(): void {
    this.#shades = ramp(
      [0, 1, 2, 3].map((i) => colour(`--ramp-${i}`)),
      SHADES,
    );
    this.#colours = {
      ink: colour("--ink"),
      over: colour(this.kind.termination === "goal" ? "--better" : "--worse"),
      surface: colour("--surface"),
      line: colour("--contour"),
    };
    this.#sinceRedraw = Infinity;
  }

  /** Draws a frame, `seconds` after the one before. */
  draw(map: ControlValueMap, values: Float32Array, stage: ControlStage, state: State, seconds: number): void {
    if (this.#map.width === 0) return;
    this.#sinceRedraw += seconds;
    if (this.#sinceRedraw >= REDRAW_SECONDS) {
      this.#sinceRedraw = 0;
      this.#drawMap(map, values);
    }
    this.#extendPath(map, stage, state, seconds);
    this.#drawPath(stage);
  }

  #drawMap(map: ControlValueMap, values: Float32Array): void {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (!Number.isFinite(low) || !Number.isFinite(high)) return;
    // The scale follows the values slowly, without jumps.
    const [oldLow, oldHigh] = this.#range ?? [low, high];
    const [scaleLow, scaleHigh] = [oldLow + (low - oldLow) * SCALE_RATE, oldHigh + (high - oldHigh) * SCALE_RATE];
    this.#range = [scaleLow, scaleHigh];
    this.#writeLimits(map, scaleLow, scaleHigh);
    const { size } = map;
    const span = scaleHigh - scaleLow;
    this.#fillPixels(size, values, scaleLow, Math.max(MIN_SPAN, span));
    const { context, element } = this.#map;
    context.setTransform(1, 0, 0, 1, 0, 0);
    const edge = element.width;
    context.imageSmoothingEnabled = true;
    context.imageSmoothingQuality = "high";
    // Values belong to grid points at the centres of pixels, and the outermost points lie on the edges of the map. So
    // half a pixel is cut off on each side.
    context.drawImage(this.#pixels.canvas, 0.5, 0.5, size - 1, size - 1, 0, 0, edge, edge);
    context.strokeStyle = this.#colours.line;
    context.lineWidth = this.#map.scale * CONTOUR_WIDTH;
    context.beginPath();
    for (let k = 1; k < CONTOUR_BANDS; k++)
      addContour(context, values, size, scaleLow + (span * k) / CONTOUR_BANDS, edge);
    context.stroke();
  }

  /** Colours one pixel for each value. The scale begins at `low` and reaches over `span`. */
  #fillPixels(size: number, values: Float32Array, low: number, span: number): void {
    const { canvas, context } = this.#pixels;
    if (canvas.width !== size) canvas.width = canvas.height = size;
    const image = context.createImageData(size, size);
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < size; column++) {
        const share = ((values[row * size + column] as number) - low) / span;
        const shade = this.#shades[Math.max(0, Math.min(SHADES - 1, Math.round(share * (SHADES - 1))))] as Rgb;
        // Rows of values go upwards, rows of pixels downwards. A pixel has four bytes: red, green, blue and opacity.
        const pixel = 4 * ((size - 1 - row) * size + column);
        image.data.set(shade, pixel);
        image.data[pixel + 3] = 255;
      }
    }
    context.putImageData(image, 0, 0);
  }

  #writeLimits({ x, y }: ControlValueMap, low: number, high: number): void {
    const [xAxis, yAxis] = this.kind.axes;
    write(this.#limits.left, xAxis.format(x[0]));
    write(this.#limits.right, xAxis.format(x[1]));
    write(this.#limits.top, yAxis.format(y[1]));
    write(this.#limits.bottom, yAxis.format(y[0]));
    const [lowest, highest] = formatEnds([low, high]);
    write(this.#limits.low, lowest);
    write(this.#limits.high, `${highest} ${EXPECTED_RETURN}`);
  }

  /** Adds the stage's state to the path. `fields` are the indices of the two variables, `x` and `y` their ranges. */
  #extendPath({ fields, x, y }: ControlValueMap, stage: ControlStage, state: State, seconds: number): void {
    if (stage.episode !== this.#episode) this.#path = [];
    this.#episode = stage.episode;
    const previous = this.#path.at(-1);
    const rate = 1 - Math.exp(-seconds / PATH_SMOOTHING_SECONDS);
    const along = (axis: 0 | 1, [low, high]: [number, number]) => {
      const target = ((state[fields[axis]] as number) - low) / (high - low);
      const before = previous?.[axis] ?? target;
      if (!this.kind.axes[axis].wraps) {
        return Math.max(PATH_MARGIN, Math.min(1 - PATH_MARGIN, before + (target - before) * rate));
      }
      // The path takes the shorter way, which may cross the edge where the axis wraps around.
      const distance = target - before;
      const now = before + (distance - Math.round(distance)) * rate;
      return now - Math.floor(now);
    };
    this.#path.push([along(0, x), along(1, y)]);
    if (this.#path.length > PATH_POINTS) this.#path.shift();
  }

  #drawPath(stage: ControlStage): void {
    const edge = this.#pathLayer.width;
    const context = this.#pathLayer.clear();
    context.lineCap = "round";
    for (const [width, stroke] of [
      [PATH_WIDTHS.dark, this.#colours.ink],
      [PATH_WIDTHS.light, this.#colours.surface],
    ] as const) {
      context.lineWidth = width;
      context.strokeStyle = stroke;
      this.#path.forEach(([x, y], i) => {
        const previous = this.#path[i - 1];
        // No line is drawn across the map where the path leaves at one edge and comes in at the other. Only x wraps.
        const hasWrapped = previous && Math.abs(previous[0] - x) > 0.5;
        if (!previous || hasWrapped) return;
        context.globalAlpha = i / this.#path.length; // older parts are paler
        context.beginPath();
        context.moveTo(previous[0] * edge, (1 - previous[1]) * edge);
        context.lineTo(x * edge, (1 - y) * edge);
        context.stroke();
      });
    }
    // A dot marks the current state. It changes colour when the episode has ended.
    const [x, y] = this.#path.at(-1) as [number, number];
    context.globalAlpha = 1;
    context.beginPath();
    context.arc(x * edge, (1 - y) * edge, DOT.radius, 0, 2 * Math.PI);
    context.fillStyle = stage.over ? this.#colours.over : this.#colours.surface;
    context.fill();
    context.lineWidth = DOT.edge;
    context.strokeStyle = this.#colours.ink;
    context.stroke();
  }
}

/** An element for a number, with digits of equal width. */
function numberText(): HTMLElement {
  return el("span", { class: "num" });
}

// The grid of training worlds: a canvas with one small picture (cell) for each world the agent learns from. The lab
// sends at most 256 of them. A cell's colour shows how well the world's episode goes (see `CellDrawing.progress`), and
// the cell glows when the episode terminates. Coordinates are CSS pixels.

import { bitmap, ResponsiveCanvas } from "../../core/canvas";
import { css, ramp } from "../../core/colour";
import { reducedMotion, colour } from "../../core/theme";
import type { Box, WorldKind, State } from "./worlds/world-kind";

/** Shades of the colour ramp. The strongest ones are left out, because the drawings must stay readable on them. */
const SHADES = 64;
const UNUSED_SHADES = 22;
/** Seconds in which a glow fades. */
const GLOW_SECONDS = 0.35;
/** Strength of a fresh glow over the cell's colour, and of the wave. */
const [GLOW_STRENGTH, WAVE_STRENGTH] = [0.5, 0.7];
/** Seconds in which the wave of light crosses the grid. */
const WAVE_SECONDS = 1.6;
/** The ratio of width to height that cells should have, and its maximum. */
const [IDEAL_ASPECT, MAX_ASPECT] = [1.15, 1.7];
/** The weight of empty cells against the shape of the cells in the choice of a layout (see `columnsFor`). */
const EMPTY_COST = 6;
/** In each draw, the remembered number of steps between two draws decays by this factor (see `#updateGlows`). */
const ADVANCE_DECAY = 0.95;

export class WorldGrid {
  readonly canvas: HTMLCanvasElement;
  #surface = new ResponsiveCanvas({
    class: "world-grid-canvas",
    resized: () => (this.#boxes = []),
    recoloured: () => this.#readColours(),
  });
  #context = this.#surface.context;
  #shades: string[] = [];
  #colours = { ink: "", glow: "", light: "" };
  /** The parts that are the same in every cell, drawn once. */
  #fixedParts = bitmap();
  /** The cells; empty if they have to be laid out anew. */
  #boxes: Box[] = [];
  /** Steps in the episode of each world, at the previous draw. */
  #previousSteps = new Float32Array(0);
  /** The glow of each cell, from 1 (just terminated) to 0. */
  #glow = new Float32Array(0);
  /** The remaining part of the wave of light, from 1 to 0. */
  #wave = 0;
  /** The largest recent number of steps that a world has made between two draws. */
  #advance = 0;

  constructor(readonly kind: WorldKind) {
    this.canvas = this.#surface.element;
    this.#readColours();
  }

  destroy(): void {
    this.#surface.destroy();
  }

  #readColours(): void {
    const stops = [0, 1, 2, 3].map((i) => colour(`--ramp-${i}`));
    this.#shades = ramp(stops, SHADES + UNUSED_SHADES)
      .slice(0, SHADES)
      .map((c) => css(c));
    const glow = colour(this.kind.termination === "goal" ? "--better" : "--worse");
    this.#colours = { ink: colour("--ink"), glow, light: colour("--surface") };
    this.#boxes = []; // so that the fixed parts are drawn again
  }

  /** Lets a wave of light run over the grid once. */
  celebrate(): void {
    this.#wave = reducedMotion() ? 0 : 1;
  }

  /** `states` holds the states of the worlds, one after the other; `steps` their steps in the current episode. */
  draw(states: Float32Array, steps: Float32Array, seconds: number): void {
    const n = steps.length;
    const { width, height } = this.#surface;
    if (n === 0 || width === 0) return;
    if (this.#previousSteps.length !== n) {
      this.#previousSteps = steps.slice();
      this.#glow = new Float32Array(n);
    }
    if (this.#boxes.length !== n) this.#layOutCells(n);
    this.#updateGlows(steps, seconds);
    this.#wave = Math.max(0, this.#wave - seconds / WAVE_SECONDS);
    const context = this.#surface.clear();
    const stateSize = states.length / n;
    for (let i = 0; i < n; i++) this.#drawBackground(i, states, i * stateSize, steps[i] as number);
    if (this.kind.cell.addFixedLines) context.drawImage(this.#fixedParts.canvas, 0, 0, width, height);
    this.#drawWorlds(states, stateSize);
  }

  /** Divides the canvas into cells and draws their fixed parts. */
  #layOutCells(n: number): void {
    const { width, height, scale } = this.#surface;
    const columns = columnsFor(n, width, height);
    // A few worlds do not stretch over the whole width: `w` and `h` are the distances of cells.
    const h = height / Math.ceil(n / columns);
    const w = Math.min(width / columns, h * MAX_ASPECT);
    const gap = Math.min(2, w * 0.06); // between neighbouring cells
    this.#boxes = Array.from({ length: n }, (_, i) => ({
      x: (i % columns) * w,
      y: Math.floor(i / columns) * h,
      w: w - gap,
      h: h - gap,
    }));
    const { canvas, context } = this.#fixedParts;
    [canvas.width, canvas.height] = [this.canvas.width, this.canvas.height];
    context.scale(scale, scale);
    context.globalAlpha = 0.5;
    context.strokeStyle = this.#colours.ink;
    context.lineWidth = Math.max(0.75, Math.min(w, h) * 0.025);
    context.beginPath();
    for (const box of this.#boxes) this.kind.cell.addFixedLines?.(context, box);
    context.stroke();
  }

  #updateGlows(steps: Float32Array, seconds: number): void {
    const { termination, timeLimit } = this.kind;
    if (!termination) return;
    const previous = this.#previousSteps;
    // All worlds step together, so the largest increase is the number of steps since the previous draw. If all of them
    // have restarted, a recent value is the best estimate.
    let advance = this.#advance * ADVANCE_DECAY;
    for (let i = 0; i < steps.length; i++) advance = Math.max(advance, (steps[i] as number) - (previous[i] as number));
    this.#advance = advance;
    for (let i = 0; i < steps.length; i++) {
      const hasEnded = (steps[i] as number) < (previous[i] as number);
      // An episode that could have reached the time limit is taken to have been truncated by it, and does not glow.
      if (hasEnded && (previous[i] as number) + advance < timeLimit) this.#glow[i] = 1;
      else this.#glow[i] = Math.max(0, (this.#glow[i] as number) - seconds / GLOW_SECONDS);
      previous[i] = steps[i] as number;
    }
  }

  /**
   * Fills a cell with the colour of its world's progress, its glow, and the wave. The world's state begins at `offset`.
   */
  #drawBackground(cell: number, states: State, offset: number, steps: number): void {
    const context = this.#context;
    const box = this.#boxes[cell] as Box;
    const progress = this.kind.cell.progress(states, offset, steps);
    context.fillStyle = this.#shades[Math.max(0, Math.min(SHADES - 1, Math.floor(progress * SHADES)))] as string;
    context.fillRect(box.x, box.y, box.w, box.h);
    this.#overlay(this.#colours.glow, (this.#glow[cell] as number) * GLOW_STRENGTH, box);
    if (this.#wave === 0) return;
    // The crest runs from 0.15 left of the grid to 0.15 right of it, in units of its width. The light fades to nothing
    // within 1/6 of the width on both sides of the crest.
    const crest = (1 - this.#wave) * 1.3 - 0.15;
    const distance = Math.abs(box.x / this.#surface.width - crest);
    this.#overlay(this.#colours.light, WAVE_STRENGTH * (1 - 6 * distance), box);
  }

  /** Draws all worlds as two paths, one of lines and one of shapes, which is faster than a path for each world. */
  #drawWorlds(states: State, stateSize: number): void {
    const context = this.#context;
    const { cell } = this.kind;
    const { w, h } = this.#boxes[0] as Box;
    context.globalAlpha = 0.85;
    context.strokeStyle = context.fillStyle = this.#colours.ink;
    context.lineCap = context.lineJoin = "round";
    context.lineWidth = Math.max(1, Math.min(w, h) * 0.055);
    context.beginPath();
    this.#boxes.forEach((box, i) => cell.addLines(context, states, i * stateSize, box));
    context.stroke();
    context.beginPath();
    this.#boxes.forEach((box, i) => cell.addShapes(context, states, i * stateSize, box));
    context.fill();
    context.globalAlpha = 1;
  }

  /** Covers a cell with a colour of this opacity. */
  #overlay(colour: string, opacity: number, { x, y, w, h }: Box): void {
    if (opacity <= 0) return;
    this.#context.globalAlpha = opacity;
    this.#context.fillStyle = colour;
    this.#context.fillRect(x, y, w, h);
    this.#context.globalAlpha = 1;
  }
}

/** The number of columns with which `n` cells come close to the ideal shape and few places at the end stay empty. */
function columnsFor(n: number, width: number, height: number): number {
  let best = 1;
  let lowestCost = Infinity;
  for (let columns = 1; columns <= n; columns++) {
    const rows = Math.ceil(n / columns);
    const aspect = width / columns / (height / rows);
    const empty = (columns * rows - n) / n;
    const cost = Math.abs(Math.log(aspect / IDEAL_ASPECT)) + EMPTY_COST * empty;
    if (cost < lowestCost) [best, lowestCost] = [columns, cost];
  }
  return best;
}

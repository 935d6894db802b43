// The wall of worlds the agent learns from. Each cell is one world; it gets greener with its progress and glows when
// its episode ends.

import { bitmap, ResponsiveCanvas } from "../../core/canvas";
import { css, ramp } from "../../core/colour";
import { reducedMotion, colour } from "../../core/theme";
import type { Box, WorldKind, State } from "./worlds/world-kind";

const SHADES = 64;
/** Seconds for which a glow fades. */
const GLOW = 0.35;
/** Largest ratio of a cell's width to its height. */
const WIDEST = 1.7;

export class Wall {
  readonly canvas: HTMLCanvasElement;
  #surface = new ResponsiveCanvas({
    class: "wall-canvas",
    resized: () => (this.#boxes = []),
    recoloured: () => this.#readColours(),
  });
  #context = this.#surface.context;
  #shades: string[] = [];
  #colours = { ink: "", glow: "", light: "" };
  /** The parts that are the same in every cell, drawn once. */
  #fixedParts = bitmap();
  #boxes: Box[] = [];
  #before = new Float32Array(0);
  #glow = new Float32Array(0);
  #wave = 0;
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
    // The strongest shades are not used, because the drawings must stay readable on them.
    this.#shades = ramp(stops, SHADES + 22)
      .slice(0, SHADES)
      .map((c) => css(c));
    const glow = colour(this.kind.ends === "goal" ? "--better" : "--worse");
    this.#colours = { ink: colour("--ink"), glow, light: colour("--surface") };
    this.#boxes = [];
  }

  /** A wave of light runs over the wall once. */
  celebrate(): void {
    this.#wave = reducedMotion() ? 0 : 1;
  }

  /** `states`: the numbers of each world, one after the other; `steps`: the length of the present episode of each. */
  draw(states: Float32Array, steps: Float32Array, seconds: number): void {
    const n = steps.length;
    const { width, height } = this.#surface;
    if (n === 0 || width === 0) return;
    if (this.#before.length !== n) {
      this.#before = steps.slice();
      this.#glow = new Float32Array(n);
    }
    if (this.#boxes.length !== n) this.#layOutCells(n);
    this.#updateGlows(steps, seconds);
    this.#wave = Math.max(0, this.#wave - seconds / 1.6);
    const context = this.#surface.clear();
    const each = states.length / n;
    for (let i = 0; i < n; i++) this.#drawGround(states, i * each, steps[i] as number, i);
    if (this.kind.cell.fixed) context.drawImage(this.#fixedParts.canvas, 0, 0, width, height);
    this.#drawWorlds(states, each);
  }

  /** Divides the wall into cells and draws their fixed parts. */
  #layOutCells(n: number): void {
    const { width, height, scale } = this.#surface;
    const columns = columnsFor(n, width, height);
    // A single world does not get a cell as wide as the wall.
    const h = height / Math.ceil(n / columns);
    const w = Math.min(width / columns, h * WIDEST);
    const gap = Math.min(2, w * 0.06);
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
    for (const box of this.#boxes) this.kind.cell.fixed?.(context, box);
    context.stroke();
  }

  #updateGlows(steps: Float32Array, seconds: number): void {
    const { ends, limit } = this.kind;
    if (!ends) return;
    const before = this.#before;
    // All worlds step together, so the largest increase is the number of steps since the last picture. If all of them
    // have restarted, a recent value is the best guess.
    let advance = this.#advance * 0.95;
    for (let i = 0; i < steps.length; i++) advance = Math.max(advance, (steps[i] as number) - (before[i] as number));
    this.#advance = advance;
    for (let i = 0; i < steps.length; i++) {
      const ended = (steps[i] as number) < (before[i] as number);
      // An episode that would have reached the limit ended by its time limit, not by a fall or an arrival.
      if (ended && (before[i] as number) + advance < limit) this.#glow[i] = 1;
      else this.#glow[i] = Math.max(0, (this.#glow[i] as number) - seconds / GLOW);
      before[i] = steps[i] as number;
    }
  }

  #drawGround(states: State, at: number, lasted: number, i: number): void {
    const context = this.#context;
    const box = this.#boxes[i] as Box;
    const share = this.kind.cell.tint(states, at, lasted);
    context.fillStyle = this.#shades[Math.max(0, Math.min(SHADES - 1, Math.floor(share * SHADES)))] as string;
    context.fillRect(box.x, box.y, box.w, box.h);
    this.#tint(this.#colours.glow, (this.#glow[i] as number) * 0.5, box);
    if (this.#wave === 0) return;
    const across = box.x / this.#surface.width;
    this.#tint(this.#colours.light, 0.7 * (1 - 6 * Math.abs(across + 0.15 - (1 - this.#wave) * 1.3)), box);
  }

  /** All worlds as two paths, one of lines and one of shapes. */
  #drawWorlds(states: State, each: number): void {
    const context = this.#context;
    const { cell } = this.kind;
    const { w, h } = this.#boxes[0] as Box;
    context.globalAlpha = 0.85;
    context.strokeStyle = context.fillStyle = this.#colours.ink;
    context.lineCap = context.lineJoin = "round";
    context.lineWidth = Math.max(1, Math.min(w, h) * 0.055);
    context.beginPath();
    this.#boxes.forEach((box, i) => cell.lines(context, states, i * each, box));
    context.stroke();
    context.beginPath();
    this.#boxes.forEach((box, i) => cell.shapes(context, states, i * each, box));
    context.fill();
    context.globalAlpha = 1;
  }

  #tint(tint: string, strength: number, { x, y, w, h }: Box): void {
    if (strength <= 0) return;
    this.#context.globalAlpha = strength;
    this.#context.fillStyle = tint;
    this.#context.fillRect(x, y, w, h);
    this.#context.globalAlpha = 1;
  }
}

/** The number of columns that makes the cells nearly square and leaves the fewest places empty. */
function columnsFor(n: number, width: number, height: number): number {
  let best = 1;
  let least = Infinity;
  for (let columns = 1; columns <= n; columns++) {
    const rows = Math.ceil(n / columns);
    const shape = Math.abs(Math.log(width / columns / (height / rows) / 1.15));
    const empty = (columns * rows - n) / n;
    if (shape + 6 * empty < least) [best, least] = [columns, shape + 6 * empty];
  }
  return best;
}

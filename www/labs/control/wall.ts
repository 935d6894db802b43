// The wall of worlds the agent learns from: each cell one cart-pole, greener the longer its episode has
// lasted, with a short warm glow where one has just fallen.

import { css, ramp } from "../../core/colour";
import { calm, colour, onTheme } from "../../core/theme";

/** An episode that lasts this long is complete. */
const FULL = 500;
const SHADES = 64;
/** Seconds a fall stays visible. */
const GLOW = 0.35;
/** Leaning is drawn larger than it is: twelve degrees are hard to see in a small cell. */
const EXAGGERATION = 2.6;
/** A cell is at most this much wider than high. */
const WIDEST = 1.7;

export class Wall {
  readonly canvas = document.createElement("canvas");
  #context = this.canvas.getContext("2d") as CanvasRenderingContext2D;
  #shades: string[] = [];
  #colours = { ink: "", worse: "", light: "" };
  #before = new Float32Array(0);
  #glow = new Float32Array(0);
  #wave = 0;
  #advance = 0;
  #size = { width: 0, height: 0, scale: 1 };
  #observer = new ResizeObserver(() => this.#fit());
  #forget: () => void;

  constructor() {
    this.canvas.className = "wall-canvas";
    this.canvas.setAttribute("aria-hidden", "true");
    this.#observer.observe(this.canvas);
    this.#forget = onTheme(() => this.#paint());
    this.#paint();
  }

  leave(): void {
    this.#observer.disconnect();
    this.#forget();
  }

  #paint(): void {
    const stops = [0, 1, 2, 3].map((i) => colour(`--ramp-${i}`));
    // The strongest shades are left to the value map: on the wall the pole must stay readable.
    this.#shades = ramp(stops, SHADES + 22)
      .slice(0, SHADES)
      .map((c) => css(c));
    this.#colours = { ink: colour("--ink"), worse: colour("--worse"), light: colour("--surface") };
  }

  #fit(): void {
    const { width, height } = this.canvas.getBoundingClientRect();
    if (width === 0) return;
    const scale = Math.min(2, devicePixelRatio || 1);
    this.#size = { width, height, scale };
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
  }

  /** A wave of light runs over the wall once. */
  celebrate(): void {
    this.#wave = calm() ? 0 : 1;
  }

  /** `worlds`: four numbers each; `steps`: how long the episode of each has lasted. */
  draw(worlds: Float32Array, steps: Float32Array, seconds: number): void {
    const n = steps.length;
    const { width, height, scale } = this.#size;
    if (n === 0 || width === 0) return;
    if (this.#before.length !== n) {
      this.#before = steps.slice();
      this.#glow = new Float32Array(n);
    }
    this.#noticeFalls(steps, seconds);
    this.#wave = Math.max(0, this.#wave - seconds / 1.6);
    const columns = columnsFor(n, width, height);
    const rows = Math.ceil(n / columns);
    // A single world does not get a cell as wide as the wall.
    const h = height / rows;
    const w = Math.min(width / columns, h * WIDEST);
    const gap = Math.min(2, w * 0.06);
    const context = this.#context;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.lineCap = "round";
    for (let i = 0; i < n; i++) {
      const column = i % columns;
      this.#cell(
        worlds,
        steps[i] as number,
        i,
        column * w,
        Math.floor(i / columns) * h,
        w - gap,
        h - gap,
        column / columns,
      );
    }
  }

  #noticeFalls(steps: Float32Array, seconds: number): void {
    const before = this.#before;
    // All worlds step together, so the largest advance is how far each has gone since the last picture;
    // where all have begun anew, what it was before is the best guess.
    let advance = this.#advance * 0.95;
    for (let i = 0; i < steps.length; i++) advance = Math.max(advance, (steps[i] as number) - (before[i] as number));
    this.#advance = advance;
    for (let i = 0; i < steps.length; i++) {
      const ended = (steps[i] as number) < (before[i] as number);
      // One that would have reached the limit did not fall: its episode was complete.
      if (ended && (before[i] as number) + advance < FULL) this.#glow[i] = 1;
      else this.#glow[i] = Math.max(0, (this.#glow[i] as number) - seconds / GLOW);
      before[i] = steps[i] as number;
    }
  }

  #cell(
    worlds: Float32Array,
    lasted: number,
    i: number,
    x: number,
    y: number,
    w: number,
    h: number,
    across: number,
  ): void {
    const context = this.#context;
    context.fillStyle = this.#shades[Math.min(SHADES - 1, Math.floor((lasted / FULL) * SHADES))] as string;
    context.fillRect(x, y, w, h);
    const glow = this.#glow[i] as number;
    const light = this.#wave > 0 ? Math.max(0, 1 - 6 * Math.abs(across + 0.15 - (1 - this.#wave) * 1.3)) : 0;
    this.#veil(this.#colours.worse, glow * 0.5, x, y, w, h);
    this.#veil(this.#colours.light, light * 0.7, x, y, w, h);
    const at = x + w * (0.5 + ((worlds[4 * i] as number) / 2.4) * 0.4);
    const lean = Math.max(-0.6, Math.min(0.6, (worlds[4 * i + 2] as number) * EXAGGERATION));
    const ground = y + h * 0.8;
    const length = h * 0.56;
    context.globalAlpha = 0.85;
    context.strokeStyle = context.fillStyle = this.#colours.ink;
    context.lineWidth = Math.max(1, Math.min(w, h) * 0.055);
    context.beginPath();
    context.moveTo(at, ground);
    context.lineTo(at + Math.sin(lean) * length, ground - Math.cos(lean) * length);
    context.stroke();
    context.fillRect(at - w * 0.1, ground - h * 0.045, w * 0.2, h * 0.09);
    context.globalAlpha = 1;
  }

  #veil(tint: string, strength: number, x: number, y: number, w: number, h: number): void {
    if (strength <= 0) return;
    this.#context.globalAlpha = strength;
    this.#context.fillStyle = tint;
    this.#context.fillRect(x, y, w, h);
    this.#context.globalAlpha = 1;
  }
}

/** As many columns as make the cells nearly square and leave the fewest places empty. */
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

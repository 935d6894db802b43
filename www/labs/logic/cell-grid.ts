// A grid of cells on a canvas. Changes are faded in, wrong cells carry a dot, and the chosen cell a frame. Nothing is
// drawn while nothing changes.

import { bitmap, ResponsiveCanvas } from "../../core/canvas";
import { el } from "../../core/dom";
import { reducedMotion, colour } from "../../core/theme";
import { CellColours } from "./cell-colours";
import "./grid.css";

/** Time constant of the fading. */
const FADE_SECONDS = 0.05;
/** Smaller cells, in CSS pixels, have no lines between them and no dots. */
const LINED = 5;
/** Duration of the wave of light. */
const WAVE_SECONDS = 1.1;

export interface Cells {
  width: number;
  height: number;
  /** Number of channels: one, or three. */
  shown: number;
  /** One plane for each channel, row by row. */
  values: ArrayLike<number>;
  /** The value of a lit cell. */
  full: number;
}

/** What is drawn over the cells. */
export interface Marks {
  /** The target, 0 or 1, in the order of the values. Cells that differ carry a dot. */
  target?: ArrayLike<number> | undefined;
  /** Opacity of the dots. */
  strength?: number;
  cell?: [number, number] | undefined;
  /** Whether to show the neighbourhood of that cell too. */
  around?: boolean;
  /** The reach of a tool, in cells. */
  brush?: { x: number; y: number; radius: number } | null | undefined;
}

export class CellGrid {
  readonly element = el("div", { class: "logic-frame" });
  readonly canvas: HTMLCanvasElement;
  #surface = new ResponsiveCanvas({
    class: "logic-canvas",
    box: this.element,
    resized: () => this.#fit(),
    recoloured: () => this.#repaint(),
  });
  #width = 1;
  #height = 1;
  #values = new Float32Array(1);
  #shades = new CellColours();
  #colours = { line: "", wrong: "", ink: "", paper: "" };
  #image = bitmap();
  #scale = 1;
  #pitch = 1;
  #wave = Infinity;
  #drawn: [Cells, Marks] | null = null;
  /** Whether the grid must be drawn again, and the marks it was last drawn with. */
  #stale = true;
  #marked = "";

  constructor() {
    this.canvas = this.#surface.element;
    this.element.append(this.canvas);
    this.#repaint();
  }

  destroy(): void {
    this.#surface.destroy();
  }

  /** The colours have changed. */
  #repaint(): void {
    this.#shades = new CellColours();
    this.#colours = {
      line: colour("--well"),
      wrong: colour("--worse"),
      ink: colour("--ink"),
      paper: colour("--paper"),
    };
    this.#stale = true;
    if (this.#drawn) this.draw(...this.#drawn, 0);
  }

  /** Every cell is the same whole number of bitmap pixels. */
  #fit(): void {
    const { width: box } = this.#surface;
    if (box === 0) return;
    // With a bitmap twice as fine as needed, the grid fills its box and cells still look equal.
    const most = Math.max(this.#width, this.#height);
    this.#pitch = Math.max(1, Math.round((2 * box) / most));
    this.#scale = (this.#pitch * most) / box;
    this.canvas.width = this.#pitch * this.#width;
    this.canvas.height = this.#pitch * this.#height;
    this.#stale = true;
    if (this.#drawn) this.draw(...this.#drawn, 0);
  }

  /** The position of a pointer, in cells from the upper left corner. */
  at({ clientX, clientY }: { clientX: number; clientY: number }): { x: number; y: number } {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    return { x: ((clientX - left) / width) * this.#width, y: ((clientY - top) / height) * this.#height };
  }

  /** A wave of light runs over the grid once. */
  celebrate(): void {
    if (!reducedMotion()) this.#wave = 0;
  }

  draw(cells: Cells, marks: Marks, seconds: number): void {
    const { width, height, shown, values, full } = cells;
    if (width !== this.#width || height !== this.#height || this.#values.length !== values.length) {
      [this.#width, this.#height] = [width, height];
      this.#values = Float32Array.from(values, (value) => (255 * value) / full);
      [this.#image.canvas.width, this.#image.canvas.height] = [width, height];
      this.#drawn = null;
      this.#fit();
    }
    this.#drawn = [cells, marks];
    if (this.#surface.width === 0) return;
    const step = reducedMotion() ? 1 : 1 - Math.exp(-seconds / FADE_SECONDS);
    for (let i = 0; i < values.length; i++) {
      const to = (255 * (values[i] as number)) / full;
      const way = to - (this.#values[i] as number);
      if (way === 0) continue;
      this.#stale = true;
      this.#values[i] = Math.abs(way) < 2 ? to : (this.#values[i] as number) + way * step;
    }
    const marked = markKey(marks);
    if (!this.#stale && marked === this.#marked && this.#wave > WAVE_SECONDS) return;
    // One more drawing after the wave removes its traces.
    [this.#stale, this.#marked] = [this.#wave <= WAVE_SECONDS, marked];
    const { canvas, context: small } = this.#image;
    const image = small.createImageData(width, height);
    this.#shades.paint(image, this.#values, shown);
    small.putImageData(image, 0, 0);
    const { context } = this.#surface;
    context.imageSmoothingEnabled = false;
    context.globalAlpha = 1;
    context.drawImage(canvas, 0, 0, this.canvas.width, this.canvas.height);
    const lined = this.#pitch / this.#scale >= LINED;
    if (lined) this.#drawLines(context);
    if (marks.target && lined) this.#drawErrors(context, cells, marks.target, marks.strength ?? 1);
    if (marks.cell) this.#drawCell(context, marks.cell, marks.around ?? false);
    if (marks.brush) this.#drawBrush(context, marks.brush);
    this.#drawWave(context, seconds);
  }

  #drawLines(context: CanvasRenderingContext2D): void {
    const [pitch, { width, height }] = [this.#pitch, this.canvas];
    const thick = Math.max(2, Math.round(pitch / 16));
    context.fillStyle = this.#colours.line;
    for (let x = 1; x < this.#width; x++) context.fillRect(x * pitch - (thick >> 1), 0, thick, height);
    for (let y = 1; y < this.#height; y++) context.fillRect(0, y * pitch - (thick >> 1), width, thick);
  }

  #drawErrors(context: CanvasRenderingContext2D, cells: Cells, target: ArrayLike<number>, strength: number): void {
    const { width, shown, values, full } = cells;
    const [count, pitch] = [width * cells.height, this.#pitch];
    let found = 0;
    context.beginPath();
    for (let cell = 0; cell < count; cell++) {
      let wrong = false;
      for (let c = 0; c < shown; c++) {
        const at = c * count + cell;
        wrong ||= 2 * (values[at] as number) >= full !== (target[at] as number) > 0;
      }
      if (!wrong) continue;
      found++;
      const [x, y] = [((cell % width) + 0.5) * pitch, (Math.floor(cell / width) + 0.5) * pitch];
      context.moveTo(x + 0.17 * pitch, y);
      context.arc(x, y, 0.17 * pitch, 0, 2 * Math.PI);
    }
    // Where many cells are wrong, the dots are paler.
    context.globalAlpha = strength * Math.max(0.25, 1 - (3 * found) / count);
    context.fillStyle = this.#colours.wrong;
    context.fill();
    context.globalAlpha = 1;
  }

  /** The chosen cell, and a faint frame around its neighbourhood. */
  #drawCell(context: CanvasRenderingContext2D, [x, y]: [number, number], around: boolean): void {
    const [pitch, thick] = [this.#pitch, Math.max(2, Math.round(1.5 * this.#scale))];
    const { ink, paper } = this.#colours;
    const frame = (reach: number, colour: string, wide: number, alpha: number) => {
      context.globalAlpha = alpha;
      context.strokeStyle = colour;
      context.lineWidth = wide;
      const side = (2 * reach + 1) * pitch;
      context.strokeRect((x - reach) * pitch, (y - reach) * pitch, side, side);
    };
    if (around) frame(1, ink, Math.max(1, this.#scale), 0.45);
    frame(0, paper, 2 * thick, 1);
    frame(0, ink, thick, 1);
    context.globalAlpha = 1;
  }

  #drawBrush(context: CanvasRenderingContext2D, { x, y, radius }: { x: number; y: number; radius: number }): void {
    const pitch = this.#pitch;
    for (const [colour, wide] of [
      [this.#colours.paper, 3.5],
      [this.#colours.ink, 1.5],
    ] as const) {
      context.strokeStyle = colour;
      context.lineWidth = wide * this.#scale;
      context.beginPath();
      context.arc(x * pitch, y * pitch, Math.max(0.5, radius) * pitch, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  #drawWave(context: CanvasRenderingContext2D, seconds: number): void {
    if (this.#wave > WAVE_SECONDS) return;
    this.#wave += seconds;
    const { width, height } = this.canvas;
    const front = (this.#wave / WAVE_SECONDS) * (width + height) * 1.3;
    const light = context.createLinearGradient(0, 0, width, height);
    const at = (share: number) => Math.max(0, Math.min(1, share));
    const middle = front / (width + height) - 0.15;
    light.addColorStop(at(middle - 0.15), "rgb(255 255 255 / 0)");
    light.addColorStop(at(middle), "rgb(255 255 255 / 0.55)");
    light.addColorStop(at(middle + 0.15), "rgb(255 255 255 / 0)");
    context.fillStyle = light;
    context.fillRect(0, 0, width, height);
  }
}

/** A text that differs for marks that are drawn differently. */
function markKey({ target, strength, cell, around, brush }: Marks): string {
  const { x, y, radius } = brush ?? {};
  return [target && Array.prototype.join.call(target), strength, cell?.join(), around, x, y, radius].join(";");
}

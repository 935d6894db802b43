// A grid of cells on a canvas, used for the stage, the target and the target editor. Changes are faded in, wrong cells
// carry a dot, and the chosen cell has a frame. The canvas is drawn again only if something has changed. Positions are
// in cells from the upper left corner.

import { bitmap, ResponsiveCanvas } from "../../core/canvas";
import { el } from "../../core/dom";
import { reducedMotion, colour } from "../../core/theme";
import { CellColours } from "./cell-colours";
import "./grid.css";

/** Time constant of the fading between two states. */
const FADE_SECONDS = 0.05;
/** Smaller cells, in CSS pixels, have no lines between them and no dots. */
const MIN_LINED_CELL = 4;
/** Radius of the dot of a wrong cell, in cells. */
const DOT_RADIUS = 0.17;
/** Duration of the wave of light that celebrates the goal. */
const WAVE_SECONDS = 1.1;
/** A value that is closer than this to its target jumps there, so that fading ends. Values are 0 to 255. */
const FADED_DIFFERENCE = 2;
/** Where many cells are wrong, dots are paler, down to this opacity, which is reached when 18% are wrong. */
const MIN_DOT_OPACITY = 0.45;
/** Opacity of the frame around the neighbourhood of the chosen cell. */
const NEIGHBOURHOOD_OPACITY = 0.45;
/** The width of lines between cells, as a fraction of a cell. */
const LINE_FRACTION = 1 / 16;
// In CSS pixels.
const CELL_FRAME_WIDTH = 1.5;
const BRUSH_WIDTHS = { paper: 3.5, ink: 1.5 };

export interface Cells {
  width: number;
  height: number;
  /** Number of channels that are shown: one, or three for red, green and blue. */
  shown: number;
  /** One plane after the other for each channel, row by row. */
  values: ArrayLike<number>;
  /** The value of a cell that is fully on: 1 for bits, 255 for bytes. */
  full: number;
}

/** What is drawn over the cells. */
export interface Marks {
  /** The target, 0 or 1, in the order of the values. Cells that differ carry a dot. */
  target?: ArrayLike<number> | undefined;
  /** Opacity of the dots, 0 to 1. */
  strength?: number;
  /** The chosen cell: column and row. */
  cell?: [number, number] | undefined;
  /** Whether to frame the 3×3 neighbourhood of that cell too. */
  showNeighbourhood?: boolean;
  /** The circle in which the visitor's tool works. */
  brush?: { x: number; y: number; radius: number } | null | undefined;
}

export class CellGrid {
  readonly element = el("div", { class: "logic-frame" });
  readonly canvas: HTMLCanvasElement;
  #surface = new ResponsiveCanvas({
    class: "logic-canvas",
    box: this.element,
    resized: () => this.#fit(),
    recoloured: () => this.#readColours(),
  });
  #width = 1;
  #height = 1;
  /** The values as shown, 0 to 255, which fade towards those of the cells. */
  #shownValues = new Float32Array(1);
  #cellColours = new CellColours();
  #colours = { line: "", wrong: "", ink: "", paper: "" };
  /** A bitmap with one pixel per cell. */
  #image = bitmap();
  /** Bitmap pixels per CSS pixel. */
  #scale = 1;
  /** Bitmap pixels per cell, in x and y. */
  #pitch = 1;
  /** Seconds since the wave of light began. */
  #waveSeconds = Infinity;
  /** What was drawn last, to be drawn again after a change of size or theme. */
  #drawn: [Cells, Marks] | null = null;
  /** Whether the grid must be drawn again. */
  #stale = true;
  /** Identifies the marks that were last drawn. */
  #marksKey = "";

  constructor() {
    this.canvas = this.#surface.element;
    this.element.append(this.canvas);
    this.#readColours();
  }

  destroy(): void {
    this.#surface.destroy();
  }

  /** Reads the palette of the present theme. */
  #readColours(): void {
    this.#cellColours = new CellColours();
    this.#colours = {
      line: colour("--line"),
      wrong: colour("--worse"),
      ink: colour("--ink"),
      paper: colour("--paper"),
    };
    this.#stale = true;
    if (this.#drawn) this.draw(...this.#drawn, 0);
  }

  /** Sizes the bitmap so that every cell is the same whole number of pixels. */
  #fit(): void {
    const { width: boxWidth } = this.#surface;
    if (boxWidth === 0) return;
    // CSS scales the bitmap to the box's width. At about twice the resolution no cell looks larger than another.
    this.#pitch = Math.max(1, Math.round((2 * boxWidth) / this.#width));
    this.#scale = (this.#pitch * this.#width) / boxWidth;
    this.canvas.width = this.#pitch * this.#width;
    this.canvas.height = this.#pitch * this.#height;
    this.#stale = true;
    if (this.#drawn) this.draw(...this.#drawn, 0);
  }

  /** The position of a pointer, in cells. */
  positionOf({ clientX, clientY }: { clientX: number; clientY: number }): { x: number; y: number } {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    return { x: ((clientX - left) / width) * this.#width, y: ((clientY - top) / height) * this.#height };
  }

  /** A wave of light runs over the grid once. */
  celebrate(): void {
    if (!reducedMotion()) this.#waveSeconds = 0;
  }

  /** Draws cells and marks; `seconds` have passed since the last call. */
  draw(cells: Cells, marks: Marks, seconds: number): void {
    const { width, height, shown, values, full } = cells;
    if (width !== this.#width || height !== this.#height || this.#shownValues.length !== values.length) {
      [this.#width, this.#height] = [width, height];
      this.#shownValues = Float32Array.from(values, (value) => (255 * value) / full);
      [this.#image.canvas.width, this.#image.canvas.height] = [width, height];
      this.#drawn = null;
      this.#fit();
    }
    this.#drawn = [cells, marks];
    if (this.#surface.width === 0) return;
    const step = reducedMotion() ? 1 : 1 - Math.exp(-seconds / FADE_SECONDS);
    for (let i = 0; i < values.length; i++) {
      const target = (255 * (values[i] as number)) / full;
      const difference = target - (this.#shownValues[i] as number);
      if (difference === 0) continue;
      this.#stale = true;
      this.#shownValues[i] =
        Math.abs(difference) < FADED_DIFFERENCE ? target : (this.#shownValues[i] as number) + difference * step;
    }
    const marksKey = keyOf(marks);
    if (!this.#stale && marksKey === this.#marksKey && this.#waveSeconds > WAVE_SECONDS) return;
    // While the wave runs, the next call draws again; the drawing after it removes the traces of the light.
    [this.#stale, this.#marksKey] = [this.#waveSeconds <= WAVE_SECONDS, marksKey];
    const { canvas, context: small } = this.#image;
    const image = small.createImageData(width, height);
    this.#cellColours.paint(image, this.#shownValues, shown);
    small.putImageData(image, 0, 0);
    const { context } = this.#surface;
    context.imageSmoothingEnabled = false;
    context.globalAlpha = 1;
    context.drawImage(canvas, 0, 0, this.canvas.width, this.canvas.height);
    const hasLines = this.#pitch / this.#scale >= MIN_LINED_CELL;
    if (hasLines) this.#drawLines(context);
    if (marks.target && hasLines) this.#drawErrors(context, cells, marks.target, marks.strength ?? 1);
    if (marks.cell) this.#drawCell(context, marks.cell, marks.showNeighbourhood ?? false);
    if (marks.brush) this.#drawBrush(context, marks.brush);
    this.#drawWave(context, seconds);
  }

  #drawLines(context: CanvasRenderingContext2D): void {
    const [pitch, { width, height }] = [this.#pitch, this.canvas];
    const lineWidth = Math.max(2, Math.round(pitch * LINE_FRACTION));
    context.fillStyle = this.#colours.line;
    for (let x = 1; x < this.#width; x++) context.fillRect(x * pitch - (lineWidth >> 1), 0, lineWidth, height);
    for (let y = 1; y < this.#height; y++) context.fillRect(0, y * pitch - (lineWidth >> 1), width, lineWidth);
  }

  /** A dot on each cell with a wrong channel, where values are rounded to 0 or 1. */
  #drawErrors(context: CanvasRenderingContext2D, cells: Cells, target: ArrayLike<number>, strength: number): void {
    const { width, shown, values, full } = cells;
    const [count, pitch] = [width * cells.height, this.#pitch];
    let errors = 0;
    context.beginPath();
    for (let cell = 0; cell < count; cell++) {
      let isWrong = false;
      for (let c = 0; c < shown; c++) {
        const i = c * count + cell;
        const isOn = 2 * (values[i] as number) >= full;
        const shouldBeOn = (target[i] as number) > 0;
        isWrong ||= isOn !== shouldBeOn;
      }
      if (!isWrong) continue;
      errors++;
      const [x, y] = [((cell % width) + 0.5) * pitch, (Math.floor(cell / width) + 0.5) * pitch];
      context.moveTo(x + DOT_RADIUS * pitch, y);
      context.arc(x, y, DOT_RADIUS * pitch, 0, 2 * Math.PI);
    }
    context.globalAlpha = strength * Math.max(MIN_DOT_OPACITY, 1 - (3 * errors) / count);
    context.fillStyle = this.#colours.wrong;
    context.fill();
    context.globalAlpha = 1;
  }

  /** A frame around the chosen cell, and a faint one around its neighbourhood. */
  #drawCell(context: CanvasRenderingContext2D, [x, y]: [number, number], showNeighbourhood: boolean): void {
    const [pitch, lineWidth] = [this.#pitch, Math.max(2, Math.round(CELL_FRAME_WIDTH * this.#scale))];
    const { ink, paper } = this.#colours;
    /** Frames the cells up to `reach` cells away. */
    const frame = (reach: number, stroke: string, width: number, opacity: number) => {
      context.globalAlpha = opacity;
      context.strokeStyle = stroke;
      context.lineWidth = width;
      const side = (2 * reach + 1) * pitch;
      context.strokeRect((x - reach) * pitch, (y - reach) * pitch, side, side);
    };
    if (showNeighbourhood) frame(1, ink, Math.max(1, this.#scale), NEIGHBOURHOOD_OPACITY);
    frame(0, paper, 2 * lineWidth, 1);
    frame(0, ink, lineWidth, 1);
    context.globalAlpha = 1;
  }

  /** The circle in which the tool works, in two colours so that it is visible on any cell. */
  #drawBrush(context: CanvasRenderingContext2D, { x, y, radius }: { x: number; y: number; radius: number }): void {
    const pitch = this.#pitch;
    for (const [stroke, width] of [
      [this.#colours.paper, BRUSH_WIDTHS.paper],
      [this.#colours.ink, BRUSH_WIDTHS.ink],
    ] as const) {
      context.strokeStyle = stroke;
      context.lineWidth = width * this.#scale;
      context.beginPath();
      context.arc(x * pitch, y * pitch, Math.max(0.5, radius) * pitch, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  /** A diagonal band of light whose middle moves from the upper left to the lower right corner. */
  #drawWave(context: CanvasRenderingContext2D, seconds: number): void {
    if (this.#waveSeconds > WAVE_SECONDS) return;
    this.#waveSeconds += seconds;
    const { width, height } = this.canvas;
    const light = context.createLinearGradient(0, 0, width, height);
    const clamped = (position: number) => Math.max(0, Math.min(1, position));
    // As fractions of the diagonal. The band begins before its start and ends beyond its end.
    const halfBand = 0.15;
    const middle = (this.#waveSeconds / WAVE_SECONDS) * (1 + 2 * halfBand) - halfBand;
    light.addColorStop(clamped(middle - halfBand), "rgb(255 255 255 / 0)");
    light.addColorStop(clamped(middle), "rgb(255 255 255 / 0.55)");
    light.addColorStop(clamped(middle + halfBand), "rgb(255 255 255 / 0)");
    context.fillStyle = light;
    context.fillRect(0, 0, width, height);
  }
}

/** A text that differs for marks that are drawn differently. */
function keyOf({ target, strength, cell, showNeighbourhood, brush }: Marks): string {
  const { x, y, radius } = brush ?? {};
  return [target && Array.prototype.join.call(target), strength, cell?.join(), showNeighbourhood, x, y, radius].join(
    ";",
  );
}

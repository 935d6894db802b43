// The base of all line charts: the uPlot library in a box, with the colours and the font of the page. The x axis shows
// units (training iterations), or else an amount such as time.

import type uPlot from "uplot";
import { el } from "../core/dom";
import { formatTick } from "../core/format";
import { colour, cssVariable, onTheme } from "../core/theme";

export interface PlotOptions {
  /** The CSS class of the box, which determines its size. */
  class: string;
  yScale: uPlot.Scale;
  yAxis: uPlot.Axis;
  /** The lines, without the x values. */
  series: uPlot.Series[];
  bands?: uPlot.Band[];
  hooks?: uPlot.Hooks.Arrays;
  cursor?: uPlot.Cursor;
  /** What the x axis counts: whole units, which is the default, or an amount from zero. */
  x?: "units" | "amount";
  /** The x axis reaches at least this unit. */
  lastUnit?: () => number;
  /** Space at the right edge, in CSS pixels. */
  paddingRight?: number;
}

/** The distances of ticks that uPlot may choose for the x axis. Units are counted in whole numbers. */
const UNIT_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6];
/** The x axis covers at least this many units. That of a run with a single unit would have no length. */
const MIN_UNITS = 5;

export class Plot {
  readonly box: HTMLElement;
  #plot: uPlot | null = null;
  #creating = false;
  #destroyed = false;
  #problem = el("p", {
    class: "quiet small",
    hidden: true,
    text: "The chart could not be loaded. Check the network connection.",
  });
  #data: uPlot.AlignedData | null = null;
  #observer = new ResizeObserver(() => this.#resize());
  // All is drawn again, and colours are read while drawing. The paths of the curves stay (first argument); the sizes of
  // the axes are computed again (second argument).
  #unsubscribe = onTheme(() => this.#plot?.redraw(false, true));

  constructor(readonly options: PlotOptions) {
    this.box = el("div", { class: options.class }, this.#problem);
    this.#observer.observe(this.box);
  }

  /** The row under the cursor, if any. */
  get cursorRow(): number | null {
    return this.#plot?.cursor.idx ?? null;
  }

  setData(data: uPlot.AlignedData): void {
    this.#data = data;
    if (this.#plot) this.#plot.setData(data);
    else void this.#create();
  }

  destroy(): void {
    this.#destroyed = true;
    this.#observer.disconnect();
    this.#unsubscribe();
    this.#plot?.destroy();
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.box;
    if (width === 0) return;
    if (this.#plot) this.#plot.setSize({ width, height });
    else void this.#create();
  }

  /**
   * Creates the plot once its box has a size and there are data. The library uPlot is loaded only then, because the
   * agent should begin to learn first.
   */
  async #create(): Promise<void> {
    const rows = this.#data?.[0].length ?? 0;
    if (this.#creating || rows === 0 || this.box.clientWidth === 0) return;
    this.#creating = true;
    const loaded = await Promise.all([import("uplot"), import("uplot/dist/uPlot.min.css")]).catch(() => null);
    const library = loaded?.[0] ?? null;
    this.#creating = false;
    this.#problem.hidden = library !== null;
    if (!library) {
      // Tries again when the browser is online again. Some browsers remember until a reload that an import has failed;
      // there the chart comes with the reload.
      if (!this.#destroyed) addEventListener("online", () => void this.#create(), { once: true });
      return;
    }
    const Library = library.default;
    const { clientWidth: width, clientHeight: height } = this.box;
    if (this.#destroyed || width === 0 || !this.#data) return;
    this.#plot = new Library(this.#uPlotOptions(width, height), this.#data, this.box);
  }

  #uPlotOptions(width: number, height: number): uPlot.Options {
    const { yScale, yAxis, series, bands, hooks, cursor, x = "units", paddingRight = 8, lastUnit } = this.options;
    const xAxis = x === "units" ? { incrs: UNIT_STEPS } : { values: (_: uPlot, at: number[]) => at.map(formatTick) };
    const range: uPlot.Range.Function =
      x === "units"
        ? (_, low, high) => [low ?? 0, Math.max(high ?? 0, (low ?? 0) + MIN_UNITS, lastUnit?.() ?? 0)]
        : (_, _low, high) => [0, high || 1];
    const axis = { stroke: () => colour("--ink-3"), font: `11px ${cssVariable("--font")}`, ticks: { show: false } };
    return {
      width,
      height,
      legend: { show: false },
      padding: [8, paddingRight, 0, 0], // top, right, bottom, left, in CSS pixels like the sizes of the axes
      cursor: cursor ?? { show: false },
      scales: {
        x: { time: false, range },
        y: yScale,
      },
      axes: [
        { ...axis, grid: { show: false }, size: 24, space: 56, ...xAxis },
        { ...axis, grid: { stroke: () => colour("--line"), width: 1 }, ...yAxis },
      ],
      series: [{}, ...series],
      ...(bands && { bands }),
      ...(hooks && { hooks }),
    };
  }
}

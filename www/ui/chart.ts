// A chart of one metric: raw values faint, smoothed values strong, with marks for the goal and the unit that reached
// it.

import type uPlot from "uplot";
import { el, watchVisible, write } from "../core/dom";
import { formatNumber, formatTick } from "../core/format";
import { withGaps, smooth, type Series } from "../core/series";
import { colour } from "../core/theme";
import type { Goal, MetricSpec } from "../generated/protocol";
import { Plot } from "./plot";

export interface ChartOptions {
  spec: MetricSpec;
  unit: string;
  /** Charts with the same name share a cursor. */
  sync: string;
  large: boolean;
  /** The metric with the margin of error of this one, if there is one. */
  margin?: string | undefined;
}

export interface Marks {
  goal: Goal | null;
  solvedAt: number | null;
}

export class Chart {
  readonly element: HTMLElement;
  #smoothed = el("span", { class: "chart-now num", title: "smoothed" });
  #raw = el("span", { class: "chart-raw num", title: "as measured" });
  #plot: Plot;
  #data: uPlot.AlignedData = [[], [], []];
  /** The margin of error of each value. */
  #margins: number[] = [];
  #marks: Marks = { goal: null, solvedAt: null };
  #visible = false;
  #stale = false;
  #stopWatching: () => void;

  constructor(readonly options: ChartOptions) {
    const { spec, large } = options;
    this.#plot = this.#createPlot();
    this.element = el(
      "figure",
      { class: large ? "chart large" : "chart" },
      el(
        "figcaption",
        { title: spec.help },
        el("span", { class: "chart-name", text: spec.label }),
        this.#raw,
        this.#smoothed,
      ),
      this.#plot.box,
    );
    this.#stopWatching = watchVisible(this.element, (visible) => {
      this.#visible = visible;
      if (visible && this.#stale) this.#draw();
    });
  }

  destroy(): void {
    this.#stopWatching();
    this.#plot.destroy();
  }

  show(series: Series, span: number, marks: Marks): void {
    const column = series.column(this.options.spec.name);
    this.#margins = this.options.margin === undefined ? [] : series.column(this.options.margin);
    this.#data = [series.units, withGaps(column), smooth(column, span)] as uPlot.AlignedData;
    this.#marks = marks;
    this.#stale = true;
    if (this.#visible) this.#draw();
  }

  #draw(): void {
    this.#stale = false;
    this.#plot.setData(this.#data);
    this.#showValues(this.#plot.cursorRow);
  }

  /** Shows the values under the cursor, or else the latest ones. */
  #showValues(index: number | null): void {
    const [, raw = [], smoothed = []] = this.#data;
    const at = index ?? lastMeasured(raw as (number | null)[]);
    const text = (value: number | null | undefined) =>
      value === null || value === undefined ? "–" : formatNumber(value, 4, this.options.spec.unit);
    const margin = this.#margins[at] ?? NaN;
    write(this.#raw, text(raw[at]) + (Number.isFinite(margin) ? ` ± ${formatNumber(margin, 2)}` : ""));
    write(this.#smoothed, text(smoothed[at]));
  }

  #createPlot(): Plot {
    const { sync, large } = this.options;
    return new Plot({
      class: "chart-box",
      cursor: {
        sync: { key: sync },
        drag: { x: false, y: false, setScale: false },
        y: false,
        points: { size: 6 },
      },
      yScale: { range: (_, low, high) => this.#range(...this.#rangeWithMargins(low, high)) },
      yAxis: { size: 44, space: 34, values: (_, marks) => marks.map(formatTick) },
      series: [
        { stroke: () => colour("--learn-faint"), width: 1, points: { show: false } },
        { stroke: () => colour("--learn"), width: large ? 2.5 : 2, points: { show: false }, spanGaps: true },
      ],
      hooks: {
        drawAxes: [(plot) => drawBand(plot, this.#band())],
        draw: [(plot) => this.#drawMarks(plot)],
        setCursor: [(plot) => this.#showValues(plot.cursor.idx ?? null)],
      },
    });
  }

  /** Confidence band: row, lowest and highest value. */
  #band(): [number, number, number][] {
    const raw = this.#data[1] as (number | null)[];
    return this.#margins.flatMap((margin, i) => {
      const value = raw[i];
      if (value === null || value === undefined || !Number.isFinite(margin)) return [];
      return [[this.#data[0][i] as number, value - margin, value + margin]];
    });
  }

  /** The range of the values with their margins. */
  #rangeWithMargins(low: number | null, high: number | null): [number | null, number | null] {
    if (low === null || high === null) return [low, high];
    return this.#band().reduce(([a, b], [, c, d]) => [Math.min(a, c), Math.max(b, d)], [low, high]);
  }

  #goal(): Goal | null {
    return this.#marks.goal?.metric === this.options.spec.name ? this.#marks.goal : null;
  }

  #range(low: number | null, high: number | null): [number, number] {
    const goal = this.#goal();
    if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high))
      [low, high] = goal ? [goal.target, goal.target] : [0, 1];
    if (goal) [low, high] = [Math.min(goal.target, low), Math.max(goal.target, high)];
    // A metric that starts at zero or above and has a goal gets an axis from zero.
    const counts = goal !== null && low >= 0;
    const span = high - (counts ? 0 : low);
    // Smoothing leaves rounding errors, which are no range.
    const size = Math.max(Math.abs(high), Math.abs(low));
    const margin = (span > 1e-6 * size ? span : size || 1) * 0.06;
    return [counts ? 0 : low - margin, high + margin];
  }

  #drawMarks(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const scale = devicePixelRatio || 1;
    const goal = this.#goal();
    ctx.save();
    if (goal) {
      const y = plot.valToPos(goal.target, "y", true);
      line(ctx, [bbox.left, y, bbox.left + bbox.width, y], colour("--ink-3"), scale, [4 * scale, 4 * scale]);
      ctx.font = `${11 * scale}px ${colour("--font")}`;
      ctx.fillStyle = colour("--ink-2");
      ctx.textAlign = "left";
      ctx.fillText(`goal ${formatNumber(goal.target)}`, bbox.left + 6 * scale, y + 14 * scale);
    }
    const { solvedAt } = this.#marks;
    if (solvedAt !== null && solvedAt >= (plot.scales["x"]?.min ?? 0)) {
      const x = plot.valToPos(solvedAt, "x", true);
      line(ctx, [x, bbox.top, x, bbox.top + bbox.height], colour("--learn"), scale, []);
      if (goal) {
        ctx.fillStyle = colour("--learn");
        ctx.beginPath();
        ctx.arc(x, plot.valToPos(goal.target, "y", true), 4.5 * scale, 0, 2 * Math.PI);
        ctx.fill();
      }
    }
    ctx.restore();
  }
}

/** The confidence band, drawn behind the curve. */
function drawBand(plot: uPlot, band: [number, number, number][]): void {
  if (band.length === 0) return;
  const { ctx, bbox } = plot;
  const spot = (unit: number, value: number) =>
    [plot.valToPos(unit, "x", true), plot.valToPos(value, "y", true)] as const;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.fillStyle = ctx.strokeStyle = colour("--learn");
  ctx.lineWidth = devicePixelRatio || 1;
  ctx.globalAlpha = 0.16;
  ctx.beginPath();
  for (const [unit, , high] of band) ctx.lineTo(...spot(unit, high));
  for (const [unit, low] of [...band].reverse()) ctx.lineTo(...spot(unit, low));
  ctx.fill();
  // A single row has no width, so it gets a line.
  ctx.globalAlpha = 0.5;
  ctx.beginPath();
  for (const [unit, low, high] of band.length > 1 ? [] : band) {
    ctx.moveTo(...spot(unit, low));
    ctx.lineTo(...spot(unit, high));
  }
  ctx.stroke();
  ctx.restore();
}

function line(
  ctx: CanvasRenderingContext2D,
  [x0, y0, x1, y1]: [number, number, number, number],
  stroke: string,
  width: number,
  dash: number[],
): void {
  ctx.strokeStyle = stroke;
  ctx.lineWidth = width;
  ctx.setLineDash(dash);
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
  ctx.setLineDash([]);
}

function lastMeasured(values: (number | null)[]): number {
  for (let i = values.length - 1; i >= 0; i--) if (values[i] !== null) return i;
  return -1;
}

// One curve: the raw values faint, the smoothed ones strong, the goal and the solved moment marked.

import uPlot from "uplot";
import { el, watchVisible, write } from "../core/dom";
import { figure, tick } from "../core/format";
import { gaps, smooth, type Series } from "../core/series";
import { colour, onTheme } from "../core/theme";
import type { Goal, MetricSpec } from "../generated/protocol";

export interface ChartWishes {
  spec: MetricSpec;
  unit: string;
  /** Charts with the same name share their cursor. */
  sync: string;
  large: boolean;
  /** The metric that says how far off this one may be, where there is one. */
  margin?: string | undefined;
}

export interface Marks {
  goal: Goal | null;
  solvedAt: number | null;
}

export class Chart {
  readonly element: HTMLElement;
  #box = el("div", { class: "chart-box" });
  #now = el("span", { class: "chart-now num", title: "smoothed" });
  #raw = el("span", { class: "chart-raw num", title: "as measured" });
  #plot: uPlot | null = null;
  #data: uPlot.AlignedData = [[], [], []];
  /** How far off each value may be. */
  #margins: number[] = [];
  #marks: Marks = { goal: null, solvedAt: null };
  #visible = false;
  #stale = false;
  #leave: (() => void)[] = [];

  constructor(readonly wishes: ChartWishes) {
    const { spec, large } = wishes;
    this.element = el(
      "figure",
      { class: large ? "chart large" : "chart" },
      el(
        "figcaption",
        { title: spec.help },
        el("span", { class: "chart-name", text: spec.label }),
        this.#raw,
        this.#now,
      ),
      this.#box,
    );
    const resize = new ResizeObserver(() => this.#resize());
    resize.observe(this.#box);
    this.#leave.push(
      () => resize.disconnect(),
      onTheme(() => this.#plot?.redraw(false, true)),
      watchVisible(this.element, (visible) => {
        this.#visible = visible;
        if (visible && this.#stale) this.#draw();
      }),
    );
  }

  leave(): void {
    for (const leave of this.#leave) leave();
    this.#plot?.destroy();
  }

  show(series: Series, span: number, marks: Marks): void {
    const column = series.column(this.wishes.spec.name);
    this.#margins = this.wishes.margin === undefined ? [] : series.column(this.wishes.margin);
    this.#data = [series.units, gaps(column), smooth(column, span)] as uPlot.AlignedData;
    this.#marks = marks;
    this.#stale = true;
    if (this.#visible) this.#draw();
  }

  #resize(): void {
    const { width, height } = this.#box.getBoundingClientRect();
    if (width === 0) return;
    this.#plot?.setSize({ width, height });
  }

  #draw(): void {
    this.#stale = false;
    if (this.#plot) this.#plot.setData(this.#data);
    else {
      const { width, height } = this.#box.getBoundingClientRect();
      this.#plot = new uPlot(this.#options(width, height), this.#data, this.#box);
    }
    this.#read(this.#plot.cursor.idx ?? null);
  }

  /** Writes the values under the cursor, or the newest. */
  #read(index: number | null): void {
    const [, raw = [], smoothed = []] = this.#data;
    const at = index ?? lastMeasured(raw as (number | null)[]);
    const text = (value: number | null | undefined) =>
      value === null || value === undefined ? "–" : figure(value, 4, this.wishes.spec.unit);
    const margin = this.#margins[at] ?? NaN;
    write(this.#raw, text(raw[at]) + (Number.isFinite(margin) ? ` ± ${figure(margin, 2)}` : ""));
    write(this.#now, text(smoothed[at]));
  }

  #options(width: number, height: number): uPlot.Options {
    const axis = { stroke: () => colour("--ink-3"), font: "11px " + colour("--font"), ticks: { show: false } };
    const { wishes } = this;
    return {
      width,
      height,
      legend: { show: false },
      padding: [8, 8, 0, 0],
      cursor: {
        sync: { key: wishes.sync },
        drag: { x: false, y: false, setScale: false },
        y: false,
        points: { size: 6 },
      },
      scales: {
        x: { time: false, range: (_, low, high) => [low ?? 0, Math.max(high ?? 0, (low ?? 0) + 5)] },
        y: { range: (_, low, high) => this.#range(...this.#reach(low, high)) },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 24,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6],
          space: 56,
        },
        {
          ...axis,
          grid: { stroke: () => colour("--line"), width: 1 },
          size: 44,
          space: 34,
          values: (_, marks) => marks.map(tick),
        },
      ],
      series: [
        {},
        { stroke: () => colour("--learn-faint"), width: 1, points: { show: false } },
        { stroke: () => colour("--learn"), width: wishes.large ? 2.5 : 2, points: { show: false }, spanGaps: true },
      ],
      hooks: {
        drawAxes: [(plot) => drawBand(plot, this.#band())],
        draw: [(plot) => this.#drawMarks(plot)],
        setCursor: [(plot) => this.#read(plot.cursor.idx ?? null)],
      },
    };
  }

  /** Where the true values may lie: row, lowest, highest. */
  #band(): [number, number, number][] {
    const raw = this.#data[1] as (number | null)[];
    return this.#margins.flatMap((margin, i) => {
      const value = raw[i];
      if (value === null || value === undefined || !Number.isFinite(margin)) return [];
      return [[this.#data[0][i] as number, value - margin, value + margin]];
    });
  }

  /** Values with their margins. */
  #reach(low: number | null, high: number | null): [number | null, number | null] {
    if (low === null || high === null) return [low, high];
    return this.#band().reduce(([a, b], [, c, d]) => [Math.min(a, c), Math.max(b, d)], [low, high]);
  }

  #isGoal(): Goal | null {
    return this.#marks.goal?.metric === this.wishes.spec.name ? this.#marks.goal : null;
  }

  #range(low: number | null, high: number | null): [number, number] {
    const goal = this.#isGoal();
    if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high))
      [low, high] = goal ? [goal.target, goal.target] : [0, 1];
    if (goal) [low, high] = [Math.min(goal.target, low), Math.max(goal.target, high)];
    // What counts up to its goal counts from nothing.
    const counts = goal !== null && low >= 0;
    const span = high - (counts ? 0 : low);
    // Smoothing leaves rounding errors behind, which are no range to divide.
    const size = Math.max(Math.abs(high), Math.abs(low));
    const margin = (span > 1e-6 * size ? span : size || 1) * 0.06;
    return [counts ? 0 : low - margin, high + margin];
  }

  #drawMarks(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const scale = devicePixelRatio || 1;
    const goal = this.#isGoal();
    ctx.save();
    if (goal) {
      const y = plot.valToPos(goal.target, "y", true);
      line(ctx, [bbox.left, y, bbox.left + bbox.width, y], colour("--ink-3"), scale, [4 * scale, 4 * scale]);
      ctx.font = `${11 * scale}px ${colour("--font")}`;
      ctx.fillStyle = colour("--ink-2");
      ctx.textAlign = "left";
      ctx.fillText(`goal ${figure(goal.target)}`, bbox.left + 6 * scale, y + 14 * scale);
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

/** A faint band behind the curve. */
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
  // A single value has no width.
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

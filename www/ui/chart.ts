// A chart of one metric over the units (training iterations), drawn by the library uPlot: measured values as a faint
// line, smoothed values as a strong one, with marks for the goal, for the visitor's own score, for what chance alone
// reaches and for the unit that reached the goal. In the large chart the metric is not smoothed: its measured values are
// the strong line. If the metric has a margin of error, a confidence band of the value plus and minus its margin is drawn
// too. A second metric, smoothed, can be drawn beside it.

import type uPlot from "uplot";
import { el, watchVisible, write } from "../core/dom";
import { formatMargin, formatMeasured, formatTick } from "../core/format";
import type { Overlay } from "../core/overlays";
import { endWords } from "../core/share-end";
import { withGaps, smooth, type Series } from "../core/series";
import { colour, cssVariable } from "../core/theme";
import type { Goal, MetricSpec } from "../generated/protocol";
import type { Headline } from "./headline";
import { labelBaselines } from "./level-labels";
import { levelsOf, levelWords, type Level } from "./levels";
import { drawOverlays } from "./overlay-lines";
import { Plot } from "./plot";
import { explainedMetric, term } from "./term";

export { OverlayLegend } from "./overlay-lines";

export interface ChartOptions {
  spec: MetricSpec;
  /** The lab's id. Charts of a lab share a cursor. */
  lab: string;
  /** The large chart shows the metric of the headline, as it was measured. */
  large: boolean;
  /** The name of the metric that is this one's margin of error, if there is one. */
  margin?: string | undefined;
  /** A second metric that is drawn in the same chart, smoothed, and the names of both. */
  beside?: Headline["beside"];
}

export interface Marks {
  /** What chance alone reaches. */
  chance?: Headline["chance"];
  /** The visitor's own best score. */
  yours?: number | undefined;
  /** Of how many trials the metric is a share; without them nothing is said of how exact 100% is. */
  trials?: Headline["trials"];
  goal: Pick<Goal, "metric" | "target"> | null;
  /** The unit that reached the goal. */
  solvedAt: number | null;
  /** The unit that the visitor looks back at. */
  shownUnit: number | null;
  /** The unit of the test that the page speaks of, whose values stand above the large chart. */
  testUnit: number | null;
}

/** The confidence band at one unit. */
interface BandRow {
  unit: number;
  low: number;
  high: number;
}

/** Space above and below the values, as a fraction of their range. */
const Y_PADDING = 0.06;
/** Opacity of the confidence band, and of the line that stands for a band with a single row. */
const BAND_OPACITY = 0.16;
const SINGLE_ROW_OPACITY = 0.5;
/** Smoothing a constant metric makes rounding errors smaller than this fraction of its values. */
const ROUNDING_ERROR = 1e-6;
/** Significant digits in the caption of a value without a margin of error. */
const VALUE_DIGITS = 3;
// Lengths in CSS pixels.
const LABEL_FONT_SIZE = 11;
/** A label lies this far from the chart's edge. */
const LABEL_MARGIN = 6;
/** Width of the line around the label, in the colour of the page. */
const LABEL_HALO = 6;
const SOLVED_DOT_RADIUS = 4.5;

export class Chart {
  readonly element: HTMLElement;
  #strong: HTMLElement;
  /** The margin of error beside the value of a large chart; it explains itself. */
  #interval = term("", "margin of error");
  /** The lines of the levels in words, for screen readers. */
  #levelWords = el("p", { class: "unseen" });
  #raw = el("span", { class: "chart-raw num", title: "Measured value" });
  #plot: Plot;
  /**
   * Columns: units, measured values, what the strong line shows (measured values if large, else smoothed), and the
   * smoothed values of the second metric if there is one.
   */
  #data: uPlot.AlignedData = [[], [], []];
  /** The margin of error of each value; empty if there is none. */
  #margins: number[] = [];
  #marks: Marks = { goal: null, solvedAt: null, shownUnit: null, testUnit: null };
  /** Curves of this metric in other runs. */
  #overlays: Overlay[] = [];
  #visible = false;
  /** Whether new data have not been drawn yet. */
  #stale = false;
  #stopWatching: () => void;

  constructor(readonly options: ChartOptions) {
    const { spec, large, beside } = options;
    this.#strong = el("span", { class: "chart-now num", title: large ? "Measured value" : "Smoothed value" });
    this.#raw.hidden = large;
    this.#interval.hidden = true; // until there is one
    this.#plot = this.#createPlot();
    this.element = el(
      "figure",
      { class: large ? "chart large" : "chart" },
      el(
        "figcaption",
        {},
        el("span", { class: "chart-name" }, explainedMetric(spec, options.lab)),
        this.#raw,
        this.#strong,
        options.large && this.#interval,
      ),
      this.#plot.box,
      this.#levelWords,
      beside &&
        el(
          "p",
          { class: "line-keys chart-keys" },
          ...beside.names.map((name, i) => el("span", { class: i === 0 ? "line-key" : "line-key beside", text: name })),
        ),
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

  /**
   * Shows a run's metrics, smoothed over `smoothingUnits`, and curves of other runs over them. Nothing is drawn while
   * the chart is out of sight.
   */
  show(series: Series, smoothingUnits: number, marks: Marks, overlays: Overlay[] = []): void {
    const { spec, large, beside } = this.options;
    this.#overlays = overlays.filter(({ curve }) => curve.metric === spec.name);
    // The large chart ends at the test that the page speaks of: a newer one is drawn when its value is told.
    const lastUnit = large && marks.shownUnit === null && marks.testUnit !== null ? marks.testUnit : Infinity;
    const column = series.column(spec.name).map((value, i) => ((series.units[i] ?? 0) <= lastUnit ? value : NaN));
    this.#margins = this.options.margin === undefined ? [] : series.column(this.options.margin);
    const strong = large ? withGaps(column) : smooth(column, smoothingUnits);
    const second = beside ? [smooth(series.column(beside.metric), smoothingUnits)] : [];
    this.#data = [series.units, withGaps(column), strong, ...second] as uPlot.AlignedData;
    this.#marks = marks;
    this.#stale = true;
    if (this.#visible) this.#draw();
  }

  #draw(): void {
    this.#stale = false;
    write(this.#levelWords, levelWords(this.#levels()));
    this.#plot.setData(this.#data);
    this.#showValues(this.#plot.cursorRow);
  }

  /** Shows the values under the cursor, or else those of the shown unit or test, or else the latest ones. */
  #showValues(cursorRow: number | null): void {
    const [, raw = [], strong = []] = this.#data;
    const { shownUnit, testUnit } = this.#marks;
    const lastUnit = shownUnit ?? (this.options.large ? testUnit : null);
    const lastRow = lastUnit === null ? Infinity : this.#data[0].findLastIndex((unit) => unit <= lastUnit);
    const row = cursorRow ?? lastMeasured(raw as (number | null)[], lastRow);
    const margin = this.#margins[row] ?? NaN;
    const text = (value: number | null | undefined) =>
      formatMeasured(value ?? NaN, margin, VALUE_DIGITS, this.options.spec.unit);
    const interval = formatMargin(raw[row] ?? NaN, margin, this.options.spec.unit);
    write(this.#raw, text(raw[row]) + interval);
    write(this.#strong, text(strong[row]));
    const end = endWords(raw[row] ?? NaN, this.#marks.trials ?? null);
    write(this.#interval, interval || (end && ` (${end})`));
    this.#interval.hidden = !interval && !end;
  }

  #createPlot(): Plot {
    const { lab, large, beside } = this.options;
    const second = { stroke: () => colour("--learn-faint"), width: 2, points: { show: false }, spanGaps: true };
    return new Plot({
      class: "chart-box",
      cursor: {
        sync: { key: lab },
        drag: { x: false, y: false, setScale: false },
        y: false,
        points: { size: 6 },
      },
      yScale: { range: (_, low, high) => this.#range(...this.#rangeOfAll(low, high)) },
      lastUnit: () => Math.max(0, ...this.#overlays.map(({ curve }) => curve.units.at(-1) ?? 0)),
      yAxis: { size: 44, space: 34, values: (_, marks) => marks.map(formatTick) },
      series: [
        { stroke: () => colour("--learn-faint"), width: 1, points: { show: false }, show: !large },
        {
          stroke: () => colour("--learn"),
          width: large ? 2.5 : 2,
          // A single value has no line, so it is drawn as a point.
          points: { show: () => this.#hasSingleValue(), size: 6, fill: () => colour("--learn") },
          spanGaps: true,
        },
        ...(beside ? [second] : []),
      ],
      hooks: {
        drawAxes: [(plot) => drawBand(plot, this.#band()), (plot) => this.#drawLevels(plot)],
        draw: [(plot) => drawOverlays(plot, this.#overlays), (plot) => this.#drawMarks(plot)],
        setCursor: [(plot) => this.#showValues(plot.cursor.idx ?? null)],
      },
    });
  }

  #hasSingleValue(): boolean {
    return (this.#data[2] ?? []).filter((value) => value !== null && value !== undefined).length === 1;
  }

  /** The confidence band: each value plus and minus its margin of error. */
  #band(): BandRow[] {
    const raw = this.#data[1] as (number | null)[];
    return this.#margins.flatMap((margin, i) => {
      const value = raw[i];
      if (value === null || value === undefined || !Number.isFinite(margin)) return [];
      return [{ unit: this.#data[0][i] as number, low: value - margin, high: value + margin }];
    });
  }

  /** The range that uPlot has found in the run's curves, widened to contain the confidence band and the other runs. */
  #rangeOfAll(low: number | null, high: number | null): [number | null, number | null] {
    const others = this.#overlays.flatMap(({ curve }) => curve.values);
    if (low === null || high === null) return others.length > 0 ? extent(others) : [low, high];
    const band = this.#band().flatMap((row) => [row.low, row.high]);
    return extent([low, high, ...band, ...others]);
  }

  /** The goal, if it is for this metric. */
  #goal(): Marks["goal"] {
    return this.#marks.goal?.metric === this.options.spec.name ? this.#marks.goal : null;
  }

  #levels(): Level[] {
    const { yours, chance } = this.#marks;
    return levelsOf({ goal: this.#goal()?.target, yours, chance });
  }

  /** The range of the y axis for these lowest and highest values. */
  #range(low: number | null, high: number | null): [number, number] {
    const goal = this.#goal();
    if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high))
      [low, high] = goal ? [goal.target, goal.target] : [0, 1];
    for (const { value } of this.#levels()) [low, high] = [Math.min(value, low), Math.max(value, high)];
    // The axis of a metric with a goal starts at zero, unless there are negative values.
    const fromZero = goal !== null && low >= 0;
    const span = high - (fromZero ? 0 : low);
    // The padding is a fraction of the span. A constant metric has a span of zero, or of the rounding errors of
    // smoothing; the size of its values then takes the place of the span.
    const size = Math.max(Math.abs(high), Math.abs(low));
    const padding = (span > ROUNDING_ERROR * size ? span : size || 1) * Y_PADDING;
    return [fromZero ? 0 : low - padding, high + padding];
  }

  /** Draws the levels as dashed lines behind the curve, in bitmap pixels, with their names and values. */
  #drawLevels(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const scale = devicePixelRatio || 1;
    const levels = this.#levels();
    const ys = levels.map(({ value }) => plot.valToPos(value, "y", true));
    ctx.save();
    levels.forEach(({ dash }, i) => {
      const [y = 0, dashes] = [ys[i], dash.map((length) => length * scale)];
      drawLine(ctx, [bbox.left, y, bbox.left + bbox.width, y], colour("--ink-3"), scale, dashes);
    });
    const baselines = labelBaselines(ys, LABEL_FONT_SIZE * scale, 0, bbox.top + bbox.height);
    levels.forEach((level, i) => this.#labelLevel(plot, level, baselines[i] ?? null));
    ctx.restore();
  }

  /** Writes a level's label, in bitmap pixels, on the side with less of the curve; nothing for null. */
  #labelLevel(plot: uPlot, { label }: Level, baseline: number | null): void {
    if (baseline === null) return;
    const { ctx, bbox } = plot;
    const scale = devicePixelRatio || 1;
    ctx.font = `${LABEL_FONT_SIZE * scale}px ${cssVariable("--font")}`;
    // The axes were written otherwise before.
    [ctx.textAlign, ctx.textBaseline] = ["left", "alphabetic"];
    const width = ctx.measureText(label).width;
    const margin = LABEL_MARGIN * scale;
    const places = [bbox.left + margin, bbox.left + bbox.width - margin - width];
    /** How many values the label would cover here, with room around it. */
    const covered = (x: number) =>
      (this.#data[0] as number[]).filter((unit, i) => {
        const value = this.#data[1]?.[i];
        if (value === null || value === undefined) return false;
        const [atX, atY] = [plot.valToPos(unit, "x", true), plot.valToPos(value, "y", true)];
        const isBeside = atX > x - margin && atX < x + width + margin;
        return isBeside && atY > baseline - 2 * margin - LABEL_FONT_SIZE * scale && atY < baseline + 2 * margin;
      }).length;
    const [left = 0, right = 0] = places;
    const x = covered(right) < covered(left) ? right : left;
    // Its line and perhaps one of the grid lie behind the label.
    ctx.strokeStyle = colour("--paper");
    ctx.lineWidth = LABEL_HALO * scale;
    ctx.fillStyle = colour("--ink-2");
    ctx.strokeText(label, x, baseline);
    ctx.fillText(label, x, baseline);
  }

  /**
   * Draws, in bitmap pixels, the unit that the visitor looks back at as a line, and the test that reached the goal as a
   * line with a dot at its value.
   */
  #drawMarks(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const scale = devicePixelRatio || 1;
    const goal = this.#goal();
    ctx.save();
    const { solvedAt, shownUnit } = this.#marks;
    if (shownUnit !== null) {
      const x = plot.valToPos(shownUnit, "x", true);
      drawLine(ctx, [x, bbox.top, x, bbox.top + bbox.height], colour("--ink"), 1.5 * scale, []);
    }
    if (solvedAt !== null && solvedAt >= (plot.scales["x"]?.min ?? 0)) {
      const x = plot.valToPos(solvedAt, "x", true);
      drawLine(ctx, [x, bbox.top, x, bbox.top + bbox.height], colour("--learn"), scale, []);
      if (goal) {
        // A long history may have dropped the test.
        const value = this.#data[1]?.[this.#data[0].indexOf(solvedAt)] ?? goal.target;
        ctx.fillStyle = colour("--learn");
        ctx.beginPath();
        ctx.arc(x, plot.valToPos(value, "y", true), SOLVED_DOT_RADIUS * scale, 0, 2 * Math.PI);
        ctx.fill();
      }
    }
    ctx.restore();
  }
}

/** The least and the greatest of some numbers. */
function extent(values: number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

/** Draws the confidence band, behind the curves. */
function drawBand(plot: uPlot, band: BandRow[]): void {
  if (band.length === 0) return;
  const { ctx, bbox } = plot;
  // With `true`, uPlot gives positions in bitmap pixels, which the canvas needs, and not in CSS pixels.
  const position = (unit: number, value: number) =>
    [plot.valToPos(unit, "x", true), plot.valToPos(value, "y", true)] as const;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.fillStyle = ctx.strokeStyle = colour("--learn");
  ctx.lineWidth = devicePixelRatio || 1;
  ctx.globalAlpha = BAND_OPACITY;
  ctx.beginPath();
  for (const { unit, high } of band) ctx.lineTo(...position(unit, high));
  for (const { unit, low } of [...band].reverse()) ctx.lineTo(...position(unit, low));
  ctx.fill();
  // A single row has no area, so it is drawn as a line.
  const [first] = band;
  if (first && band.length === 1) {
    ctx.globalAlpha = SINGLE_ROW_OPACITY;
    ctx.beginPath();
    ctx.moveTo(...position(first.unit, first.low));
    ctx.lineTo(...position(first.unit, first.high));
    ctx.stroke();
  }
  ctx.restore();
}

/** Draws a line. `dash` holds the lengths of dashes and gaps; empty for a solid line. */
function drawLine(
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

/** The index of the last value up to the index `last` that is not null, or -1. */
function lastMeasured(values: (number | null)[], last: number): number {
  for (let i = Math.min(last, values.length - 1); i >= 0; i--) if (values[i] !== null) return i;
  return -1;
}

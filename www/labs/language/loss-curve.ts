// The loss of the language lab's network in bits per byte (for stories, per character) over training iterations: on the
// training text and on held-out text; for a task, on the training problems alone. The axis of the loss is logarithmic
// with base 2. Horizontal reference lines show what gzip and an order-3 model (which predicts each byte from the three
// before it) need for the held-out text, and for stories their entropy. A grammar writes the stories, so their entropy
// is known; no predictor can do better on average.

import type uPlot from "uplot";
import { el, write } from "../../core/dom";
import { formatNumber, formatTick } from "../../core/format";
import { withGaps, smooth, type Series } from "../../core/series";
import { colour, cssVariable } from "../../core/theme";
import { Plot } from "../../ui/plot";
import { withTerms } from "../../ui/term";
import type { LanguageView } from "../../generated/protocol";
import { unitOfLoss } from "./sources";

/** At least this many seconds pass between two redraws. */
const REDRAW_SECONDS = 0.2;
/** The span of the training loss's moving average: this fraction of all rows of the series, but at most this many. */
const SMOOTHED_FRACTION = 1 / 16;
const MAX_SMOOTHED_ROWS = 12;
/** A smaller loss is drawn as this one, in bits per byte: a logarithmic axis has no place for 0. */
const MIN_LOSS = 2 ** -11;
/**
 * Labels of reference lines, in CSS pixels: font size, line height, distances from the line and from the right edge.
 */
const LABEL = { fontSize: 11, lineHeight: 13, above: 5, below: 13, right: 4 };
/**
 * The range of the axis contains the lowest value times the first factor and the highest times the second: there is
 * room for the label below the lower bound, and the highest line does not lie on the upper edge.
 */
const [ROOM_BELOW, ROOM_ABOVE] = [0.8, 1.02];
/** An axis that spans more octaves (factors of two) than this has ticks at every second power of two only. */
const MAX_LABELLED_OCTAVES = 7;

/** A horizontal line that the loss is compared to. */
interface ReferenceLine {
  name: string;
  /** Bits per byte. */
  bits: number;
  /** The CSS variable of its colour, without `var()`, such as `--ink-2`. */
  stroke: string;
  /** Lengths of dashes and gaps in CSS pixels; empty for a solid line. */
  dash: number[];
  isLowerBound: boolean;
}

export class LossCurve {
  readonly element: HTMLElement;
  #title = el("span", {});
  /** The unit in the title. */
  #unit = "";
  #trainingLoss = el("span", { class: "num" });
  #heldOutLoss = el("span", { class: "num" });
  /** True for a task such as addition. It has no held-out text, so only the training loss is drawn. */
  #trainingOnly = false;
  #plot = new Plot({
    class: "language-curve-box",
    paddingRight: 16,
    yScale: {
      distr: 3, // uPlot's code for a logarithmic axis
      log: 2,
      range: (_, low, high) => axisRange([low, high, ...this.#lines.map((line) => line.bits)]),
    },
    // uPlot's own filter leaves out labels where ticks are close; here `powersOfTwo` has chosen them already.
    yAxis: { size: 52, splits: powersOfTwo, filter: (_, ticks) => ticks, values: (_, ticks) => ticks.map(tickText) },
    series: [
      {
        stroke: () => colour(this.#trainingOnly ? "--learn" : "--learn-faint"),
        width: 1.5,
        points: { show: false },
        spanGaps: true,
      },
      { stroke: () => colour("--learn"), width: 2.5, points: { show: false }, spanGaps: true },
    ],
    hooks: { drawAxes: [(plot) => this.#drawLines(plot)], draw: [(plot) => this.#drawLabels(plot)] },
  });
  #lines: ReferenceLine[] = [];
  /** Seconds until a redraw is allowed. */
  #untilRedraw = 0;
  /** The number of rows that are drawn; -1 before the first drawing. */
  #drawnRows = -1;

  constructor() {
    const key = (cssClass: string, text: string, value: HTMLElement) =>
      el("span", { class: `line-key ${cssClass}` }, text, value);
    this.element = el(
      "figure",
      { class: "language-curve" },
      el(
        "figcaption",
        {
          title:
            "What text would take if it were compressed with the network's predictions (cross-entropy): text it trains on, and held-out text, which is never trained on",
        },
        this.#title,
        el(
          "span",
          { class: "line-keys" },
          key("loss", "training text ", this.#trainingLoss),
          key("held", "held-out text ", this.#heldOutLoss),
        ),
      ),
      this.#plot.box,
    );
  }

  destroy(): void {
    this.#plot.destroy();
  }

  reset(): void {
    this.#drawnRows = -1;
    this.#untilRedraw = 0;
  }

  draw(view: LanguageView, series: Series, seconds: number): void {
    this.#untilRedraw -= seconds;
    if (this.#untilRedraw > 0 || series.units.length === this.#drawnRows) return;
    this.#untilRedraw = REDRAW_SECONDS;
    this.#drawnRows = series.units.length;
    this.#lines = referenceLines(view);
    this.#showUnit(unitOfLoss(view.source));
    this.#trainingOnly = view.grid !== null;
    this.element.classList.toggle("alone", this.#trainingOnly);
    const trainingLoss = smoothLogarithm(series.column("loss"));
    const heldOutLoss = withGaps(series.column("bits")).map(drawable);
    const columns = [series.units, trainingLoss, heldOutLoss];
    this.#plot.setData(columns as uPlot.AlignedData);
    write(this.#trainingLoss, formatNumber(series.last("loss"), 3));
    write(this.#heldOutLoss, formatNumber(series.last("bits"), 3));
  }

  #showUnit(unit: string): void {
    if (unit === this.#unit) return;
    this.#unit = unit;
    this.#title.replaceChildren(...withTerms(`Loss in ${unit}`, "language"));
  }

  #drawLines(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const scale = devicePixelRatio || 1;
    ctx.save();
    ctx.lineWidth = scale;
    for (const { bits, stroke, dash } of this.#lines) {
      const y = plot.valToPos(bits, "y", true);
      ctx.strokeStyle = colour(stroke);
      ctx.setLineDash(dash.map((length) => length * scale));
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    }
    ctx.restore();
  }

  /**
   * Draws the labels of the reference lines, from the lowest line up. A label stands above its line, or higher if it
   * would overlap the one below. The label of the lower bound stands below it, where there is no curve.
   */
  #drawLabels(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const scale = devicePixelRatio || 1;
    ctx.save();
    ctx.font = `${LABEL.fontSize * scale}px ${cssVariable("--font")}`;
    ctx.textAlign = "right";
    ctx.lineWidth = 4 * scale;
    ctx.lineJoin = "round";
    ctx.strokeStyle = colour("--paper");
    const x = bbox.left + bbox.width - LABEL.right * scale;
    let previousBaseline = Infinity;
    for (const { name, bits, stroke, isLowerBound } of this.#lines) {
      const lineY = plot.valToPos(bits, "y", true);
      let baseline = lineY + LABEL.below * scale;
      if (!isLowerBound) {
        baseline = Math.min(lineY - LABEL.above * scale, previousBaseline - LABEL.lineHeight * scale);
        previousBaseline = baseline;
      }
      const text = `${name} ${formatNumber(bits, 3)}`;
      ctx.fillStyle = colour(stroke);
      // The outline in the colour of the paper keeps the label readable on a curve.
      ctx.strokeText(text, x, baseline);
      ctx.fillText(text, x, baseline);
    }
    ctx.restore();
  }
}

/** The reference lines that are known, from the lowest to the highest. */
function referenceLines({ floor, gzip, order3 }: LanguageView): ReferenceLine[] {
  const all = [
    { name: "least possible (entropy):", bits: floor, stroke: "--ink-2", dash: [], isLowerBound: true },
    {
      name: "guess from the 3 bytes before (order-3):",
      bits: order3,
      stroke: "--ink-3",
      dash: [4, 4],
      isLowerBound: false,
    },
    { name: "gzip:", bits: gzip, stroke: "--ink-3", dash: [1, 4], isLowerBound: false },
  ];
  const known = all.flatMap(({ bits, ...line }) => (bits === null || !(bits > 0) ? [] : [{ ...line, bits }]));
  return known.sort((a, b) => a.bits - b.bits);
}

/** The label of a tick. Small ones have two significant digits, for which the axis has room. */
function tickText(bits: number): string {
  return formatTick(bits < 0.1 ? Number(bits.toPrecision(2)) : bits);
}

/**
 * The training loss after a moving average of its logarithm (a geometric mean). The arithmetic mean of losses that
 * halve again and again would lie far above the latest loss.
 */
function smoothLogarithm(loss: number[]): (number | null)[] {
  const logarithms = loss.map((bits) => Math.log2(Math.max(MIN_LOSS, bits)));
  const span = Math.min(MAX_SMOOTHED_ROWS, SMOOTHED_FRACTION * loss.length);
  return smooth(logarithms, span).map((logarithm) => (logarithm === null ? null : 2 ** logarithm));
}

/** The loss as the logarithmic axis can show it. */
function drawable(bits: number | null): number | null {
  return bits === null ? null : Math.max(MIN_LOSS, bits);
}

/** The range of the axis: powers of two that enclose these values with some room. */
function axisRange(values: (number | null)[]): [number, number] {
  const known = values.filter((bits): bits is number => bits !== null && Number.isFinite(bits) && bits > 0);
  // Without values the axis includes 8 bits, what a byte takes without compression: it reaches from 0.5 to 16.
  const [low, high] = known.length > 0 ? [Math.min(...known), Math.max(...known)] : [1, 8];
  return [2 ** Math.floor(Math.log2(ROOM_BELOW * low)), 2 ** Math.ceil(Math.log2(ROOM_ABOVE * high))];
}

/** The ticks of an axis between `low` and `high`: the powers of two, or every second one if there are many. */
function powersOfTwo(_: uPlot, __: number, low: number, high: number): number[] {
  const [from, to] = [Math.round(Math.log2(low)), Math.round(Math.log2(high))];
  const step = to - from > MAX_LABELLED_OCTAVES ? 2 : 1;
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => 2 ** (from + i * step));
}

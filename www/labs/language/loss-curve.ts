// The loss of the language lab's network in bits per byte (for stories, per character), over training iterations: on
// the training text and on held-out text. The axis is logarithmic with base 2. Horizontal reference lines show what
// gzip and an order-3 model (which sees three bytes of context) need for the held-out text, and for generated stories
// their entropy, which is the lower bound.

import type uPlot from "uplot";
import { el, write } from "../../core/dom";
import { formatNumber, formatTick } from "../../core/format";
import { withGaps, smooth, type Series } from "../../core/series";
import { colour } from "../../core/theme";
import { Plot } from "../../ui/plot";
import { withTerms } from "../../ui/term";
import type { LanguageView } from "../../generated/protocol";
import { unitOfLoss } from "./sources";

/** The chart is drawn again no more often than this. */
const REDRAW_SECONDS = 0.2;
/** The training loss is smoothed over this fraction of its rows, and over this many at most. */
const SMOOTHED_FRACTION = 1 / 16;
const MAX_SMOOTHED_ROWS = 12;
/** The smallest loss that is drawn, in bits per byte. A logarithmic axis has no place for 0. */
const MIN_LOSS = 2 ** -11;
/**
 * Labels of reference lines, in CSS pixels: font size, line height, distances from the line and from the right edge.
 */
const LABEL = { fontSize: 11, lineHeight: 13, above: 5, below: 13, right: 4 };
/** Factors of the lowest and the highest value that leave room for a label below the one and a line above the other. */
const [ROOM_BELOW, ROOM_ABOVE] = [0.8, 1.02];
/** An axis with more octaves than this labels every second one. */
const MAX_LABELLED_OCTAVES = 7;

/** A horizontal line that the loss is compared to. */
interface ReferenceLine {
  name: string;
  /** Bits per byte. */
  bits: number;
  /** The name of its colour. */
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
  /** True for tasks such as addition, which have no held-out text: only the training loss is shown. */
  #trainingOnly = false;
  #plot = new Plot({
    class: "language-curve-box",
    paddingRight: 16,
    yScale: {
      distr: 3, // uPlot's code for a logarithmic axis
      log: 2,
      range: (_, low, high) => axisRange([low, high, ...this.#lines.map((line) => line.bits)]),
    },
    yAxis: { size: 52, splits: octaves, filter: (_, marks) => marks, values: (_, marks) => marks.map(tickText) },
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
  /** Seconds until the next redraw. */
  #untilRedraw = 0;
  /** The number of rows that are drawn. */
  #drawnRows = -1;

  constructor() {
    const legend = (name: string, text: string, value: HTMLElement) =>
      el("span", { class: `line-key ${name}` }, text, value);
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
          legend("loss", "training text ", this.#trainingLoss),
          legend("held", "held-out text ", this.#heldOutLoss),
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
    const [loss, bits] = [series.column("loss"), series.column("bits")];
    this.#trainingOnly = view.grid !== null;
    this.element.classList.toggle("alone", this.#trainingOnly);
    // The evaluation of a task is shown by the grid of problems.
    const heldOut = this.#trainingOnly ? bits.map(() => null) : withGaps(bits);
    const columns = [series.units, smoothRatios(loss), heldOut.map(drawable)];
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
    ctx.font = `${LABEL.fontSize * scale}px ${colour("--font")}`;
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
      name: "from the 3 letters before (order-3):",
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
 * The training loss, smoothed as the logarithmic axis shows it: a mean of losses that fall by half again and again
 * would lie far above the latest.
 */
function smoothRatios(loss: number[]): (number | null)[] {
  const logarithms = loss.map((bits) => Math.log2(Math.max(MIN_LOSS, bits)));
  const span = Math.min(MAX_SMOOTHED_ROWS, SMOOTHED_FRACTION * loss.length);
  return smooth(logarithms, span).map((logarithm) => (logarithm === null ? null : 2 ** logarithm));
}

/** A loss that the logarithmic axis can show. */
function drawable(bits: number | null): number | null {
  return bits === null ? null : Math.max(MIN_LOSS, bits);
}

/** The powers of two around these values, with some room. */
function axisRange(values: (number | null)[]): [number, number] {
  const known = values.filter((bits): bits is number => bits !== null && Number.isFinite(bits) && bits > 0);
  // Without values the axis reaches to 8 bits, what a byte takes without compression.
  const [low, high] = known.length > 0 ? [Math.min(...known), Math.max(...known)] : [1, 8];
  return [2 ** Math.floor(Math.log2(ROOM_BELOW * low)), 2 ** Math.ceil(Math.log2(ROOM_ABOVE * high))];
}

/** The ticks of an axis between `low` and `high`: the powers of two, or every second one if there are many. */
function octaves(_: uPlot, __: number, low: number, high: number): number[] {
  const [from, to] = [Math.round(Math.log2(low)), Math.round(Math.log2(high))];
  const step = to - from > MAX_LABELLED_OCTAVES ? 2 : 1;
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => 2 ** (from + i * step));
}

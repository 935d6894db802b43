// The loss in bits a byte on a logarithmic axis with base 2, for the training text and for text held back. Thin lines
// show the same for gzip and for an order-3 model, and for generated stories the entropy, which is the lower bound.

import type uPlot from "uplot";
import { el, write } from "../../core/dom";
import { formatNumber, formatTick } from "../../core/format";
import { withGaps, smooth, type Series } from "../../core/series";
import { colour } from "../../core/theme";
import { Plot } from "../../ui/plot";
import type { LanguageView } from "../../generated/protocol";

const REDRAW_SECONDS = 0.2;
/** Rows over which the training loss is smoothed. */
const SPAN = 12;
/** The smallest loss that is drawn. */
const LEAST = 0.01;
/** Smallest distance between two labels, in CSS pixels. */
const LEAST_APART = 13;

interface Line {
  name: string;
  bits: number;
  stroke: string;
  dash: number[];
  /** Whether the line is the lower bound. */
  least: boolean;
}

export class LossCurve {
  readonly element: HTMLElement;
  #loss = el("span", { class: "num" });
  #bits = el("span", { class: "num" });
  /** True for tasks, which have no held-back text: only the training loss is shown. */
  #alone = false;
  #plot = new Plot({
    class: "language-curve-box",
    paddingRight: 16,
    yScale: {
      distr: 3,
      log: 2,
      range: (_, low, high) => reach([low, high, ...this.#lines.map((line) => line.bits)]),
    },
    yAxis: { size: 38, splits: octaves, filter: (_, marks) => marks, values: (_, marks) => marks.map(formatTick) },
    series: [
      {
        stroke: () => colour(this.#alone ? "--learn" : "--learn-faint"),
        width: 1.5,
        points: { show: false },
        spanGaps: true,
      },
      { stroke: () => colour("--learn"), width: 2.5, points: { show: false }, spanGaps: true },
    ],
    hooks: { drawAxes: [(plot) => this.#drawLines(plot)], draw: [(plot) => this.#drawNames(plot)] },
  });
  #lines: Line[] = [];
  #rest = 0;
  #rows = -1;

  constructor() {
    const key = (name: string, text: string, value: HTMLElement) =>
      el("span", { class: `line-key ${name}` }, text, value);
    this.element = el(
      "figure",
      { class: "language-curve" },
      el(
        "figcaption",
        { title: "Loss in bits for each byte of text: of the text it learns from, and of text held back" },
        el("span", { text: "Loss, in bits a byte" }),
        el(
          "span",
          { class: "line-keys" },
          key("loss", "training text ", this.#loss),
          key("held", "held-back text ", this.#bits),
        ),
      ),
      this.#plot.box,
    );
  }

  destroy(): void {
    this.#plot.destroy();
  }

  reset(): void {
    this.#rows = -1;
    this.#rest = 0;
  }

  draw(view: LanguageView, series: Series, seconds: number): void {
    this.#rest -= seconds;
    if (this.#rest > 0 || series.units.length === this.#rows) return;
    this.#rest = REDRAW_SECONDS;
    this.#rows = series.units.length;
    this.#lines = lines(view);
    const [loss, bits] = [series.column("loss"), series.column("bits")];
    this.#alone = view.grid !== null;
    this.element.classList.toggle("alone", this.#alone);
    // The evaluation of a task is shown elsewhere.
    const held = this.#alone ? bits.map(() => null) : withGaps(bits);
    this.#plot.setData([series.units, smooth(loss, SPAN).map(atLeast), held.map(atLeast)] as uPlot.AlignedData);
    write(this.#loss, formatNumber(series.last("loss"), 3));
    write(this.#bits, formatNumber(series.last("bits"), 3));
  }

  #drawLines(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const scale = devicePixelRatio || 1;
    ctx.save();
    ctx.lineWidth = scale;
    for (const { bits, stroke, dash } of this.#lines) {
      const y = plot.valToPos(bits, "y", true);
      ctx.strokeStyle = colour(stroke);
      ctx.setLineDash(dash.map((each) => each * scale));
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    }
    ctx.restore();
  }

  /**
   * Labels stand above their lines and never overlap. The label of the lower bound stands below it, where there is no
   * curve.
   */
  #drawNames(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const scale = devicePixelRatio || 1;
    ctx.save();
    ctx.font = `${11 * scale}px ${colour("--font")}`;
    ctx.textAlign = "right";
    ctx.lineWidth = 4 * scale;
    ctx.lineJoin = "round";
    ctx.strokeStyle = colour("--paper");
    let above = Infinity;
    for (const { name, bits, stroke, least } of this.#lines) {
      const y = plot.valToPos(bits, "y", true);
      const at = least ? y + 13 * scale : Math.min(y - 5 * scale, above - LEAST_APART * scale);
      if (!least) above = at;
      const text = `${name} ${formatNumber(bits, 3)}`;
      ctx.fillStyle = colour(stroke);
      ctx.strokeText(text, bbox.left + bbox.width - 4 * scale, at);
      ctx.fillText(text, bbox.left + bbox.width - 4 * scale, at);
    }
    ctx.restore();
  }
}

/** The lines, the lowest first. */
function lines({ floor, gzip, order3 }: LanguageView): Line[] {
  const all = [
    { name: "lower bound:", bits: floor, stroke: "--ink-2", dash: [], least: true },
    { name: "order-3 model:", bits: order3, stroke: "--ink-3", dash: [4, 4], least: false },
    { name: "gzip:", bits: gzip, stroke: "--ink-3", dash: [1, 4], least: false },
  ];
  const known = all.flatMap(({ bits, ...line }) => (bits === null || !(bits > 0) ? [] : [{ ...line, bits }]));
  return known.sort((a, b) => a.bits - b.bits);
}

/** A logarithmic axis has no place for zero. */
function atLeast(bits: number | null): number | null {
  return bits === null ? null : Math.max(LEAST, bits);
}

/** Powers of two around these values, with room for a label below the lowest. */
function reach(values: (number | null)[]): [number, number] {
  const known = values.filter((bits): bits is number => bits !== null && Number.isFinite(bits) && bits > 0);
  const [low, high] = known.length > 0 ? [Math.min(...known), Math.max(...known)] : [1, 8];
  return [2 ** Math.floor(Math.log2(0.8 * low)), 2 ** Math.ceil(Math.log2(1.02 * high))];
}

/** The powers of two on an axis, every second one if there are many. */
function octaves(_: uPlot, __: number, low: number, high: number): number[] {
  const [from, to] = [Math.round(Math.log2(low)), Math.round(Math.log2(high))];
  const step = to - from > 7 ? 2 : 1;
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => 2 ** (from + i * step));
}

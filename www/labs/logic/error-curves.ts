// A chart of the discretisation gap: the error of the soft circuit, whose gates are mixtures of kinds, the error of the
// hard circuit, where each gate is its most likely kind, and the area between them. Both are mean squared errors of the
// visible cells, from 0 to 1. Their present values are not written out: the page has one measure, the share of correct
// cells. Their axis is logarithmic except near zero. Vertical lines mark restarts with fresh gates.

import type uPlot from "uplot";
import { el, write } from "../../core/dom";
import { colour } from "../../core/theme";
import { Plot } from "../../ui/plot";
import { withGaps, type Series } from "../../core/series";
import { term } from "../../ui/term";
import type { LogicView } from "../../generated/protocol";
import { attemptWords } from "./attempts";

/** The chart is drawn again no more often than this. */
const REDRAW_SECONDS = 0.2;
/** The axis is linear below this value and logarithmic above. */
const LINEAR_BELOW = 0.003;
/** uPlot's code for an axis scaled by the inverse hyperbolic sine. */
const ARCSINH_SCALE = 4;
/** The axis reaches at least to this error, and to the second one while there are no values. */
const [MIN_TOP, TOP_WITHOUT_VALUES] = [0.1, 0.5];
/** Errors written at the axis. */
const TICKS = [0, 0.01, 0.03, 0.1, 0.3, 1];

export class ErrorCurves {
  readonly element: HTMLElement;
  #attemptText = el("p", { class: "remark num", hidden: true });
  /** The iterations in which a new attempt began. */
  #restarts: number[] = [];
  #plot = new Plot({
    class: "logic-errors-box",
    yScale: {
      distr: ARCSINH_SCALE,
      asinh: LINEAR_BELOW,
      range: (_, __, high) => [0, Math.max(MIN_TOP, Number.isFinite(high) ? high : TOP_WITHOUT_VALUES)],
    },
    yAxis: {
      size: 38,
      splits: () => TICKS,
      // Ticks above the range are dropped. The axis ends at the largest error, but not below 0.1.
      filter: (plot, ticks) => ticks.map((tick) => (tick <= (plot.scales["y"]?.max ?? 1) ? tick : null)),
      values: (_, ticks: (number | null)[]) => ticks.map((tick) => (tick === null ? "" : String(tick))),
    },
    bands: [{ series: [1, 2], fill: () => colour("--worse-soft") }],
    series: [
      { stroke: () => colour("--worse"), width: 1.5, points: { show: false } },
      { stroke: () => colour("--learn"), width: 2, points: { show: false } },
    ],
    hooks: { draw: [(plot) => drawRestarts(plot, this.#restarts)] },
  });
  /** Seconds until the next redraw is allowed, and the rows and the attempts that are drawn. */
  #waitSeconds = 0;
  #drawn = "";

  constructor() {
    const key = (name: string, text: string) => el("span", { class: `line-key ${name}` }, term(text, `${name} error`));
    this.element = el(
      "figure",
      { class: "logic-errors" },
      el(
        "figcaption",
        {
          title:
            "The difference between a visible cell, from 0 to 1, and the target, squared and averaged: from 0, the best, to 1.",
        },
        el("span", { text: "Mean squared error on the training grids, 0 is best" }),
        el("span", { class: "line-keys" }, key("hard", "hard gates"), key("soft", "soft gates")),
      ),
      this.#plot.box,
      el(
        "p",
        { class: "remark" },
        "Training makes the error of the soft gates smaller. The error of the hard gates is the share of wrong cells, because there a cell is right or wrong. The red area is the ",
        term("discretisation gap", "discretisation gap"),
        ": what is lost when each mixture becomes one function.",
      ),
      this.#attemptText,
    );
  }

  destroy(): void {
    this.#plot.destroy();
  }

  /** Draws the curves. `attemptTold` is the attempt of the last completed iteration. */
  draw(series: Series, { attempt }: LogicView, attemptTold: number, seconds: number): void {
    this.#waitSeconds -= seconds;
    const drawn = `${series.units.length} ${attempt} ${attemptTold}`;
    if (this.#waitSeconds > 0 || drawn === this.#drawn) return;
    this.#waitSeconds = REDRAW_SECONDS;
    this.#drawn = drawn;
    const [soft, hard] = [series.column("softError"), series.column("hardError")];
    const attempts = series.column("attempt");
    this.#restarts = series.units.filter((_, i) => i > 0 && (attempts[i] as number) > (attempts[i - 1] as number));
    this.#attemptText.hidden = attempt === 1;
    const since = attempts.at(-1) === attempt ? this.#restarts.at(-1) : undefined;
    write(this.#attemptText, attemptWords(attempt, attemptTold, since));
    this.#plot.setData([series.units, withGaps(hard), withGaps(soft)] as uPlot.AlignedData);
  }
}

/** A dashed vertical line at each restart. */
function drawRestarts(plot: uPlot, iterations: number[]): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colour("--ink-3");
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const iteration of iterations) {
    const x = Math.round(plot.valToPos(iteration, "x", true)) + 0.5;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

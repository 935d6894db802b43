// The chart of runs with several seeds: the median of a metric as a line, the range between the quartiles as a band,
// and the whole range as a fainter one.

import type uPlot from "uplot";
import { el } from "../../core/dom";
import { formatTick } from "../../core/format";
import type { BandRow } from "../../core/compare/statistics";
import { colour } from "../../core/theme";
import type { Goal } from "../../generated/protocol";
import { Plot } from "../plot";
import { drawGoal, rangeWith } from "./chart-marks";

/** How opaque the band between the quartiles is, and the whole range. */
const OPACITY = { quartiles: 0.24, range: 0.1 };

export class BandChart {
  readonly element = el("div", { class: "compare-chart", role: "img" });
  #rows: BandRow[] = [];
  #goal: Goal | null = null;
  #plot = new Plot({
    class: "compare-chart-box",
    yScale: { range: (_, low, high) => rangeWith(low, high, this.#goal ? [this.#goal.target] : []) },
    yAxis: { size: 48, space: 34, values: (_, marks) => marks.map(formatTick) },
    series: [
      { stroke: () => colour("--learn"), width: 2.5, points: { show: false } },
      // The range determines the y axis; its edges are drawn with the bands.
      ...[1, 2].map(() => ({ stroke: "transparent", width: 0, points: { show: false } })),
    ],
    hooks: {
      drawAxes: [(plot) => this.#drawBands(plot)],
      draw: [(plot) => this.#goal && drawGoal(plot, this.#goal.target)],
    },
  });

  constructor() {
    this.element.append(this.#plot.box);
  }

  show(rows: BandRow[], goal: Goal | null, words: string): void {
    this.#rows = rows.filter(({ count }) => count > 0);
    this.#goal = goal;
    this.element.setAttribute("aria-label", words);
    const column = (name: "median" | "least" | "most") => this.#rows.map((row) => row[name]);
    const units = this.#rows.map(({ unit }) => unit);
    this.#plot.setData([units, column("median"), column("least"), column("most")]);
  }

  destroy(): void {
    this.#plot.destroy();
  }

  #drawBands(plot: uPlot): void {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.fillStyle = colour("--learn");
    const band = (low: "least" | "lowerQuartile", high: "most" | "upperQuartile", opacity: number) => {
      const point = (row: BandRow, edge: typeof low | typeof high) =>
        ctx.lineTo(plot.valToPos(row.unit, "x", true), plot.valToPos(row[edge], "y", true));
      ctx.globalAlpha = opacity;
      ctx.beginPath();
      for (const row of this.#rows) point(row, high);
      for (const row of [...this.#rows].reverse()) point(row, low);
      ctx.fill();
    };
    band("least", "most", OPACITY.range);
    band("lowerQuartile", "upperQuartile", OPACITY.quartiles);
    ctx.restore();
  }
}

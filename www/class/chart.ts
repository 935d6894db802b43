// The chart of a class: every run as a thin line, their median as a strong one, and their range as a band, by units.

import type uPlot from "uplot";
import { el } from "../core/dom";
import { formatTick } from "../core/format";
import type { BandRow } from "../core/compare/statistics";
import { colour } from "../core/theme";
import { drawGoal, rangeWith } from "../ui/compare/chart-marks";
import { Plot } from "../ui/plot";
import type { PointCurve } from "./code";

const RANGE_OPACITY = 0.14;
const CURVE_OPACITY = 0.45;

export interface ClassCurves {
  band: BandRow[];
  curves: PointCurve[];
  target: number | null;
}

export class ClassChart {
  readonly element = el("div", { class: "compare-chart", role: "img" });
  #shown: ClassCurves = { band: [], curves: [], target: null };
  #plot = new Plot({
    class: "compare-chart-box",
    yScale: { range: (_, low, high) => rangeWith(low, high, this.#targets()) },
    yAxis: { size: 48, space: 34, values: (_, marks) => marks.map(formatTick) },
    series: [
      { stroke: () => colour("--learn"), width: 2.5, points: { show: false } },
      // The range determines the y axis; it is drawn with the curves.
      ...[1, 2].map(() => ({ stroke: "transparent", width: 0, points: { show: false } })),
    ],
    hooks: {
      drawAxes: [(plot) => this.#drawRuns(plot)],
      draw: [(plot) => this.#targets().forEach((target) => drawGoal(plot, target))],
    },
  });

  constructor() {
    this.element.append(this.#plot.box);
  }

  show(shown: ClassCurves, words: string): void {
    this.#shown = { ...shown, band: shown.band.filter(({ count }) => count > 0) };
    this.element.setAttribute("aria-label", words);
    const column = (name: "median" | "least" | "most") => this.#shown.band.map((row) => row[name]);
    this.#plot.setData([this.#shown.band.map(({ unit }) => unit), column("median"), column("least"), column("most")]);
  }

  destroy(): void {
    this.#plot.destroy();
  }

  #targets(): number[] {
    return this.#shown.target === null ? [] : [this.#shown.target];
  }

  #drawRuns(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const { band, curves } = this.#shown;
    const point = (unit: number, value: number) =>
      ctx.lineTo(plot.valToPos(unit, "x", true), plot.valToPos(value, "y", true));
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.fillStyle = colour("--learn");
    ctx.globalAlpha = RANGE_OPACITY;
    ctx.beginPath();
    for (const { unit, most } of band) point(unit, most);
    for (const { unit, least } of [...band].reverse()) point(unit, least);
    ctx.fill();
    ctx.globalAlpha = CURVE_OPACITY;
    ctx.strokeStyle = colour("--ink-2");
    ctx.lineWidth = devicePixelRatio || 1;
    for (const { units, values } of curves) {
      ctx.beginPath();
      units.forEach((unit, i) => point(unit, values[i] as number));
      ctx.stroke();
    }
    ctx.restore();
  }
}

// The chart of the runs that are compared: a metric of all of them over units (training iterations), work or time, with
// the goal and a mark where the first of them reached it.

import type uPlot from "uplot";
import type { Lane } from "../../core/compare/comparison";
import { el } from "../../core/dom";
import { formatTick } from "../../core/format";
import type { TrainingPoint } from "../../core/compare/pacing";
import { alignCurves } from "../../core/compare/statistics";
import { cssVariable } from "../../core/theme";
import { MAX_CONTENDERS } from "../../core/contenders";
import { Plot } from "../plot";
import { laneColour, laneLetter } from "./lane-marks";
import { drawGoal, rangeWith } from "./chart-marks";

// In CSS pixels: the space at the right edge for the letters of the lanes, the size of a letter, its distance from the
// end of its line, and the radius of the dot at the goal.
const LETTER_SPACE = 22;
const LETTER_SIZE = 11;
const LETTER_GAP = 5;
const GOAL_DOT_RADIUS = 4.5;

export interface ComparedRuns {
  lanes: Lane[];
  metric: string;
  /** What the x axis counts. */
  axis: keyof TrainingPoint;
  /** The lanes whose run reached the goal first; several in a tie, none while that is open. */
  first: Lane[];
}

export class ComparisonChart {
  readonly element = el("div", { class: "compare-chart", role: "img" });
  #plot: Plot | null = null;
  #axis: keyof TrainingPoint | null = null;
  #shown: ComparedRuns = { lanes: [], metric: "", axis: "units", first: [] };

  /** Shows the runs. Screen readers read `label` in place of the chart. */
  show(compared: ComparedRuns, label: string): void {
    this.#shown = compared;
    this.element.setAttribute("aria-label", label);
    if (!this.#plot || this.#axis !== compared.axis) {
      this.#plot?.destroy();
      this.#axis = compared.axis;
      this.#plot = this.#create(compared.axis);
      this.element.replaceChildren(this.#plot.box);
    }
    // A series for each place, also without a run: uPlot gets its series once, while runs come and go.
    const curves = Array.from({ length: MAX_CONTENDERS }, (_, place) => {
      const run = compared.lanes.find((lane) => lane.place === place)?.run;
      return run ? run.curve(compared.metric, compared.axis) : { x: [], y: [] };
    });
    this.#plot.setData(alignCurves(curves));
  }

  destroy(): void {
    this.#plot?.destroy();
  }

  /** The targets of the goals that are of this metric. */
  #targets(): number[] {
    const { lanes, metric } = this.#shown;
    return [...new Set(lanes.flatMap(({ run }) => (run?.goal?.metric === metric ? [run.goal.target] : [])))];
  }

  #create(axis: keyof TrainingPoint): Plot {
    return new Plot({
      class: "compare-chart-box",
      paddingRight: LETTER_SPACE,
      x: axis === "units" ? "units" : "amount",
      yScale: { range: (_, low, high) => rangeWith(low, high, this.#targets()) },
      // In CSS pixels: the width of the axis, and the least distance of its ticks.
      yAxis: { size: 48, space: 34, values: (_, marks) => marks.map(formatTick) },
      series: Array.from({ length: MAX_CONTENDERS }, (_, place) => ({
        stroke: () => laneColour(place),
        width: 2,
        points: { show: false },
        spanGaps: true,
      })),
      hooks: { draw: [(plot) => this.#drawMarks(plot)] },
    });
  }

  #drawMarks(plot: uPlot): void {
    const { first, axis } = this.#shown;
    const { ctx, bbox } = plot;
    const scale = devicePixelRatio || 1;
    ctx.save();
    for (const target of this.#targets()) drawGoal(plot, target);
    for (const { place, run } of first) {
      if (!run?.reached || !run.goal) continue;
      const x = plot.valToPos(run.reached[axis], "x", true);
      ctx.strokeStyle = ctx.fillStyle = laneColour(place);
      ctx.lineWidth = scale;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      if (run.goal.metric !== this.#shown.metric) continue;
      ctx.beginPath();
      ctx.arc(x, plot.valToPos(run.goal.target, "y", true), GOAL_DOT_RADIUS * scale, 0, 2 * Math.PI);
      ctx.fill();
    }
    this.#drawLetters(plot);
    ctx.restore();
  }

  /** The letter of each run at the end of its line, so that colour is not the only way to tell them apart. */
  #drawLetters(plot: uPlot): void {
    const { ctx, data } = plot;
    const scale = devicePixelRatio || 1;
    const letters = Array.from({ length: MAX_CONTENDERS }, (_, place) => {
      const column = data[place + 1] ?? []; // column 0 holds the x values
      const row = column.findLastIndex((value) => (value ?? null) !== null);
      return { place, row, y: row < 0 ? NaN : plot.valToPos(column[row] as number, "y", true) };
    }).filter(({ row }) => row >= 0);
    ctx.font = `600 ${LETTER_SIZE * scale}px ${cssVariable("--font")}`;
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    // From the lowest letter up, each far enough above those that are drawn at about the same x.
    const drawn: { x: number; y: number }[] = [];
    for (const { place, row, y } of letters.sort((a, b) => b.y - a.y)) {
      const x = plot.valToPos(data[0][row] as number, "x", true) + LETTER_GAP * scale;
      const near = drawn.filter((each) => Math.abs(each.x - x) < LETTER_SIZE * scale);
      const freeY = Math.min(y, ...near.map((each) => each.y - LETTER_SIZE * scale));
      drawn.push({ x, y: freeY });
      ctx.fillStyle = laneColour(place);
      ctx.fillText(laneLetter(place), x, freeY);
    }
  }
}

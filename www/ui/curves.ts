// The charts of a run: a large one of the headline's metric in the goal panel, and a section with small ones of the
// other metrics. They share a cursor and a slider for smoothing. The charts are loaded when the first unit (training
// iteration) has ended: before, they have nothing to show, and the agent should begin to learn first.

import { el, listen, write } from "../core/dom";
import type { Overlays } from "../core/overlays";
import type { Run } from "../core/run";
import { marginName } from "../core/series";
import type { ShownTest } from "../core/shown-test";
import type { LabInfo } from "../generated/protocol";
import type { Chart } from "./chart";
import type { Headline } from "./headline";

/** Shortest time between two redraws. */
const REDRAW_MS = 160;
/** Metrics that were never measured in this many rows are taken for absent. Evaluations come every few units. */
const ROWS_TO_JUDGE = 10;
/**
 * The positions of the smoothing slider, 0 to `SPAN_NOTCHES`, stand for spans from 1 to `MAX_SPAN` units (training
 * iterations) in equal ratios.
 */
const SPAN_NOTCHES = 40;
const MAX_SPAN = 100;
const DEFAULT_NOTCH = 10;

export class Curves {
  /** Holds the large chart and the names of other runs in it, to be placed in the goal panel. */
  readonly main: HTMLElement;
  #large = el("div", { class: "chart-room" });
  /** The section with the small charts. */
  readonly element: HTMLElement;
  #grid = el("div", { class: "chart-grid" });
  /** The metric of the large chart. */
  #metric = "";
  #charts: Chart[] = [];
  /** The module of the charts; null before the first unit has ended. */
  #module: typeof import("./chart") | null = null;
  #loading = false;
  #destroyed = false;
  #spanSlider = el("input", { type: "range", min: 0, max: SPAN_NOTCHES, step: 1, value: 0, id: "smoothing" });
  #spanText = el("output", { class: "num", for: "smoothing" });
  /** Time of the last redraw, by `performance.now()`. */
  #drawnAt = 0;
  /** The timer of a scheduled redraw; undefined if none is scheduled. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #cleanups: (() => void)[];

  constructor(
    readonly lab: LabInfo,
    readonly run: Run,
    readonly shown: ShownTest,
    /** Curves of other runs, drawn over the large chart. */
    readonly overlays: Overlays,
    readonly headline: () => Headline,
  ) {
    this.main = el("div", {}, this.#large);
    this.#spanSlider.value = String(DEFAULT_NOTCH);
    listen(this.#spanSlider, { input: () => this.#draw() });
    this.element = el(
      "section",
      { class: "curves", "aria-labelledby": "curves-title" },
      el(
        "div",
        { class: "section-head" },
        el("h2", { id: "curves-title", text: "Training curves" }),
        el(
          "label",
          {
            class: "smoothing",
            title: `Each point is an average of about this many ${lab.about.unit}s, of which later ones count more (exponential moving average). The faint line shows the measured values. The metric of the large chart is never smoothed.`,
          },
          "smoothing ",
          this.#spanSlider,
          this.#spanText,
        ),
      ),
      this.#grid,
    );
    /** Prepares for a run that was opened. */
    const begin = () => {
      void this.#load();
      this.#createCharts();
      this.#draw();
    };
    this.#cleanups = [
      run.on("progress", () => {
        void this.#load();
        this.#scheduleDraw();
      }),
      run.on("opened", begin),
      shown.on("changed", () => this.#draw()),
      overlays.on("changed", () => this.#scheduleDraw()),
    ];
    begin();
  }

  /** Loads the charts once there is something to show. */
  #load = async (): Promise<void> => {
    if (this.#module || this.#loading || this.#destroyed || this.run.series.units.length === 0) return;
    this.#loading = true;
    const module = await import("./chart").catch(() => null);
    if (this.#destroyed) return;
    if (!module) {
      // Some browsers remember until a reload that a module could not be loaded. The charts can wait for that.
      this.#large.replaceChildren(
        el("p", { class: "quiet", text: "The charts could not be loaded. Check the network connection." }),
      );
      const retry = () => {
        this.#loading = false;
        void this.#load();
      };
      return addEventListener("online", retry, { once: true });
    }
    this.#loading = false;
    this.#module = module;
    this.main.append(new module.OverlayLegend(this.overlays).element);
    this.#createCharts();
    this.#draw();
  };

  /** Creates the charts if the headline's metric has changed. */
  #createCharts(): void {
    const module = this.#module;
    if (!module) return;
    const { about } = this.lab;
    const { metric, beside } = this.headline();
    if (metric === this.#metric) return;
    this.#metric = metric;
    for (const chart of this.#charts) chart.destroy();
    const find = (name: string) => about.metrics.find((each) => each.name === name);
    /** A list with the chart of a metric, or an empty one if there is no such metric. */
    const create = (name: string) => {
      const spec = find(name);
      const large = name === metric;
      const margin = marginName(about.metrics, name);
      return spec ? [new module.Chart({ spec, lab: about.id, large, margin, beside: large ? beside : null })] : [];
    };
    const main = create(metric);
    const small = about.charts.filter((name) => name !== metric).flatMap(create);
    this.#large.hidden = main.length === 0;
    this.#large.replaceChildren(...main.map(({ element }) => element));
    this.#grid.replaceChildren(...small.map(({ element }) => element));
    this.#charts = [...main, ...small];
  }

  destroy(): void {
    this.#destroyed = true;
    clearTimeout(this.#timer);
    for (const cleanup of this.#cleanups) cleanup();
    for (const chart of this.#charts) chart.destroy();
  }

  /** Draws soon, at most every REDRAW_MS. */
  #scheduleDraw(): void {
    if (this.#timer !== undefined) return;
    const waitMs = Math.max(0, this.#drawnAt + REDRAW_MS - performance.now());
    this.#timer = setTimeout(() => requestAnimationFrame(() => this.#draw()), waitMs);
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#drawnAt = performance.now();
    const notch = Number(this.#spanSlider.value);
    const span = Math.round(MAX_SPAN ** (notch / SPAN_NOTCHES));
    this.#spanSlider.style.setProperty("--fill", `${(notch / SPAN_NOTCHES) * 100}%`);
    write(this.#spanText, span <= 1 ? "off" : `over ${span}`);
    const { goal, progress } = this.run;
    const { metric, target, chance, yours, trials } = this.headline();
    const marks = {
      goal,
      solvedAt: progress.solvedAt ?? null,
      shownUnit: this.shown.lookBack.unit,
      testUnit: this.shown.unitOf(metric),
    };
    const largeMarks = { ...marks, chance, yours, trials, goal: target === null ? null : { metric, target } };
    for (const chart of this.#charts) {
      const { large } = chart.options;
      chart.element.hidden = this.#isNeverMeasured(chart);
      chart.show(this.run.series, span, large ? largeMarks : marks, large ? this.overlays.list : []);
    }
  }

  /** Whether a small chart would stay empty, because the chosen learner or task does not have its metric. */
  #isNeverMeasured({ options }: Chart): boolean {
    const { series } = this.run;
    if (options.large || series.units.length < ROWS_TO_JUDGE) return false;
    return !series.column(options.spec.name).some(Number.isFinite);
  }
}

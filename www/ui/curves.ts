// The charts of a run: a large one of the goal's metric, small ones of the others, with a shared cursor and smoothing.

import { el, listen, write } from "../core/dom";
import type { Run } from "../core/run";
import type { LabInfo } from "../generated/protocol";
import { Chart } from "./chart";

/** Shortest time between two redraws. */
const REDRAW_MS = 160;
const MOST_SPAN = 100;

export class Curves {
  /** Holds the chart of the goal's metric. */
  readonly main = el("div");
  readonly element: HTMLElement;
  #grid = el("div", { class: "chart-grid" });
  /** The metric of the large chart. */
  #metric = "";
  #charts: Chart[] = [];
  #span = el("input", { type: "range", min: 0, max: 40, step: 1, value: 0, id: "smoothing" });
  #spanText = el("output", { class: "num", for: "smoothing" });
  #drawnAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #cleanups: (() => void)[];

  constructor(
    readonly lab: LabInfo,
    readonly run: Run,
  ) {
    this.#span.value = "10";
    listen(this.#span, { input: () => this.#draw() });
    this.element = el(
      "section",
      { class: "curves", "aria-labelledby": "curves-title" },
      el(
        "div",
        { class: "section-head" },
        el("h2", { id: "curves-title", text: "Curves" }),
        el(
          "label",
          {
            class: "smoothing",
            title: "Debiased exponential moving average. The faint line shows the measured values.",
          },
          "smoothing ",
          this.#span,
          this.#spanText,
        ),
      ),
      this.#grid,
    );
    const begin = () => {
      this.#createCharts();
      this.#draw();
    };
    this.#cleanups = [run.on("progress", () => this.#scheduleDraw()), run.on("opened", begin)];
    begin();
  }

  /** Creates the charts when the goal's metric has changed. A run without a goal has a large chart of the first metric. */
  #createCharts(): void {
    const { about } = this.lab;
    const metric = this.run.goal?.metric ?? about.charts[0] ?? "";
    if (metric === this.#metric) return;
    this.#metric = metric;
    for (const chart of this.#charts) chart.destroy();
    const find = (name: string) => about.metrics.find((each) => each.name === name);
    const create = (name: string) => {
      const spec = find(name);
      const large = name === metric;
      // A lab with a margin of error for its main metric calls it `margin`.
      const margin = large ? find("margin")?.name : undefined;
      return spec ? [new Chart({ spec, unit: about.unit, sync: about.id, large, margin })] : [];
    };
    const main = create(metric);
    const small = about.charts.filter((name) => name !== metric).flatMap(create);
    this.main.replaceChildren(...main.map(({ element }) => element));
    this.#grid.replaceChildren(...small.map(({ element }) => element));
    this.#charts = [...main, ...small];
  }

  destroy(): void {
    clearTimeout(this.#timer);
    for (const cleanup of this.#cleanups) cleanup();
    for (const chart of this.#charts) chart.destroy();
  }

  #scheduleDraw(): void {
    if (this.#timer !== undefined) return;
    const rest = Math.max(0, this.#drawnAt + REDRAW_MS - performance.now());
    this.#timer = setTimeout(() => requestAnimationFrame(() => this.#draw()), rest);
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#drawnAt = performance.now();
    const notch = Number(this.#span.value);
    const span = Math.round(MOST_SPAN ** (notch / 40));
    this.#span.style.setProperty("--fill", `${(notch / 40) * 100}%`);
    write(this.#spanText, span <= 1 ? "off" : `over ${span}`);
    const marks = { goal: this.run.goal, solvedAt: this.run.progress.solvedAt ?? null };
    for (const chart of this.#charts) chart.show(this.run.series, span, marks);
  }
}

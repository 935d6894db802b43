// The discretisation gap: the error with mixtures, which it learns from, the error with every gate decided, and what lies
// between them. Both are means over the shown cells, so they share an axis; it is compressed, for what is nearly right
// matters too. Where the run began anew with fresh gates stands a line.

import uPlot from "uplot";
import { el, write } from "../../core/dom";
import { colour, onTheme } from "../../core/theme";
import { whole } from "../../core/format";
import { gaps, type Series } from "../../core/series";
import type { LogicView } from "../../generated/protocol";

/** How often it is drawn anew. */
const REDRAW_SECONDS = 0.2;
/** Below this the axis is even, above it goes in equal ratios. */
const EVEN_BELOW = 0.003;
const MARKS = [0, 0.01, 0.03, 0.1, 0.3, 1];

export class GapView {
  readonly element: HTMLElement;
  #box = el("div", { class: "logic-gap-box" });
  #soft = el("span", { class: "num" });
  #hard = el("span", { class: "num" });
  #again = el("p", { class: "logic-says num", hidden: true });
  #begun: number[] = [];
  #plot: uPlot | null = null;
  #rest = 0;
  #rows = -1;
  #observer = new ResizeObserver(() => this.#fit());
  #forget: () => void;

  constructor() {
    const key = (name: string, text: string, value: HTMLElement) =>
      el("span", { class: `gap-key ${name}` }, text, value);
    this.element = el(
      "figure",
      { class: "logic-gap" },
      el(
        "figcaption",
        { title: "Mean squared error of a shown cell: with every gate a mixture, and with every gate decided" },
        el("span", { text: "The gap" }),
        el(
          "span",
          { class: "gap-keys" },
          key("hard", "hard error ", this.#hard),
          key("soft", "soft error ", this.#soft),
        ),
      ),
      this.#box,
      this.#again,
    );
    this.#observer.observe(this.#box);
    this.#forget = onTheme(() => this.#plot?.redraw(false, true));
  }

  leave(): void {
    this.#observer.disconnect();
    this.#forget();
    this.#plot?.destroy();
  }

  #fit(): void {
    const { clientWidth: width, clientHeight: height } = this.#box;
    if (width === 0) return;
    if (this.#plot) this.#plot.setSize({ width, height });
    else
      this.#plot = new uPlot(
        options(width, height, () => this.#begun),
        [[], [], []],
        this.#box,
      );
    this.#rows = -1;
  }

  draw(series: Series, { attempt, begun }: LogicView, seconds: number): void {
    this.#again.hidden = attempt === 1;
    write(this.#again, `Begun anew after epoch ${whole(begun)}: attempt ${whole(attempt)}`);
    this.#rest -= seconds;
    if (this.#rest > 0 || !this.#plot || series.units.length === this.#rows) return;
    this.#rest = REDRAW_SECONDS;
    this.#rows = series.units.length;
    const [soft, hard] = [series.column("softError"), series.column("hardError")];
    const attempts = series.column("attempt");
    this.#begun = series.units.filter((_, i) => i > 0 && (attempts[i] as number) > (attempts[i - 1] as number));
    this.#plot.setData([series.units, gaps(hard), gaps(soft)] as uPlot.AlignedData);
    write(this.#soft, share(series.last("softError")));
    write(this.#hard, share(series.last("hardError")));
  }
}

function share(error: number): string {
  return Number.isFinite(error) ? `${(100 * error).toFixed(error < 0.0995 ? 2 : 1)}%` : "–";
}

/** A dashed line from top to bottom wherever it began anew. */
function lines(plot: uPlot, begun: number[]): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colour("--ink-3");
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const unit of begun) {
    const x = Math.round(plot.valToPos(unit, "x", true)) + 0.5;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

function options(width: number, height: number, begun: () => number[]): uPlot.Options {
  const axis = { stroke: () => colour("--ink-3"), font: `11px ${colour("--font")}`, ticks: { show: false } };
  return {
    width,
    height,
    legend: { show: false },
    padding: [8, 8, 0, 0],
    cursor: { show: false },
    scales: {
      x: { time: false, range: (_, low, high) => [low ?? 0, Math.max(high ?? 0, (low ?? 0) + 5)] },
      y: {
        distr: 4,
        asinh: EVEN_BELOW,
        range: (_, __, high) => [0, Math.max(0.1, Number.isFinite(high) ? high : 0.5)],
      },
    },
    axes: [
      { ...axis, grid: { show: false }, size: 22, space: 56 },
      {
        ...axis,
        grid: { stroke: () => colour("--line"), width: 1 },
        size: 38,
        splits: () => MARKS,
        filter: (plot, marks) => marks.map((mark) => (mark <= (plot.scales["y"]?.max ?? 1) ? mark : null)),
        values: (_, marks) => marks.map((mark) => (mark === null ? "" : `${Math.round(100 * mark)}%`)),
      },
    ],
    hooks: { draw: [(plot) => lines(plot, begun())] },
    bands: [{ series: [1, 2], fill: () => colour("--worse-soft") }],
    series: [
      {},
      { stroke: () => colour("--worse"), width: 1.5, points: { show: false } },
      { stroke: () => colour("--learn"), width: 2, points: { show: false } },
    ],
  };
}

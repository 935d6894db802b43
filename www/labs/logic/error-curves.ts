// The discretisation gap: the soft error, with mixtures of gates, the hard error, with every gate decided, and the area
// between them. Both are means over the visible cells and share an axis that is logarithmic except near zero. Vertical
// lines mark restarts with fresh gates.

import type uPlot from "uplot";
import { el, write } from "../../core/dom";
import { colour } from "../../core/theme";
import { Plot } from "../../ui/plot";
import { formatInteger } from "../../core/format";
import { withGaps, type Series } from "../../core/series";
import type { LogicView } from "../../generated/protocol";

const REDRAW_SECONDS = 0.2;
/** The axis is linear below this value and logarithmic above. */
const EVEN_BELOW = 0.003;
const MARKS = [0, 0.01, 0.03, 0.1, 0.3, 1];

export class ErrorCurves {
  readonly element: HTMLElement;
  #soft = el("span", { class: "num" });
  #hard = el("span", { class: "num" });
  #again = el("p", { class: "remark num", hidden: true });
  #restarts: number[] = [];
  #plot = new Plot({
    class: "logic-errors-box",
    yScale: {
      distr: 4,
      asinh: EVEN_BELOW,
      range: (_, __, high) => [0, Math.max(0.1, Number.isFinite(high) ? high : 0.5)],
    },
    yAxis: {
      size: 38,
      splits: () => MARKS,
      filter: (plot, marks) => marks.map((mark) => (mark <= (plot.scales["y"]?.max ?? 1) ? mark : null)),
      values: (_, marks: (number | null)[]) => marks.map((mark) => (mark === null ? "" : `${Math.round(100 * mark)}%`)),
    },
    bands: [{ series: [1, 2], fill: () => colour("--worse-soft") }],
    series: [
      { stroke: () => colour("--worse"), width: 1.5, points: { show: false } },
      { stroke: () => colour("--learn"), width: 2, points: { show: false } },
    ],
    hooks: { draw: [(plot) => lines(plot, this.#restarts)] },
  });
  #rest = 0;
  #rows = -1;

  constructor() {
    const key = (name: string, text: string, value: HTMLElement) =>
      el("span", { class: `line-key ${name}` }, text, value);
    this.element = el(
      "figure",
      { class: "logic-errors" },
      el(
        "figcaption",
        { title: "Mean squared error of a visible cell: soft with every gate a mixture, hard with every gate decided" },
        el("span", { text: "The discretisation gap" }),
        el(
          "span",
          { class: "line-keys" },
          key("hard", "hard error ", this.#hard),
          key("soft", "soft error ", this.#soft),
        ),
      ),
      this.#plot.box,
      this.#again,
    );
  }

  destroy(): void {
    this.#plot.destroy();
  }

  draw(series: Series, { attempt, begun }: LogicView, seconds: number): void {
    this.#again.hidden = attempt === 1;
    write(this.#again, `Restarted after epoch ${formatInteger(begun)}: attempt ${formatInteger(attempt)}`);
    this.#rest -= seconds;
    if (this.#rest > 0 || series.units.length === this.#rows) return;
    this.#rest = REDRAW_SECONDS;
    this.#rows = series.units.length;
    const [soft, hard] = [series.column("softError"), series.column("hardError")];
    const attempts = series.column("attempt");
    this.#restarts = series.units.filter((_, i) => i > 0 && (attempts[i] as number) > (attempts[i - 1] as number));
    this.#plot.setData([series.units, withGaps(hard), withGaps(soft)] as uPlot.AlignedData);
    write(this.#soft, share(series.last("softError")));
    write(this.#hard, share(series.last("hardError")));
  }
}

function share(error: number): string {
  return Number.isFinite(error) ? `${(100 * error).toFixed(error < 0.0995 ? 2 : 1)}%` : "–";
}

/** A dashed vertical line at each restart. */
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

// The curves of other runs over a chart, and their legend. Each has a colour and dashes of its own, so that they can be
// told apart without colours too.

import type uPlot from "uplot";
import { el, svg } from "../core/dom";
import type { Overlay, Overlays } from "../core/overlays";
import { colour } from "../core/theme";
import { icon } from "./icons";

/** The style of each overlay: a custom property of the palette, and the lengths of dashes and gaps. */
const STYLES: { stroke: string; dash: number[] }[] = [
  { stroke: "--other-1", dash: [] },
  { stroke: "--other-2", dash: [7, 4] },
  { stroke: "--other-3", dash: [2, 3] },
];

const styleOf = ({ style }: Overlay) => STYLES[style % STYLES.length] as { stroke: string; dash: number[] };

/** Draws curves of other runs over a plot, in bitmap pixels. */
export function drawOverlays(plot: uPlot, overlays: Overlay[]): void {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio || 1;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.lineWidth = 2 * scale;
  ctx.lineJoin = "round";
  for (const overlay of overlays) {
    const { stroke, dash } = styleOf(overlay);
    const { units, values } = overlay.curve;
    ctx.strokeStyle = ctx.fillStyle = colour(stroke);
    ctx.setLineDash(dash.map((length) => length * scale));
    ctx.beginPath();
    units.forEach((unit, i) =>
      ctx.lineTo(plot.valToPos(unit, "x", true), plot.valToPos(values[i] as number, "y", true)),
    );
    ctx.stroke();
  }
  ctx.restore();
}

/** The names of the curves over the chart, each with a button that takes it away. */
export class OverlayLegend {
  readonly element = el("ul", { class: "overlay-legend", "aria-label": "Other runs in the chart", hidden: true });

  constructor(readonly overlays: Overlays) {
    overlays.on("changed", () => this.#draw());
    this.#draw();
  }

  #draw(): void {
    const { list } = this.overlays;
    this.element.hidden = list.length === 0;
    this.element.replaceChildren(...list.map((overlay) => this.#item(overlay)));
  }

  #item(overlay: Overlay): HTMLElement {
    const { stroke, dash } = styleOf(overlay);
    const line = svg("path", { d: "M1 5H23", stroke: `var(${stroke})`, "stroke-dasharray": dash.join(" ") });
    const close = el("button", {
      type: "button",
      class: "notice-close",
      "aria-label": `Take ${overlay.title} off the chart`,
      on: { click: () => this.overlays.remove(overlay.id) },
    });
    close.append(icon("close"));
    const key = svg("svg", { viewBox: "0 0 24 10", class: "overlay-key", "aria-hidden": "true" }, line);
    return el("li", {}, key, el("span", { text: overlay.title }), close);
  }
}

// The equity of the game turn by turn, for the lower side.

import { el, listen, svg, write } from "../../core/dom";
import { formatPoints } from "./wording";

const WIDTH = 320;
const HEIGHT = 84;
/** The smallest extent of the axes, in turns and points. */
const TURNS = 30;
const MOST = 1;

export class EquityCurve {
  readonly element: HTMLElement;
  #line = svg("path", { class: "curve-line" });
  #above = svg("path", { class: "curve-area won" });
  #below = svg("path", { class: "curve-area lost" });
  #now = svg("line", { class: "curve-at", y1: 0, y2: HEIGHT });
  #top = el("span", { class: "num" });
  #bottom = el("span", { class: "num" });
  #svg: SVGSVGElement;
  #key = "";
  #turns = 0;

  constructor(readonly review: (turn: number) => void) {
    this.#svg = svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", class: "curve", "aria-hidden": "true" },
      svg("line", { class: "curve-zero", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      this.#above,
      this.#below,
      this.#line,
      this.#now,
    );
    listen(this.#svg, {
      click: (event) => {
        const { left, width } = this.#svg.getBoundingClientRect();
        const turn = Math.round(((event.clientX - left) / width) * Math.max(TURNS, this.#turns));
        if (turn < this.#turns) this.review(turn);
      },
    });
    this.element = el(
      "figure",
      { class: "equity" },
      el("figcaption", {}, el("span", { text: "Equity over the game" })),
      el("div", { class: "equity-box" }, el("div", { class: "equity-y" }, this.#top, this.#bottom), this.#svg),
    );
  }

  draw(equities: ArrayLike<number>, reviewed: number | null): void {
    const turns = equities.length - 1;
    const key = `${turns} ${equities[turns]} ${equities[0]} ${reviewed}`;
    if (key === this.#key) return;
    this.#key = key;
    this.#turns = turns;
    let most = MOST;
    for (let i = 0; i <= turns; i++) most = Math.max(most, Math.abs(equities[i] ?? 0));
    most = Math.min(3, Math.ceil(most));
    write(this.#top, formatPoints(most, 0));
    write(this.#bottom, formatPoints(-most, 0));
    const x = (turn: number) => (turn / Math.max(TURNS, turns)) * WIDTH;
    const y = (value: number) => HEIGHT / 2 - (Math.max(-most, Math.min(most, value)) / most) * (HEIGHT / 2 - 3);
    const coordinates = (bound: (value: number) => number) =>
      Array.from({ length: turns + 1 }, (_, i) => `${x(i).toFixed(1)} ${y(bound(equities[i] ?? 0)).toFixed(1)}`);
    this.#line.setAttribute("d", turns > 0 ? `M${coordinates((v) => v).join("L")}` : "");
    const area = (bound: (value: number) => number) =>
      turns > 0 ? `M0 ${HEIGHT / 2}L${coordinates(bound).join("L")}L${x(turns).toFixed(1)} ${HEIGHT / 2}Z` : "";
    this.#above.setAttribute(
      "d",
      area((v) => Math.max(0, v)),
    );
    this.#below.setAttribute(
      "d",
      area((v) => Math.min(0, v)),
    );
    const at = x(reviewed ?? Math.max(0, turns)).toFixed(1);
    this.#now.setAttribute("x1", at);
    this.#now.setAttribute("x2", at);
  }
}

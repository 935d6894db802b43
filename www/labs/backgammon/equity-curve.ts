// The curve of the game's equity, turn by turn. Equity is the expected result in points per game, here for south, the
// lower side. A click on the curve shows the board before that turn (a review).

import { el, listen, svg, write } from "../../core/dom";
import type { BackgammonPlayers } from "../../generated/protocol";
import { term } from "../../ui/term";
import { SOUTH } from "./position";
import { describeLead, formatPoints, lower, playerName } from "./wording";

/** Size of the drawing, in SVG units. */
const WIDTH = 320;
const HEIGHT = 84;
/** Space above and below the curve, so that its line is not cut off. */
const PADDING = 3;
/** The x axis covers at least this many turns. */
const MIN_TURNS = 30;
/** The y axis covers plus and minus this many points: a single game at least, a backgammon (a triple win) at most. */
const [MIN_POINTS, MAX_POINTS] = [1, 3];

export class EquityCurve {
  readonly element: HTMLElement;
  #line = svg("path", { class: "curve-line" });
  #gainArea = svg("path", { class: "curve-area won" });
  #lossArea = svg("path", { class: "curve-area lost" });
  #cursor = svg("line", { class: "curve-at", y1: 0, y2: HEIGHT });
  #top = el("span", { class: "num" });
  #bottom = el("span", { class: "num" });
  /** Whose equity it is. */
  #whose = el("span", {});
  /** Who leads where the curve is high. */
  #side = el("span", { class: "quiet" });
  #svg: SVGSVGElement;
  /** Identifies the curve that is drawn. */
  #drawnKey = "";
  /** Turns played so far. */
  #turns = 0;

  /** `review` shows the board before a turn, counted from 0. */
  constructor(readonly review: (turn: number) => void) {
    this.#svg = svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", class: "curve", "aria-hidden": "true" },
      svg("line", { class: "curve-zero", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      this.#gainArea,
      this.#lossArea,
      this.#line,
      this.#cursor,
    );
    listen(this.#svg, {
      click: (event) => {
        const { left, width } = this.#svg.getBoundingClientRect();
        const turn = Math.round(((event.clientX - left) / width) * Math.max(MIN_TURNS, this.#turns));
        if (turn < this.#turns) this.review(turn);
      },
    });
    this.element = el(
      "figure",
      { class: "equity" },
      el("figcaption", {}, el("span", {}, term("Equity", "equity"), this.#whose), this.#side),
      el("div", { class: "equity-box" }, el("div", { class: "equity-y" }, this.#top, this.#bottom), this.#svg),
    );
  }

  /** Draws the equities before each turn and now, with a line at the reviewed turn or at the end. */
  draw(players: BackgammonPlayers, equities: ArrayLike<number>, reviewed: number | null): void {
    const [leader] = describeLead(players, 1);
    write(this.#whose, ` for ${lower(playerName(players, SOUTH))} over the game`);
    write(this.#side, `above 0, ${lower(leader).replace(" by", "")}`);
    const turns = equities.length - 1;
    const key = `${turns} ${equities[turns]} ${equities[0]} ${reviewed}`;
    if (key === this.#drawnKey) return;
    this.#drawnKey = key;
    this.#turns = turns;
    let limit = MIN_POINTS;
    for (let i = 0; i <= turns; i++) limit = Math.max(limit, Math.abs(equities[i] ?? 0));
    limit = Math.min(MAX_POINTS, Math.ceil(limit));
    write(this.#top, formatPoints(limit, 0));
    write(this.#bottom, formatPoints(-limit, 0));
    const x = (turn: number) => (turn / Math.max(MIN_TURNS, turns)) * WIDTH;
    const y = (points: number) =>
      HEIGHT / 2 - (Math.max(-limit, Math.min(limit, points)) / limit) * (HEIGHT / 2 - PADDING);
    /** The points of the curve; `bound` limits the equities. */
    const coordinates = (bound: (value: number) => number) =>
      Array.from({ length: turns + 1 }, (_, i) => `${x(i).toFixed(1)} ${y(bound(equities[i] ?? 0)).toFixed(1)}`);
    this.#line.setAttribute("d", turns > 0 ? `M${coordinates((v) => v).join("L")}` : "");
    /** The area between the zero line and the curve, on the side to which `bound` limits it. */
    const area = (bound: (value: number) => number) =>
      turns > 0 ? `M0 ${HEIGHT / 2}L${coordinates(bound).join("L")}L${x(turns).toFixed(1)} ${HEIGHT / 2}Z` : "";
    this.#gainArea.setAttribute(
      "d",
      area((v) => Math.max(0, v)),
    );
    this.#lossArea.setAttribute(
      "d",
      area((v) => Math.min(0, v)),
    );
    const cursor = x(reviewed ?? Math.max(0, turns)).toFixed(1);
    this.#cursor.setAttribute("x1", cursor);
    this.#cursor.setAttribute("x2", cursor);
  }
}

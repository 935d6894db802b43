// A chart of the distances from solved that the network predicts for scrambles of each length. On the diagonal the
// prediction is the number of turns of the scramble. A long scramble has a shorter way back, so the curve of a trained
// network bends below the diagonal.

import { el, svg, write } from "../../../core/dom";
import { formatTenths } from "../../../core/format";

/** The size of the drawing and its margins, in SVG units. On the left and below there is room for the labels. */
const [WIDTH, HEIGHT] = [300, 190];
const [LEFT, BOTTOM] = [26, 32];
const [RIGHT, TOP] = [8, 8];
/**
 * Where both axes end, in turns: the longest scramble for which the lab sends a prediction. A larger prediction is
 * drawn one turn beyond it.
 */
const MAX_TURNS = 30;
const TICKS = [0, 10, 20, 30];
/** The lengths of scrambles whose predictions a screen reader reads out. */
const LENGTHS_READ_OUT = [1, 5, 10, 20, 30];
const NO_DISTANCES = "This learner scores turns and guesses no distances.";

export class PredictionChart {
  readonly element: HTMLElement;
  #line = svg("path", { class: "cube3-guess-line" });
  #svg: SVGSVGElement;
  #text = el("p", { class: "remark" });
  /** The predictions that are drawn now, as a text; null before the first. */
  #drawn: string | null = null;

  constructor() {
    const text = (x: number, y: number, anchor: string, content: string, rotated = "") => {
      const node = svg("text", { x, y, "text-anchor": anchor, class: "cube3-guess-text", transform: rotated });
      node.textContent = content;
      return node;
    };
    const axes = TICKS.flatMap((turns) => [
      svg("line", { class: "cube3-guess-grid", x1: xOf(turns), x2: xOf(turns), y1: yOf(0), y2: yOf(MAX_TURNS) }),
      svg("line", { class: "cube3-guess-grid", x1: xOf(0), x2: xOf(MAX_TURNS), y1: yOf(turns), y2: yOf(turns) }),
      text(xOf(turns), yOf(0) + 13, "middle", String(turns)),
      ...(turns === 0 ? [] : [text(LEFT - 5, yOf(turns) + 4, "end", String(turns))]),
    ]);
    this.#svg = svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "cube3-guess", role: "img" },
      ...axes,
      svg("line", { class: "cube3-guess-diagonal", x1: xOf(0), y1: yOf(0), x2: xOf(MAX_TURNS), y2: yOf(MAX_TURNS) }),
      this.#line,
      text((xOf(0) + xOf(MAX_TURNS)) / 2, HEIGHT - 3, "middle", "turns of the scramble"),
    );
    this.element = el(
      "figure",
      { class: "cube3-guess-figure" },
      el("figcaption", {}, el("span", { text: "Guessed distance by length of scramble" })),
      this.#svg,
      this.#text,
    );
  }

  /**
   * Draws the mean predictions after scrambles of 1 turn, 2 turns and so on. `predictions` is empty if the network
   * predicts no distances.
   */
  draw(predictions: Float32Array): void {
    const drawn = predictions.join(" ");
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    // A network whose weights have diverged predicts no numbers.
    const points = [...predictions].flatMap((turns, i) =>
      Number.isFinite(turns) ? [`${xOf(i + 1).toFixed(1)} ${yOf(turns).toFixed(1)}`] : [],
    );
    this.#line.setAttribute("d", points.length > 0 ? `M${points.join("L")}` : "");
    this.#svg.style.display = predictions.length > 0 ? "" : "none";
    const lengths = LENGTHS_READ_OUT.filter((turns) => turns <= predictions.length);
    const values = lengths.map((turns) => `${turns}: ${formatTenths(predictions[turns - 1] as number)}`);
    this.#svg.setAttribute("aria-label", `Mean guess of the distance, by turns of the scramble. ${values.join(", ")}.`);
    const longest = predictions.at(-1);
    write(
      this.#text,
      longest === undefined
        ? NO_DISTANCES
        : `${predictions.length} random turns look like ${formatTenths(longest)} turns. On the dashed line both are equal.`,
    );
  }
}

function xOf(turns: number): number {
  return LEFT + (turns / MAX_TURNS) * (WIDTH - LEFT - RIGHT);
}

function yOf(turns: number): number {
  const height = HEIGHT - TOP - BOTTOM;
  return TOP + height - (Math.max(-1, Math.min(MAX_TURNS + 1, turns)) / MAX_TURNS) * height;
}

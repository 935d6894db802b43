// A chart of what the network guesses for scrambles of each length: on the diagonal the guess is the number of turns of
// the scramble. A long scramble has a shorter way back, so the curve of a trained network bends below the diagonal.

import { el, svg, write } from "../../../core/dom";
import { formatTenths } from "../../../core/format";

/** The size of the drawing and of its margins on the left and below, in SVG units. */
const [WIDTH, HEIGHT] = [300, 190];
const [LEFT, BOTTOM] = [26, 32];
const [RIGHT, TOP] = [8, 8];
/** Both axes end here, in turns, unless a guess is larger. */
const MOST = 30;
const TICKS = [0, 10, 20, 30];
/** The lengths of scrambles whose guesses are read out. */
const TOLD = [1, 5, 10, 20, 30];
const NONE = "This learner scores turns and guesses no distances.";

export class GuessChart {
  readonly element: HTMLElement;
  #line = svg("path", { class: "cube3-guess-line" });
  #svg: SVGSVGElement;
  #text = el("p", { class: "remark" });
  /** What is drawn now. */
  #drawn = "";

  constructor() {
    const text = (x: number, y: number, anchor: string, content: string, rotated = "") => {
      const node = svg("text", { x, y, "text-anchor": anchor, class: "cube3-guess-text", transform: rotated });
      node.textContent = content;
      return node;
    };
    const axes = TICKS.flatMap((turns) => [
      svg("line", { class: "cube3-guess-grid", x1: xOf(turns), x2: xOf(turns), y1: yOf(0), y2: yOf(MOST) }),
      svg("line", { class: "cube3-guess-grid", x1: xOf(0), x2: xOf(MOST), y1: yOf(turns), y2: yOf(turns) }),
      text(xOf(turns), yOf(0) + 13, "middle", String(turns)),
      ...(turns === 0 ? [] : [text(LEFT - 5, yOf(turns) + 4, "end", String(turns))]),
    ]);
    this.#svg = svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "cube3-guess", role: "img" },
      ...axes,
      svg("line", { class: "cube3-guess-diagonal", x1: xOf(0), y1: yOf(0), x2: xOf(MOST), y2: yOf(MOST) }),
      this.#line,
      text((xOf(0) + xOf(MOST)) / 2, HEIGHT - 3, "middle", "turns of the scramble"),
    );
    this.element = el(
      "figure",
      { class: "cube3-guess-figure" },
      el("figcaption", {}, el("span", { text: "Guessed distance by length of scramble" })),
      this.#svg,
      this.#text,
    );
  }

  /** `guesses` are those after scrambles of 1 turn, 2 turns and so on; empty if the network guesses no distances. */
  draw(guesses: Float32Array): void {
    const drawn = guesses.join(" ");
    if (drawn === this.#drawn && this.#text.textContent !== "") return;
    this.#drawn = drawn;
    const points = [...guesses].flatMap((guess, i) =>
      Number.isFinite(guess) ? [`${xOf(i + 1).toFixed(1)} ${yOf(guess).toFixed(1)}`] : [],
    );
    this.#line.setAttribute("d", points.length > 0 ? `M${points.join("L")}` : "");
    this.#svg.style.display = guesses.length > 0 ? "" : "none";
    const told = TOLD.filter((turns) => turns <= guesses.length);
    const values = told.map((turns) => `${turns}: ${formatTenths(guesses[turns - 1] as number)}`);
    this.#svg.setAttribute("aria-label", `Mean guess of the distance, by turns of the scramble. ${values.join(", ")}.`);
    const longest = guesses.at(-1);
    write(
      this.#text,
      longest === undefined
        ? NONE
        : `${guesses.length} random turns look like ${formatTenths(longest)} turns. On the dashed line both are equal.`,
    );
  }
}

function xOf(turns: number): number {
  return LEFT + (turns / MOST) * (WIDTH - LEFT - RIGHT);
}

function yOf(turns: number): number {
  const height = HEIGHT - TOP - BOTTOM;
  return TOP + height - (Math.max(-1, Math.min(MOST + 1, turns)) / MOST) * height;
}

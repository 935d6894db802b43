// The cube lab's evaluation, as one column for each distance from solved (in turns). A column is filled to the fraction
// of all states at its distance that the agent solves. Pressing a column puts a random state at its distance on the
// stage, the cube that the visitor can turn.

import { css, ramp, textOn } from "../../core/colour";
import { el, listen, write } from "../../core/dom";
import { formatCount, formatNumber, formatInteger, formatShare } from "../../core/format";
import { reducedMotion, colour, onTheme } from "../../core/theme";
import { emptyWords } from "./distance-words";

/** Shades of the colour ramp. The weakest ones are left out, because they look like the background. */
const SHADES = 64;
const UNUSED_SHADES = 14;
/**
 * Time constant with which columns approach their heights. A difference below `SETTLED_DIFFERENCE` is closed at once.
 */
const SETTLE_SECONDS = 0.18;
const SETTLED_DIFFERENCE = 0.002;
/** The wave of the celebration: its duration in a column, and the delay from column to column. */
const WAVE_MS = 420;
const WAVE_DELAY_MS = 45;
const NARROW_NO_BREAK_SPACE = "\u202f";
const NO_RESULTS = new Float32Array();

/** The results of the last evaluation. Arrays are indexed by distance from solved; NaN stands for no result. */
export interface DistanceResults {
  /** The fraction of states solved. */
  solvedByDistance: Float32Array;
  /** The mean number of turns beyond the shortest solution. */
  excessByDistance: Float32Array;
  /** The number of states. */
  statesByDistance: Float32Array;
  /** The fraction solved of all evaluated states. */
  solved: number;
  /**
   * The percentage that the run's last test solved; NaN if it was never tested. A saved run keeps this number alone, so the
   * columns are empty after it is opened.
   */
  tested: number;
}

interface Column {
  element: HTMLElement;
  fill: HTMLElement;
  percent: HTMLElement;
  states: HTMLElement;
  /** The fraction as drawn, which approaches the evaluated one. */
  drawn: number;
}

export class SolvedByDistance {
  readonly element: HTMLElement;
  #columns: Column[] = [];
  #list = el("div", { class: "distances", role: "list", "aria-label": "Percentage of states solved at each distance" });
  #text = el("p", { class: "remark num" });
  /** The colours of a column and of the text on it, by the fraction to which it is filled. */
  #shades: { fill: string; text: string }[] = [];
  /** The distance whose column is pointed at or focused. */
  #pointed: number | null = null;
  #results: DistanceResults = {
    solvedByDistance: NO_RESULTS,
    excessByDistance: NO_RESULTS,
    statesByDistance: NO_RESULTS,
    solved: NaN,
    tested: NaN,
  };
  #unsubscribe: () => void;

  /** `chooseDistance` asks for a state at a distance from solved. */
  constructor(readonly chooseDistance: (turns: number) => void) {
    this.element = el("div", { class: "distances-box" }, this.#list, this.#text);
    listen(this.#list, { keydown: (event) => this.#handleKey(event) });
    this.#unsubscribe = onTheme(() => this.#readColours());
    this.#readColours();
  }

  /** Tab reaches one column, arrow keys the others. */
  #handleKey(event: KeyboardEvent): void {
    const current = this.#columns.findIndex(({ element }) => element === event.target);
    if (current < 0) return;
    if (event.key === "Enter") return this.chooseDistance(current); // columns are in the order of their distance
    const last = this.#columns.length - 1;
    const next = {
      ArrowLeft: Math.max(0, current - 1),
      ArrowUp: Math.max(0, current - 1),
      ArrowRight: Math.min(last, current + 1),
      ArrowDown: Math.min(last, current + 1),
      Home: 0,
      End: last,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.#columns.forEach(({ element }, i) => (element.tabIndex = i === next ? 0 : -1));
    this.#columns[next]?.element.focus();
  }

  destroy(): void {
    this.#unsubscribe();
  }

  #readColours(): void {
    const stops = [0, 1, 2, 3].map((i) => colour(`--ramp-${i}`));
    this.#shades = ramp(stops, SHADES + UNUSED_SHADES)
      .slice(UNUSED_SHADES)
      .map((rgb) => ({ fill: css(rgb), text: css(textOn(rgb)) }));
    for (const column of this.#columns) this.#fill(column);
  }

  #shade(fraction: number): { fill: string; text: string } | undefined {
    return this.#shades[Math.max(0, Math.min(SHADES - 1, Math.round(fraction * (SHADES - 1))))];
  }

  /** Creates the columns. */
  #build(n: number): void {
    this.#columns = Array.from({ length: n }, (_, distance) => {
      const [fill, percent] = [el("span", { class: "distance-fill" }), el("span", { class: "distance-percent num" })];
      const states = el("span", { class: "distance-count num" });
      const element = el(
        "div",
        {
          class: "distance",
          role: "listitem",
          tabindex: distance === 0 ? 0 : -1,
          title: "Click to get a cube at this distance",
        },
        el("span", { class: "distance-turns num", text: String(distance) }),
        el("span", { class: "distance-well" }, fill, percent),
        states,
      );
      const point = (pointed: number | null) => () => {
        this.#pointed = pointed;
        this.#updateText();
      };
      listen(element, {
        click: () => this.chooseDistance(distance),
        pointerenter: point(distance),
        focus: point(distance),
        pointerleave: point(null),
        blur: point(null),
      });
      return { element, fill, percent, states, drawn: 0 };
    });
    const head = el(
      "div",
      { class: "distance distance-head", "aria-hidden": "true" },
      el("span", { class: "distance-turns", text: "turns" }),
      el("span", { class: "distance-well", text: "% solved" }),
      el("span", { class: "distance-count", text: "states" }),
    );
    this.#list.replaceChildren(head, ...this.#columns.map(({ element }) => element));
  }

  /** Empties the columns, for a new run. */
  reset(): void {
    for (const column of this.#columns) {
      column.drawn = 0;
      this.#fill(column);
    }
  }

  /** Draws the results and marks the column at the stage's distance from solved. `seconds` have passed since the last call. */
  draw(results: DistanceResults, stageDistance: number, seconds: number): void {
    const { solvedByDistance, excessByDistance, statesByDistance } = results;
    const previous = this.#results;
    const hasChanged =
      !equal(solvedByDistance, previous.solvedByDistance) ||
      !equal(excessByDistance, previous.excessByDistance) ||
      !Object.is(results.tested, previous.tested);
    this.#results = results;
    if (this.#columns.length !== statesByDistance.length) this.#build(statesByDistance.length);
    const rate = reducedMotion() ? 1 : 1 - Math.exp(-seconds / SETTLE_SECONDS);
    this.#columns.forEach((column, distance) => {
      const solved = solvedByDistance[distance] as number;
      const target = solved || 0; // NaN where nothing was evaluated: the column is empty
      column.element.classList.toggle("here", distance === stageDistance);
      if (target !== column.drawn) {
        const remaining = target - column.drawn;
        column.drawn = Math.abs(remaining) < SETTLED_DIFFERENCE ? target : column.drawn + remaining * rate;
        this.#fill(column);
      }
      if (!hasChanged) return;
      write(column.percent, formatShare(solved).replace("%", "")); // the heading has the sign
      write(column.states, compactCount(statesByDistance[distance] as number));
      column.element.setAttribute("aria-label", this.#describe(distance));
    });
    if (hasChanged) this.#updateText();
  }

  #fill({ fill, percent, drawn }: Column): void {
    const shade = this.#shade(drawn);
    fill.style.setProperty("--share", drawn.toFixed(4));
    fill.style.background = shade?.fill ?? "";
    percent.style.color = shade?.text ?? "";
  }

  /** The result for one distance in a sentence. */
  #describe(distance: number): string {
    const { solvedByDistance, excessByDistance, statesByDistance } = this.#results;
    if (distance === 0) return "The solved cube itself";
    const count = statesByDistance[distance] as number;
    const [solved, excess] = [solvedByDistance[distance] as number, excessByDistance[distance] as number];
    const states = `${formatCount(count, "state")} ${formatCount(distance, "turn")} from solved`;
    if (!Number.isFinite(solved)) return `${states}, not evaluated`;
    const extraTurns = Number.isFinite(excess) ? `, with ${excess.toFixed(2)} extra turns on average` : "";
    return `${states}: the agent solves ${countOrPercent(solved, count)}${extraTurns}`;
  }

  /** Writes the result for the column that is pointed at, or for all states. */
  #updateText(): void {
    const { statesByDistance, solvedByDistance, solved, tested } = this.#results;
    if (this.#pointed !== null && this.#pointed < statesByDistance.length)
      return write(this.#text, this.#describe(this.#pointed));
    if (!Number.isFinite(solved)) return write(this.#text, emptyWords(tested));
    const evaluated = statesByDistance.filter((_, distance) => Number.isFinite(solvedByDistance[distance]));
    const states = formatInteger(evaluated.reduce((a, b) => a + b, 0));
    // An evaluation covers all distances from 0 up to a limit.
    const within = evaluated.length < statesByDistance.length ? ` within ${evaluated.length - 1} turns` : "";
    write(this.#text, `All ${states} states${within}: the agent solves ${formatNumber(100 * solved, 4, "%")}%`);
  }

  /** Lets a wave run over the columns once. */
  celebrate(): void {
    if (reducedMotion()) return;
    this.#columns.forEach(({ element }, i) => {
      const frames = [{ transform: "none" }, { transform: "translateY(-6px)" }, { transform: "none" }];
      element.animate(frames, { duration: WAVE_MS, delay: i * WAVE_DELAY_MS, easing: "ease-in-out" });
    });
  }
}

/** Whether two arrays have the same values, counting NaN as equal to itself. */
function equal(a: Float32Array, b: Float32Array): boolean {
  return a.length === b.length && a.every((n, i) => Object.is(n, b[i]));
}

/** A number of states for a narrow column. */
function compactCount(n: number): string {
  if (n < 1e3) return String(n);
  // From 999,500 on `1000 k` would be shown instead of `1.0 M`, and from 9.95 on `10.0` instead of `10`.
  const [size, letter] = n < 999_500 ? [n / 1e3, "k"] : [n / 1e6, "M"];
  return size.toFixed(size < 9.95 ? 1 : 0) + NARROW_NO_BREAK_SPACE + letter;
}

/** A fraction of `total` states: as a count if they are few, otherwise as a percentage. */
function countOrPercent(fraction: number, total: number): string {
  if (total < 1000) return `${formatInteger(Math.round(fraction * total))} of them`;
  const decimals = fraction > 0.999 ? 3 : 1; // near 100% the last few states must still show
  return formatShare(fraction, decimals);
}

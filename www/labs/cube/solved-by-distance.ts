// The fraction of all states at each distance from solved that the learner solves, as one column for each distance.

import { css, ramp } from "../../core/colour";
import { el, listen, write } from "../../core/dom";
import { formatCompact, formatCount, formatNumber, formatInteger } from "../../core/format";
import { reducedMotion, colour, onTheme } from "../../core/theme";

const SHADES = 64;
const SETTLE_SECONDS = 0.18;
/** Milliseconds from column to column of a wave. */
const WAVE_STEP_MS = 45;
const NONE = new Float32Array();

/**
 * For each distance: the fraction solved, the average number of turns above the minimum, and the number of states.
 * `solved` is the fraction of all states.
 */
export interface DistanceFigures {
  solvedByDistance: Float32Array;
  excessByDistance: Float32Array;
  statesByDistance: Float32Array;
  solved: number;
}

interface Column {
  element: HTMLElement;
  fill: HTMLElement;
  share: HTMLElement;
  count: HTMLElement;
  /** The fraction as drawn, which approaches the true one. */
  drawn: number;
}

export class SolvedByDistance {
  readonly element: HTMLElement;
  #columns: Column[] = [];
  #list = el("div", { class: "distances", role: "list", "aria-label": "Share of states solved at each distance" });
  #text = el("p", { class: "remark num" });
  #shades: string[] = [];
  #pointed: number | null = null;
  #facts: DistanceFigures = { solvedByDistance: NONE, excessByDistance: NONE, statesByDistance: NONE, solved: NaN };
  #unsubscribe: () => void;

  /** `chooseDistance` asks for a state at a distance from solved. */
  constructor(readonly chooseDistance: (turns: number) => void) {
    this.element = el("div", { class: "distances-box" }, this.#list, this.#text);
    listen(this.#list, { keydown: (event) => this.#key(event) });
    this.#unsubscribe = onTheme(() => this.#paint());
    this.#paint();
  }

  /** Tab reaches one column, arrow keys the others. */
  #key(event: KeyboardEvent): void {
    const now = this.#columns.findIndex(({ element }) => element === event.target);
    if (now >= 0 && event.key === "Enter") return this.chooseDistance(now);
    const last = this.#columns.length - 1;
    const to = {
      ArrowLeft: Math.max(0, now - 1),
      ArrowUp: Math.max(0, now - 1),
      ArrowRight: Math.min(last, now + 1),
      ArrowDown: Math.min(last, now + 1),
      Home: 0,
      End: last,
    }[event.key];
    if (now < 0 || to === undefined) return;
    event.preventDefault();
    this.#columns.forEach(({ element }, i) => (element.tabIndex = i === to ? 0 : -1));
    this.#columns[to]?.element.focus();
  }

  destroy(): void {
    this.#unsubscribe();
  }

  #paint(): void {
    const stops = [0, 1, 2, 3].map((i) => colour(`--ramp-${i}`));
    this.#shades = ramp(stops, SHADES + 14)
      .slice(14)
      .map((rgb) => css(rgb));
    for (const column of this.#columns) this.#fill(column);
  }

  #shade(share: number): string {
    return this.#shades[Math.max(0, Math.min(SHADES - 1, Math.round(share * (SHADES - 1))))] as string;
  }

  #build(n: number): void {
    this.#columns = Array.from({ length: n }, (_, d) => {
      const [fill, share] = [el("span", { class: "distance-fill" }), el("span", { class: "distance-percent num" })];
      const states = el("span", { class: "distance-count num" });
      const element = el(
        "div",
        { class: "distance", role: "listitem", tabindex: d === 0 ? 0 : -1, title: "Press to get such a cube" },
        el("span", { class: "distance-turns num", text: String(d) }),
        el("span", { class: "distance-well" }, fill, share),
        states,
      );
      const point = (to: number | null) => () => {
        this.#pointed = to;
        this.#updateText();
      };
      listen(element, {
        click: () => this.chooseDistance(d),
        pointerenter: point(d),
        focus: point(d),
        pointerleave: point(null),
        blur: point(null),
      });
      return { element, fill, share, count: states, drawn: 0 };
    });
    const names = ["turns", "well", "count"].map((part, i) =>
      el("span", { class: `distance-${part}`, text: ["turns", "% solved", "states"][i] }),
    );
    const head = el("div", { class: "distance distance-head", "aria-hidden": "true" }, ...names);
    this.#list.replaceChildren(head, ...this.#columns.map(({ element }) => element));
  }

  /** A new run: nothing is known yet. */
  reset(): void {
    for (const column of this.#columns) {
      column.drawn = 0;
      this.#fill(column);
    }
  }

  draw(facts: DistanceFigures, distance: number, seconds: number): void {
    const { solvedByDistance: shares, excessByDistance: excesses, statesByDistance: counts } = facts;
    const last = this.#facts;
    const news = !equal(shares, last.solvedByDistance) || !equal(excesses, last.excessByDistance);
    this.#facts = facts;
    if (this.#columns.length !== counts.length) this.#build(counts.length);
    const settled = reducedMotion() ? 1 : 1 - Math.exp(-seconds / SETTLE_SECONDS);
    this.#columns.forEach((column, d) => {
      const to = (shares[d] as number) || 0;
      const before = column.drawn;
      column.element.classList.toggle("here", d === distance);
      if (to !== before) {
        column.drawn = Math.abs(to - before) < 0.002 ? to : before + (to - before) * settled;
        this.#fill(column);
      }
      if (!news) return;
      write(column.share, Number.isFinite(shares[d]) ? percent(shares[d] as number) : "–");
      write(column.count, short(counts[d] as number));
      column.element.setAttribute("aria-label", this.#describe(d));
    });
    if (news) this.#updateText();
  }

  #fill({ element, fill, drawn }: Column): void {
    fill.style.setProperty("--share", drawn.toFixed(4));
    fill.style.background = this.#shade(drawn);
    element.classList.toggle("deep", drawn > 0.55);
  }

  #describe(d: number): string {
    const { solvedByDistance: shares, excessByDistance: excesses, statesByDistance: counts } = this.#facts;
    const [share, excess] = [shares[d] as number, excesses[d] as number];
    const states = `${formatCount(counts[d] as number, "state")} ${formatCount(d, "turn")} from solved`;
    if (d === 0) return "The solved cube itself";
    if (!Number.isFinite(share)) return `${states}, not evaluated`;
    const more = Number.isFinite(excess) ? `, with ${excess.toFixed(2)} extra turns on average` : "";
    return `${states}: it solves ${exact(share, counts[d] as number)}${more}`;
  }

  #updateText(): void {
    const { statesByDistance: counts, solvedByDistance: shares, solved } = this.#facts;
    if (this.#pointed !== null && this.#pointed < counts.length)
      return write(this.#text, this.#describe(this.#pointed));
    if (!Number.isFinite(solved)) return write(this.#text, "Not evaluated yet");
    const evaluated = counts.filter((_, d) => Number.isFinite(shares[d]));
    const states = formatInteger(evaluated.reduce((a, b) => a + b, 0));
    const near = evaluated.length < counts.length ? ` within ${evaluated.length - 1} turns` : "";
    write(this.#text, `All ${states} states${near}: it solves ${formatNumber(100 * solved, 4, "%")}%`);
  }

  /** A wave runs over the columns once. */
  celebrate(): void {
    if (reducedMotion()) return;
    this.#columns.forEach(({ element }, d) => {
      const frames = [{ transform: "none" }, { transform: "translateY(-6px)" }, { transform: "none" }];
      element.animate(frames, { duration: 420, delay: d * WAVE_STEP_MS, easing: "ease-in-out" });
    });
  }
}

function equal(a: Float32Array, b: Float32Array): boolean {
  return a.length === b.length && a.every((n, i) => Object.is(n, b[i]));
}

/** A number of states in a narrow column. */
function short(n: number): string {
  return n < 1000 ? String(n) : formatCompact(n).replace(" ", "\u202f");
}

/** Whole percent. 100 and 0 are shown only if they are exact. */
function percent(share: number): string {
  if (share === 1) return "100";
  return share === 0 ? "0" : String(Math.max(1, Math.min(99, Math.round(100 * share))));
}

/** A count for few states, a percentage for many. */
function exact(share: number, of: number): string {
  return of < 1000
    ? `${formatInteger(Math.round(share * of))} of them`
    : `${(100 * share).toFixed(share > 0.999 ? 3 : 1)}%`;
}

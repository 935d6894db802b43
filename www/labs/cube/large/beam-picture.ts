// The beam of a search as a picture: one column for each depth, as high as the number of states that are kept there, in
// a colour that tells how close to solved the best of them is by the network's guess.

import { ResponsiveCanvas } from "../../../core/canvas";
import { css, ramp } from "../../../core/colour";
import { el, write } from "../../../core/dom";
import { floats } from "../../../core/floats";
import { colour } from "../../../core/theme";
import type { CubeLargeStage } from "../../../generated/protocol";
import { describeLayer } from "./wording";

/** Shades of the ramp. The weakest ones are left out, because they look like the background. */
const SHADES = 64;
const UNUSED_SHADES = 14;
/** The picture has room for this many depths; it gets narrower columns if a search is deeper. */
const MIN_DEPTHS = 26;
/** A guess of this many turns or more has the weakest colour. */
const FAR = 16;
/** In CSS pixels: the space between columns, the least height of a column, and the height of the axis below them. */
const GAP = 2;
const MIN_HEIGHT = 2;
const AXIS = 18;
/** Every so many depths have a number. */
const TICK = 5;
const BEFORE = "No search yet. A search keeps the most promising states at each depth: its beam.";

export class BeamPicture {
  readonly element: HTMLElement;
  #canvas = new ResponsiveCanvas({
    class: "cube3-beam",
    resized: () => this.#paint(),
    recoloured: () => {
      this.#readColours();
      this.#paint();
    },
  });
  #text = el("p", { class: "remark num", text: BEFORE });
  #legend = el(
    "p",
    { class: "legend", "aria-hidden": "true" },
    el("span", { text: "far from solved" }),
    el("span", { class: "legend-bar short" }),
    el("span", { text: "close" }),
  );
  #shades: string[] = [];
  #ink = { text: "", line: "" };
  /** States kept at each depth from 1 on, and the best guess among them. */
  #states = new Float32Array();
  #best = new Float32Array();
  #width = 0;
  /** Whether scores are guesses of distances. */
  #guesses = true;
  /** What is painted now. */
  #painted = "";

  constructor() {
    this.element = el(
      "figure",
      { class: "cube3-beam-figure" },
      el("figcaption", {}, el("span", { text: "The beam: states kept at each depth" })),
      this.#canvas.element,
      this.#legend,
      this.#text,
    );
    this.#readColours();
  }

  /** `guesses` is false if the network scores turns and guesses no distances. */
  draw({ beamStates, beamBest, width }: CubeLargeStage, guesses: boolean): void {
    // The first layer is the state in which a search begins. Until it has a second one, the search before is shown.
    const [states, best] = [floats(beamStates), floats(beamBest)];
    if (states.length === 1 && this.#states.length > 0) return;
    this.#states = states.slice(1);
    this.#best = best.slice(1);
    this.#width = width;
    this.#guesses = guesses;
    const depth = this.#states.length;
    const key = `${depth} ${width} ${this.#states.at(-1)} ${this.#best.at(-1)} ${this.#best[0]} ${guesses}`;
    if (key === this.#painted) return;
    this.#painted = key;
    this.#legend.classList.toggle("unseen", !guesses);
    const guess = guesses ? (this.#best.at(-1) as number) : null;
    write(this.#text, depth === 0 ? BEFORE : describeLayer(depth, this.#states.at(-1) as number, width, guess));
    this.#paint();
  }

  #readColours(): void {
    const stops = [0, 1, 2, 3].map((i) => colour(`--ramp-${i}`));
    this.#shades = ramp(stops, SHADES + UNUSED_SHADES)
      .slice(UNUSED_SHADES)
      .map((rgb) => css(rgb));
    this.#ink = { text: colour("--ink-3"), line: colour("--line-strong") };
  }

  /** The colour for a guess of the distance. */
  #shade(guess: number): string {
    const closeness = this.#guesses ? 1 - Math.max(0, Math.min(1, guess / FAR)) : 0.5;
    return this.#shades[Math.round((closeness || 0) * (SHADES - 1))] as string;
  }

  #paint(): void {
    const { width, height } = this.#canvas;
    const context = this.#canvas.clear();
    const depths = Math.max(MIN_DEPTHS, this.#states.length);
    const pitch = (width + GAP) / depths;
    const base = height - AXIS;
    this.#states.forEach((states, i) => {
      const column = Math.max(MIN_HEIGHT, (states / Math.max(1, this.#width)) * base);
      context.fillStyle = this.#shade(this.#best[i] as number);
      context.fillRect(i * pitch, base - column, Math.max(1, pitch - GAP), column);
    });
    context.fillStyle = this.#ink.line;
    context.fillRect(0, base, width, 1);
    context.fillStyle = this.#ink.text;
    context.font = `11px ${getComputedStyle(this.#canvas.element).fontFamily}`;
    context.textAlign = "center";
    for (let depth = TICK; depth <= depths; depth += TICK) {
      context.fillText(String(depth), (depth - 0.5) * pitch - GAP / 2, height - 4);
    }
  }

  destroy(): void {
    this.#canvas.destroy();
  }
}

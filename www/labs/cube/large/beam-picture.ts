// The beam of a search as a picture: one column for each depth, as high as the number of states that are kept there.
// The colour shows the network's predicted distance from solved of the best state of that depth.

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
/** A predicted distance of this many turns or more has the weakest colour. */
const WEAKEST_COLOUR_TURNS = 16;
/** The closeness that is drawn for all states if the network predicts no distances. */
const NEUTRAL_CLOSENESS = 0.5;
/** In CSS pixels: the space between columns, the least height of a column, and the height of the axis below them. */
const GAP = 2;
const MIN_HEIGHT = 2;
const AXIS_HEIGHT = 18;
/** The baseline of the axis's numbers lies this far above the lower edge, in CSS pixels. */
const NUMBER_MARGIN = 4;
/** The axis has a number at every multiple of this depth. */
const TICK_DEPTHS = 5;
const NO_SEARCH_YET = "No search yet. A search keeps the most promising states at each depth: its beam.";

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
  #text = el("p", { class: "remark num", text: NO_SEARCH_YET });
  #legend = el(
    "p",
    { class: "legend", "aria-hidden": "true" },
    el("span", { text: "far from solved" }),
    el("span", { class: "legend-bar short" }),
    el("span", { text: "close" }),
  );
  #shades: string[] = [];
  #ink = { text: "", line: "" };
  /** The number of states kept at each depth from 1 on, and the score of the best of them. */
  #states = new Float32Array();
  #best = new Float32Array();
  #width = 0;
  /** Whether scores are predicted distances from solved, in turns. */
  #predictsDistance = true;
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

  /** `predictsDistance` is false if the network scores turns instead of predicting distances. */
  draw({ beamStates, beamBest, width }: CubeLargeStage, predictsDistance: boolean): void {
    // The first layer is the state in which a search begins. Until it has a second one, the search before is shown.
    const [states, best] = [floats(beamStates), floats(beamBest)];
    if (states.length === 1 && this.#states.length > 0) return;
    this.#states = states.slice(1);
    this.#best = best.slice(1);
    this.#width = width;
    this.#predictsDistance = predictsDistance;
    const depth = this.#states.length;
    const key = `${depth} ${width} ${this.#states.at(-1)} ${this.#best.at(-1)} ${this.#best[0]} ${predictsDistance}`;
    if (key === this.#painted) return;
    this.#painted = key;
    this.#legend.classList.toggle("unseen", !predictsDistance);
    const prediction = predictsDistance ? (this.#best.at(-1) as number) : null;
    write(
      this.#text,
      depth === 0 ? NO_SEARCH_YET : describeLayer(depth, this.#states.at(-1) as number, width, prediction),
    );
    this.#paint();
  }

  #readColours(): void {
    const stops = [0, 1, 2, 3].map((i) => colour(`--ramp-${i}`));
    this.#shades = ramp(stops, SHADES + UNUSED_SHADES)
      .slice(UNUSED_SHADES)
      .map((rgb) => css(rgb));
    this.#ink = { text: colour("--ink-3"), line: colour("--line-strong") };
  }

  /** The colour for a predicted distance from solved. */
  #shade(turns: number): string {
    const closeness = this.#predictsDistance
      ? 1 - Math.max(0, Math.min(1, turns / WEAKEST_COLOUR_TURNS))
      : NEUTRAL_CLOSENESS;
    return this.#shades[Math.round((closeness || 0) * (SHADES - 1))] as string;
  }

  #paint(): void {
    const { width, height } = this.#canvas;
    const context = this.#canvas.clear();
    const depths = Math.max(MIN_DEPTHS, this.#states.length);
    const pitch = (width + GAP) / depths;
    const base = height - AXIS_HEIGHT;
    this.#states.forEach((states, i) => {
      const columnHeight = Math.max(MIN_HEIGHT, (states / Math.max(1, this.#width)) * base);
      context.fillStyle = this.#shade(this.#best[i] as number);
      context.fillRect(i * pitch, base - columnHeight, Math.max(1, pitch - GAP), columnHeight);
    });
    context.fillStyle = this.#ink.line;
    context.fillRect(0, base, width, 1);
    context.fillStyle = this.#ink.text;
    context.font = `11px ${getComputedStyle(this.#canvas.element).fontFamily}`;
    context.textAlign = "center";
    for (let depth = TICK_DEPTHS; depth <= depths; depth += TICK_DEPTHS) {
      context.fillText(String(depth), (depth - 0.5) * pitch - GAP / 2, height - NUMBER_MARGIN);
    }
  }

  destroy(): void {
    this.#canvas.destroy();
  }
}

// The network's score of each turn of the visible faces, as bars beside the cube. What a score means depends on the
// learner: an expected return, a negative distance from solved, or a logit (see `VALUE_SCALES`). Each bar is a button
// that makes its turn; pointing at it previews the turn.

import { el, listen, write } from "../../core/dom";
import { formatTenths, formatShare } from "../../core/format";
import type { CubeLearner, CubeMetric, CubeSmallView } from "../../generated/protocol";
import { floats } from "../../core/floats";
import { moveOf, nameOf, displayName, moveAfterRotation, type Move } from "./space";
import type { Matrix } from "./vectors";

/** The visible faces, one for each row of bars. */
const FACES = ["U", "R", "F"];
/** Suffixes of the turns of a face in standard notation: clockwise, counterclockwise, half a turn. */
const SUFFIXES: Record<CubeMetric, string[]> = { quarter: ["", "'"], half: ["", "'", "2"] };
/** Time constant with which the bars approach their lengths. */
const SETTLE_SECONDS = 0.07;

/** The direction of a turn in words, by its suffix. */
const DIRECTIONS: Record<string, string> = { "": "clockwise", "'": "counterclockwise", "2": "by half a turn" };
const FACE_NAMES: Record<string, string> = { U: "the upper face", R: "the right face", F: "the front face" };

/** How a learner's scores are shown. */
interface ValueScale {
  title: string;
  help: string;
  /** Lengths of the bars, from 0 to 1. */
  lengths(scores: number[], metric: CubeMetric): number[];
  /** The number beside a bar, from its score and its length. */
  text(score: number, length: number): string;
}

/** The largest distance of any state from solved. */
const MAX_DISTANCE: Record<CubeMetric, number> = { quarter: 14, half: 11 };

/** For learners whose scores are negative distances from solved. */
const DISTANCE_SCALE: ValueScale = {
  title: "The network's guess of turns left (fewer is better)",
  help: "The network's estimate of the distance from solved after each turn. The longest bar is the best turn",
  lengths: (scores, metric) => scores.map((score) => 1 + score / MAX_DISTANCE[metric]),
  text: (score) => formatTenths(Math.abs(score)),
};

/** How the scores of each learner are shown. */
const VALUE_SCALES: Record<CubeLearner, ValueScale> = {
  davi: DISTANCE_SCALE,
  cayleypy: DISTANCE_SCALE,
  dqn: {
    title: "Q value of each turn",
    help: "The return that the network expects from each turn: 1 for solving the cube, minus a cost for every turn",
    // Scores lie between -1 and 1: far from solved, the cost of the turns may exceed the reward.
    lengths: (scores) => scores.map((score) => (1 + score) / 2),
    text: (score) => (Number.isFinite(score) ? score.toFixed(2).replace("-", "−") : "–"),
  },
  efficientcube: {
    title: "Probability of each turn",
    help: "The network's probability that each turn undoes the last turn of the scramble",
    lengths: (scores) => {
      // The scores are logits, and this is their softmax. The maximum is subtracted so that no exponential overflows.
      const max = Math.max(...scores);
      const weights = scores.map((score) => Math.exp(score - max));
      const sum = weights.reduce((a, b) => a + b, 0);
      return weights.map((weight) => weight / sum);
    },
    text: (_, length) => formatShare(length),
  },
};

interface Row {
  button: HTMLButtonElement;
  name: string;
  bar: HTMLElement;
  value: HTMLElement;
  /** The drawn length of the bar, from 0 to 1. */
  length: number;
}

export class TurnValues {
  readonly element: HTMLElement;
  #title = el("p", { class: "turn-values-title" });
  #list = el("div", { class: "turn-values-rows", role: "group" });
  #legend = el("p", { class: "turn-values-key", text: "truly closer to solved. Longer bar: better turn" });
  #metric: CubeMetric | null = null;
  #rows: Row[] = [];

  constructor(
    readonly turn: (move: Move) => void,
    /** Previews a turn on the cube; null ends the preview. */
    readonly preview: (move: Move | null) => void,
  ) {
    this.element = el("div", { class: "turn-values" }, this.#title, this.#list, this.#legend);
  }

  #build(metric: CubeMetric): void {
    this.#metric = metric;
    this.#rows = FACES.flatMap((face) =>
      SUFFIXES[metric].map((suffix) => {
        const name = face + suffix;
        const [bar, value] = [el("span", { class: "turn-value-bar" }), el("span", { class: "turn-value-number num" })];
        const button = el(
          "button",
          { type: "button", class: "turn-value" },
          el("span", { class: "turn-value-name", text: displayName(name) }),
          el("span", { class: "turn-value-track" }, bar),
          value,
        );
        const [start, end] = [() => this.preview(moveOf(name)), () => this.preview(null)];
        const click = () => this.turn(moveOf(name));
        listen(button, { click, pointerenter: start, focus: start, pointerleave: end, blur: end });
        return { button, name, bar, value, length: 0 };
      }),
    );
    this.#list.classList.toggle("three", metric === "half");
    this.#list.replaceChildren(...this.#rows.map(({ button }) => button));
  }

  /** `rotationToLab` leads from the cube's orientation on the screen to its orientation in the lab. */
  draw({ stage, learner, metric }: CubeSmallView, rotationToLab: Matrix, seconds: number): void {
    const scores = floats(stage.scores);
    if (metric !== this.#metric) this.#build(metric);
    const scale = VALUE_SCALES[learner];
    const isSolved = stage.distance === 0;
    write(this.#title, isSolved ? "Solved: every turn leads away from it" : scale.title);
    this.#title.title = isSolved ? "" : scale.help;
    this.#legend.hidden = isSolved;
    const lengths = scale.lengths([...scores], metric);
    const best = scores.indexOf(Math.max(...scores));
    const rate = 1 - Math.exp(-seconds / SETTLE_SECONDS);
    for (const row of this.#rows) {
      // The lab names turns by its own orientation of the cube.
      const i = stage.turns.indexOf(nameOf(moveAfterRotation(moveOf(row.name), rotationToLab)));
      const length = Math.max(0, Math.min(1, lengths[i] as number)) || 0;
      row.length += (length - row.length) * rate;
      row.bar.style.transform = `scaleX(${row.length.toFixed(3)})`;
      row.button.classList.toggle("best", i === best && !isSolved);
      // `after` holds the true distance from solved after each turn.
      const closer = (stage.after[i] as number) < stage.distance;
      row.button.classList.toggle("closer", closer);
      const hint = closer ? ", which leads closer" : "";
      const title = `Turn ${FACE_NAMES[row.name[0] as string]} ${DIRECTIONS[row.name.slice(1)]}${hint}`;
      if (row.button.title !== title) row.button.title = title;
      write(row.value, scale.text(scores[i] as number, lengths[i] as number));
    }
  }
}

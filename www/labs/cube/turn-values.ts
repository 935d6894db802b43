// The learner's value of each turn, as bars. They are buttons that make the turn.

import { el, listen, write } from "../../core/dom";
import { formatTenths } from "../../core/format";
import type { CubeLearner, CubeMetric, CubeView } from "../../generated/protocol";
import { floats } from "../../core/floats";
import { moveOf, nameOf, displayName, moveInFrame, type Move } from "./space";
import type { Matrix } from "./vectors";

/** The visible faces, one for each row. */
const ROWS = ["U", "R", "F"];
const ENDINGS: Record<CubeMetric, string[]> = { quarter: ["", "'"], half: ["", "'", "2"] };
/** Time constant of the bars. */
const SETTLE_SECONDS = 0.07;

const DONE: Record<string, string> = { "": "clockwise", "'": "anticlockwise", "2": "by half a turn" };
const SIDES: Record<string, string> = { U: "the upper face", R: "the right face", F: "the front face" };

interface ValueScale {
  title: string;
  help: string;
  /** Lengths of the bars, from 0 to 1. */
  lengths(scores: number[], metric: CubeMetric): number[];
  text(score: number, length: number): string;
}

const FARTHEST: Record<CubeMetric, number> = { quarter: 14, half: 11 };

const distance: ValueScale = {
  title: "Turns left after each",
  help: "How far from solved the network thinks the cube is after each turn. The longest bar is the best turn",
  lengths: (scores, metric) => scores.map((score) => 1 + score / FARTHEST[metric]),
  text: (score) => formatTenths(Math.abs(score)),
};

const SCALES: Record<CubeLearner, ValueScale> = {
  davi: distance,
  cayleypy: distance,
  dqn: {
    title: "What each turn is worth",
    help: "The return it expects after each turn: 1 for solving, minus the cost of the turns",
    // Far from solved, the cost of the turns may exceed the reward.
    lengths: (scores) => scores.map((score) => (1 + score) / 2),
    text: (score) => (Number.isFinite(score) ? score.toFixed(2).replace("-", "−") : "–"),
  },
  efficientcube: {
    title: "Probability of each turn",
    help: "How likely the network thinks it is that each turn comes next on the way to solved",
    lengths: (scores) => {
      const most = Math.max(...scores);
      const odds = scores.map((score) => Math.exp(score - most));
      const sum = odds.reduce((a, b) => a + b, 0);
      return odds.map((odd) => odd / sum);
    },
    text: (_, length) => (Number.isFinite(length) ? `${Math.round(100 * length)}%` : "–"),
  },
};

interface Row {
  button: HTMLButtonElement;
  name: string;
  bar: HTMLElement;
  value: HTMLElement;
  length: number;
}

export class TurnValues {
  readonly element: HTMLElement;
  #title = el("p", { class: "turn-values-title" });
  #list = el("div", { class: "turn-values-rows", role: "group" });
  #key = el("p", { class: "turn-values-key", text: "really leads closer" });
  #metric: CubeMetric | null = null;
  #rows: Row[] = [];

  constructor(
    readonly turn: (move: Move) => void,
    readonly lean: (move: Move | null) => void,
  ) {
    this.element = el("div", { class: "turn-values" }, this.#title, this.#list, this.#key);
  }

  #build(metric: CubeMetric): void {
    this.#metric = metric;
    this.#rows = ROWS.flatMap((face) =>
      ENDINGS[metric].map((ending) => {
        const name = face + ending;
        const [bar, value] = [el("span", { class: "turn-value-bar" }), el("span", { class: "turn-value-number num" })];
        const button = el(
          "button",
          { type: "button", class: "turn-value" },
          el("span", { class: "turn-value-name", text: displayName(name) }),
          el("span", { class: "turn-value-track" }, bar),
          value,
        );
        const [lean, rest] = [() => this.lean(moveOf(name)), () => this.lean(null)];
        const click = () => this.turn(moveOf(name));
        listen(button, { click, pointerenter: lean, focus: lean, pointerleave: rest, blur: rest });
        return { button, name, bar, value, length: 0 };
      }),
    );
    this.#list.classList.toggle("three", metric === "half");
    this.#list.replaceChildren(...this.#rows.map(({ button }) => button));
  }

  /** `rotation` leads from the screen's orientation to the lab's. */
  draw({ stage, learner, metric }: CubeView, rotation: Matrix, seconds: number): void {
    const scores = floats(stage.scores);
    if (metric !== this.#metric) this.#build(metric);
    const scale = SCALES[learner];
    write(this.#title, scale.title);
    this.#title.title = scale.help;
    const lengths = scale.lengths([...scores], metric);
    const best = scores.indexOf(Math.max(...scores));
    const share = 1 - Math.exp(-seconds / SETTLE_SECONDS);
    for (const row of this.#rows) {
      const i = stage.turns.indexOf(nameOf(moveInFrame(moveOf(row.name), rotation)));
      const length = Math.max(0, Math.min(1, lengths[i] as number)) || 0;
      row.length += (length - row.length) * share;
      row.bar.style.transform = `scaleX(${row.length.toFixed(3)})`;
      row.button.classList.toggle("best", i === best && stage.distance > 0);
      const closer = (stage.after[i] as number) < stage.distance;
      row.button.classList.toggle("closer", closer);
      const about = `Turn ${SIDES[row.name[0] as string]} ${DONE[row.name.slice(1)]}${closer ? ", which leads closer" : ""}`;
      if (row.button.title !== about) row.button.title = about;
      write(row.value, scale.text(scores[i] as number, lengths[i] as number));
    }
  }
}

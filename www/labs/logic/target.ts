// The target picture, and a button to draw another one. The game of life has no target picture. Instead a map shows
// what the hard circuit (every gate of its most likely kind) computes for each of the 512 possible 3×3 neighbourhoods.

import { button, el, write } from "../../core/dom";
import type { Run } from "../../core/run";
import { CellGrid } from "./cell-grid";
import { drawingFor, drawingTask } from "./drawing";
import type { LogicView } from "../../generated/protocol";

/** Each of the nine cells of a neighbourhood is on or off: 2⁹ neighbourhoods. */
const NEIGHBOURHOOD_COUNT = 512;
/** Neighbourhoods in a row of the map. */
const MAP_WIDTH = 16;
/** Bits of an entry of the learned rule: the circuit's result, and whether it is wrong. */
const [RESULT_BIT, WRONG_BIT] = [1, 2];

export class TargetView {
  readonly element: HTMLElement;
  #grid = new CellGrid();
  #title = el("span", {});
  #remark = el("p", { class: "remark num" });
  #drawButton: HTMLButtonElement;
  #view: LogicView | null = null;

  constructor(
    readonly run: Run,
    learn: (planes: string, fromScratch: boolean) => void,
  ) {
    this.#drawButton = button("Draw a target", () => void this.#edit(learn));
    this.element = el(
      "figure",
      { class: "logic-target" },
      el("figcaption", {}, this.#title),
      this.#grid.element,
      this.#remark,
      this.#drawButton,
    );
  }

  destroy(): void {
    this.#grid.destroy();
  }

  /** Opens the editor, which is loaded only now to keep the first visit small. */
  async #edit(learn: (planes: string, fromScratch: boolean) => void): Promise<void> {
    const { TargetEditor } = await import("./target-editor");
    if (!this.#view) return;
    const { lab, settings } = this.run;
    document.body.append(new TargetEditor(drawingFor(this.#view, lab, settings), learn).open());
  }

  /** Draws the target, or the learned rule of the game of life. */
  draw(view: LogicView, seconds: number): void {
    this.#view = view;
    const { experiment, target, size, stage, rule } = view;
    const isLife = target.length === 0;
    this.#drawButton.hidden = isLife;
    this.element.classList.toggle("rule", isLife);
    if (!isLife) {
      write(this.#title, "Target");
      const own = drawingTask(experiment) === experiment ? `drawn by you, learned as a ${experiment}` : "drawn by you";
      write(this.#remark, view.ownTarget ? own : `${size} × ${size} cells`);
      this.#grid.draw({ width: size, height: size, shown: stage.shown, values: target, full: 1 }, {}, seconds);
      return;
    }
    write(this.#title, "All 512 neighbourhoods");
    if (rule.length !== NEIGHBOURHOOD_COUNT) return;
    const results = rule.map((entry) => entry & RESULT_BIT);
    const cells = {
      width: MAP_WIDTH,
      height: NEIGHBOURHOOD_COUNT / MAP_WIDTH,
      shown: 1,
      values: results,
      full: 1,
    };
    /** 1 for each neighbourhood whose result is wrong. */
    const wrongMarks = rule.map((entry) => (entry & WRONG_BIT ? 1 : 0));
    // The right result is the opposite of a wrong one.
    const rightResults = results.map((result, i) => result ^ (wrongMarks[i] as number));
    this.#grid.draw(cells, { target: rightResults, strength: 1 }, seconds);
    const wrongCount = wrongMarks.reduce((sum, each) => sum + each, 0);
    write(this.#remark, `${NEIGHBOURHOOD_COUNT - wrongCount} of ${NEIGHBOURHOOD_COUNT} correct`);
  }
}

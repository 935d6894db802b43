// The target, and a button to draw another one. The game of life has no target, so its place shows what the decided
// circuit makes of each of the 512 neighbourhoods.

import { button, el, write } from "../../core/dom";
import { CellGrid } from "./cell-grid";
import { TargetEditor } from "./target-editor";
import type { LogicView } from "../../generated/protocol";

/** Neighbourhoods in a row of the map. */
const ACROSS = 32;
const NEIGHBOURHOODS = 512;

export class TargetView {
  readonly element: HTMLElement;
  #grid = new CellGrid();
  #title = el("span", {});
  #says = el("p", { class: "remark num" });
  #own: HTMLButtonElement;
  #view: LogicView | null = null;

  constructor(learn: (planes: string, fromScratch: boolean) => void) {
    this.#own = button("Draw your own", () => {
      if (this.#view) document.body.append(new TargetEditor(this.#view, learn).open());
    });
    this.element = el(
      "figure",
      { class: "logic-target" },
      el("figcaption", {}, this.#title),
      this.#grid.element,
      this.#says,
      this.#own,
    );
  }

  destroy(): void {
    this.#grid.destroy();
  }

  draw(view: LogicView, seconds: number): void {
    this.#view = view;
    const { target, size, stage, rule } = view;
    const life = target.length === 0;
    this.#own.hidden = life;
    this.element.classList.toggle("rule", life);
    if (!life) {
      write(this.#title, "Target");
      write(this.#says, view.ownTarget ? "drawn by you" : `${size} × ${size} cells`);
      this.#grid.draw({ width: size, height: size, shown: stage.shown, values: target, full: 1 }, {}, seconds);
      return;
    }
    write(this.#title, "All neighbourhoods");
    if (rule.length !== NEIGHBOURHOODS) return;
    const cells = {
      width: ACROSS,
      height: NEIGHBOURHOODS / ACROSS,
      shown: 1,
      values: rule.map((each) => each & 1),
      full: 1,
    };
    const right = rule.map((each) => (each & 1) ^ (each >> 1));
    this.#grid.draw(cells, { target: right, strength: 1 }, seconds);
    const wrong = rule.reduce((sum, each) => sum + (each >> 1), 0);
    write(this.#says, `${NEIGHBOURHOODS - wrong} of ${NEIGHBOURHOODS} right`);
  }
}

// The stage, which is the interactive picture of the lab: two grids that start from the same cells. The soft grid runs
// with each gate a mixture of kinds, the hard grid with each gate its most likely kind.

import { dialogIsOpen, el, hasModifier, takesKeys, write } from "../../core/dom";
import { formatCount, formatInteger } from "../../core/format";
import { GridControls } from "./grid-controls";
import { EXPERIMENTS } from "./experiments";
import { CellGrid } from "./cell-grid";
import { GridInput } from "./grid-input";
import { AutoRestart } from "./auto-restart";
import type { LogicExperiment, LogicCommand, LogicStage } from "../../generated/protocol";

export class LogicStageView {
  readonly element: HTMLElement;
  readonly soft = new CellGrid();
  readonly hard = new CellGrid();
  #input: GridInput;
  #autoRestart: AutoRestart;
  #controls: GridControls;
  #step = el("span", { class: "num" });
  #evaluatedAfter = el("span", { class: "num logic-evaluated quiet" });
  /** What a visitor can do in this experiment. */
  #hint = el("span", { class: "quiet" });
  #errorCounts = { soft: el("span", { class: "num logic-wrong" }), hard: el("span", { class: "num logic-wrong" }) };
  #send: (command: LogicCommand) => void;
  /** True until the first view of a run has been drawn. */
  #firstView = true;

  constructor(send: (command: LogicCommand) => void) {
    this.#send = send;
    this.#autoRestart = new AutoRestart(() => send({ type: "restart" }));
    this.#input = new GridInput([this.soft, this.hard], send, () => this.#autoRestart.visitorActed());
    this.#controls = new GridControls(this.#input, send, this.#autoRestart);
    const pane = (name: "soft" | "hard", title: string, text: string) => {
      const { element } = this[name];
      element.tabIndex = 0;
      element.setAttribute("role", "application");
      element.setAttribute("aria-label", `The ${name} grid. Arrow keys choose a cell, Enter uses the tool on it`);
      const head = el(
        "figcaption",
        {},
        el("b", { text: title }),
        el("span", { class: "quiet", text }),
        this.#errorCounts[name],
      );
      return el("figure", { class: `logic-pane ${name}` }, head, element);
    };
    this.element = el(
      "div",
      { class: "stage logic-stage", role: "group", "aria-label": "Two grids of cells" },
      el(
        "p",
        { class: "logic-line" },
        this.#hint,
        el("span", { class: "logic-steps" }, this.#evaluatedAfter, this.#step),
      ),
      el(
        "div",
        { class: "logic-panes" },
        pane("soft", "Training view", "soft: blended gates"),
        pane("hard", "Final circuit", "hard: real gates"),
      ),
      this.#controls.element,
    );
    addEventListener("keydown", this.#onKeyDown);
  }

  destroy(): void {
    removeEventListener("keydown", this.#onKeyDown);
    this.soft.destroy();
    this.hard.destroy();
  }

  #onKeyDown = (event: KeyboardEvent): void => {
    if (hasModifier(event) || event.repeat || takesKeys(event.target)) return;
    if (dialogIsOpen()) return;
    if (event.key === "w") this.#input.damageNearMiddle();
    else if (event.key === "n") this.#send({ type: "restart" });
  };

  /** Prepares for a run of this experiment that was opened. */
  begin(experiment: LogicExperiment): void {
    write(this.#hint, EXPERIMENTS[experiment].hint);
    this.#controls.chooseTool(experiment === "life" ? "draw" : "damage");
    this.#firstView = true;
  }

  draw(stage: LogicStage, seconds: number): void {
    // The circuit is shown for the cell in the middle until the visitor chooses another one.
    if (this.#firstView) this.#send({ type: "cell", x: stage.width >> 1, y: stage.height >> 1 }); // half, rounded down
    this.#firstView = false;
    this.#input.setStage(stage);
    this.#autoRestart.draw(stage, seconds);
    this.#controls.draw(stage);
    const { width, height, shown, soft, hard, target, step, steps, cell, multiple } = stage;
    // Right after a restart nearly all cells are wrong, so the dots that mark errors start pale. They reach their full
    // strength at the step that training compares with the target, or later on a larger grid.
    const strength = Math.min(1, step / Math.max(1, steps * multiple)) ** 3;
    const { brush } = this.#input;
    this.soft.draw(
      { width, height, shown, values: soft, full: 255 },
      { cell, showNeighbourhood: true, brush },
      seconds,
    );
    const marks = {
      target: target.length > 0 ? target : undefined,
      strength,
      cell,
      showNeighbourhood: true,
      brush,
    };
    this.hard.draw({ width, height, shown, values: hard, full: 1 }, marks, seconds);
    write(this.#evaluatedAfter, target.length > 0 ? `target at step ${formatInteger(steps)}` : "");
    write(this.#step, `step ${formatInteger(step)}`);
    write(this.#errorCounts.soft, formatErrors(stage.wrongSoft));
    write(this.#errorCounts.hard, formatErrors(stage.wrongHard));
    const reachedTarget = step >= steps && stage.wrongHard === 0;
    this.element.classList.toggle("arrived", reachedTarget);
  }

  celebrate(): void {
    this.hard.celebrate();
  }

  describe({ step, wrongHard, wrongSoft, width, height }: LogicStage): string {
    const cells = formatCount(width * height, "cell");
    return `Step ${step}: of ${cells}, ${wrongHard} are wrong in the hard grid, ${wrongSoft} in the soft one.`;
  }
}

function formatErrors(cells: number): string {
  return cells === 0 ? "all correct" : `${formatInteger(cells)} wrong`;
}

// The two grids, which start from the same cells: the soft one with mixtures of gates, the hard one with every gate
// decided.

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
  #hint = el("span", { class: "quiet" });
  #errorCounts = { soft: el("span", { class: "num logic-wrong" }), hard: el("span", { class: "num logic-wrong" }) };
  #send: (command: LogicCommand) => void;
  #fresh = true;

  constructor(send: (command: LogicCommand) => void) {
    this.#send = send;
    this.#autoRestart = new AutoRestart(() => send({ type: "restart" }));
    this.#input = new GridInput([this.soft, this.hard], send, () => this.#autoRestart.touched());
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
        pane("soft", "Soft", "every gate still a mixture"),
        pane("hard", "Hard", "every gate decided"),
      ),
      this.#controls.element,
    );
    addEventListener("keydown", this.#key);
  }

  destroy(): void {
    removeEventListener("keydown", this.#key);
    this.soft.destroy();
    this.hard.destroy();
  }

  #key = (event: KeyboardEvent): void => {
    if (hasModifier(event) || event.repeat || takesKeys(event.target)) return;
    if (dialogIsOpen()) return;
    if (event.key === "w") this.#input.damageMiddle();
    else if (event.key === "n") this.#send({ type: "restart" });
  };

  /** A run of this experiment was opened. */
  begin(experiment: LogicExperiment): void {
    write(this.#hint, EXPERIMENTS[experiment].hint);
    this.#controls.choose(experiment === "life" ? "draw" : "wound");
    this.#fresh = true;
  }

  draw(stage: LogicStage, seconds: number): void {
    // At first the cell in the middle is chosen.
    if (this.#fresh) this.#send({ type: "cell", x: stage.width >> 1, y: stage.height >> 1 });
    this.#fresh = false;
    this.#input.follow(stage);
    this.#autoRestart.draw(stage, seconds);
    this.#controls.draw(stage);
    const { width, height, shown, soft, hard, target, step, steps, cell, multiple } = stage;
    const wanted = target.length > 0 ? target : undefined;
    // Long before the end nearly all cells are wrong, so the dots grow stronger with time.
    const strength = Math.min(1, step / Math.max(1, steps * multiple)) ** 3;
    const { brush } = this.#input;
    this.soft.draw({ width, height, shown, values: soft, full: 255 }, { cell, around: true, brush }, seconds);
    const marks = { target: wanted, strength, cell, around: true, brush };
    this.hard.draw({ width, height, shown, values: hard, full: 1 }, marks, seconds);
    write(this.#evaluatedAfter, target.length > 0 ? `evaluated after ${formatCount(steps, "step")}` : "");
    write(this.#step, `step ${formatInteger(step)}`);
    write(this.#errorCounts.soft, formatErrors(stage.wrongSoft));
    write(this.#errorCounts.hard, formatErrors(stage.wrongHard));
    const arrived = step >= steps && stage.wrongHard === 0;
    this.element.classList.toggle("arrived", arrived);
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

// The stage, which is the interactive picture of the lab: the target, beside it two grids that start from the same
// cells, and below them numbers that training changes. The soft grid runs with each gate a mixture of kinds, the
// hard grid with each gate its most likely kind.

import { dialogIsOpen, el, hasModifier, isLaidOut, takesKeys, write } from "../../core/dom";
import { formatCount, formatInteger, formatShare } from "../../core/format";
import { term } from "../../ui/term";
import { GridControls } from "./grid-controls";
import { EXPERIMENTS } from "./experiments";
import { CellGrid } from "./cell-grid";
import { GridInput, type Tool } from "./grid-input";
import { AutoRestart, isDead } from "./auto-restart";
import { LearningStrip } from "./learning-strip";
import { guidance, learningPhase } from "./progress";
import { testedNoun } from "./story";
import { TargetView } from "./target";
import type { Run } from "../../core/run";
import type { LogicExperiment, LogicCommand, LogicStage, LogicView } from "../../generated/protocol";

/** What the gates of both grids are, in the line below each. */
const GATE_TEXTS = {
  soft: "A gate is a weighted mixture of 16 logic functions.",
  hard: "Each gate is only its most likely function.",
};
const OWN_TARGET_MADE_TEXT = "The hard gates make your target without a mistake. Damage it and see what they do.";

export class LogicStageView {
  readonly element: HTMLElement;
  readonly soft = new CellGrid();
  readonly hard = new CellGrid();
  #input: GridInput;
  #autoRestart: AutoRestart;
  #controls: GridControls;
  #step = el("span", { class: "num" });
  #evaluatedAfter = el("span", { class: "num logic-evaluated quiet" });
  /** What is seen, and what a visitor can do once no cell is wrong with hard gates. */
  #guidance = el("span", { class: "logic-guidance", role: "status" });
  /** What has just happened in the grids by itself. */
  #event = el("span", { class: "quiet" });
  #correct = { soft: el("span", { class: "num logic-correct" }), hard: el("span", { class: "num logic-correct" }) };
  #target: TargetView;
  #panes = el("div", { class: "logic-panes" });
  #strip: LearningStrip;
  /** True until the first view of a run has been drawn. */
  #firstView = true;

  /**
   * `learn` trains for a target that the visitor has drawn; `enlarge` opens the large grid; `inspected` shows the
   * circuit.
   */
  constructor(
    readonly run: Run,
    readonly send: (command: LogicCommand) => void,
    learn: (planes: string, fromScratch: boolean) => void,
    enlarge: () => void,
    inspected: () => void,
  ) {
    this.#target = new TargetView(run, learn);
    this.#strip = new LearningStrip(run);
    this.#autoRestart = new AutoRestart(() => send({ type: "restart" }));
    this.#input = new GridInput([this.soft, this.hard], send, () => this.#autoRestart.visitorActed(), inspected);
    this.#controls = new GridControls(this.#input, send, this.#autoRestart, enlarge);
    const pane = (name: "soft" | "hard", title: string, text: string) => {
      const { element } = this[name];
      element.tabIndex = 0;
      element.setAttribute("role", "application");
      element.setAttribute(
        "aria-label",
        `The grid with ${name} gates. Arrow keys choose a cell, Enter uses the tool on it`,
      );
      const head = el(
        "figcaption",
        {},
        el("b", {}, term(title, `${name} gate`)),
        el("span", { class: "quiet", text }),
        this.#correct[name],
      );
      const remark = el("p", { class: "remark", text: GATE_TEXTS[name] });
      return el("figure", { class: `logic-pane ${name}` }, head, element, remark);
    };
    this.#panes.append(
      this.#target.element,
      pane("soft", "Soft gates", "in training"),
      pane("hard", "Hard gates", "the result"),
    );
    this.element = el(
      "div",
      { class: "stage logic-stage", role: "group", "aria-label": "The target and two grids of cells" },
      el(
        "p",
        { class: "logic-line" },
        el("span", {}, this.#guidance, " ", this.#event),
        el(
          "span",
          { class: "logic-steps" },
          this.#evaluatedAfter,
          el("span", {}, term("step", "step"), " ", this.#step),
        ),
      ),
      this.#panes,
      this.#strip.element,
      this.#controls.element,
    );
    addEventListener("keydown", this.#onKeyDown);
  }

  destroy(): void {
    removeEventListener("keydown", this.#onKeyDown);
    this.soft.destroy();
    this.hard.destroy();
    this.#target.destroy();
  }

  #onKeyDown = (event: KeyboardEvent): void => {
    if (hasModifier(event) || event.repeat || takesKeys(event.target)) return;
    if (dialogIsOpen() || !isLaidOut(this.element)) return;
    if (event.key === "w") this.#input.damageNearMiddle();
    else if (event.key === "n") this.send({ type: "restart" });
  };

  /** Prepares for a run of this experiment that was opened. */
  begin(experiment: LogicExperiment): void {
    this.#strip.begin();
    this.#controls.chooseTool(firstTool(experiment));
    this.#firstView = true;
  }

  draw(view: LogicView, seconds: number): void {
    const { stage } = view;
    this.#target.draw(view, seconds);
    this.#panes.classList.toggle("with-rule", view.target.length === 0);
    this.#strip.draw(view, seconds);
    this.#guide(view);
    // The circuit is shown for the cell in the middle until the visitor chooses another one.
    if (this.#firstView) this.send({ type: "cell", x: stage.width >> 1, y: stage.height >> 1 }); // half, rounded down
    this.#firstView = false;
    this.#input.setStage(stage);
    this.#autoRestart.draw(stage, seconds);
    this.#controls.draw(stage);
    const { width, height, shown, soft, hard, target, step, steps, cell, multiple } = stage;
    // Right after a restart nearly all cells are wrong, so the dots that mark errors start pale. They reach their full
    // strength at the step that training compares with the target, or later on a larger grid.
    const strength = Math.min(1, step / Math.max(1, steps * multiple)) ** 3;
    const { brush } = this.#input;
    const marks = {
      target: target.length > 0 ? target : undefined,
      strength,
      cell,
      showNeighbourhood: true,
      brush,
    };
    this.soft.draw({ width, height, shown, values: soft, full: 255 }, marks, seconds);
    this.hard.draw({ width, height, shown, values: hard, full: 1 }, marks, seconds);
    write(this.#evaluatedAfter, target.length > 0 ? `target at step ${formatInteger(steps)}` : "");
    write(this.#step, formatInteger(step));
    // Of the coloured letter, each colour of a cell counts.
    const cells = width * height * shown;
    const isGrowing = target.length > 0 && step < steps;
    write(this.#correct.soft, correctWords(cells, stage.wrongSoft, isGrowing));
    write(this.#correct.hard, isDead(stage) ? "all dead" : correctWords(cells, stage.wrongHard, isGrowing));
    write(this.#event, this.#autoRestart.event);
    const reachedTarget = step >= steps && stage.wrongHard === 0;
    this.element.classList.toggle("arrived", reachedTarget);
  }

  /** Says what is seen; offers damage once the hard gates can repair it. */
  #guide({ experiment, ownTarget }: LogicView): void {
    const { series } = this.run;
    const firstError = series.column("softError").find(Number.isFinite) ?? NaN;
    const phase = learningPhase({ firstError, error: series.last("softError"), wrong: series.last("wrong") });
    const { invitation, heals } = EXPERIMENTS[experiment];
    // Invitations go with the tool that is chosen at first. Whether circuits for the targets of visitors repair damage
    // has not been measured.
    const invited = ownTarget ? OWN_TARGET_MADE_TEXT : invitation;
    const words = this.#input.tool === firstTool(experiment) ? invited : this.#controls.toolWords;
    write(this.#guidance, guidance(experiment, phase, words));
    this.#controls.offerDamage(phase === "perfect" && heals && !ownTarget);
  }

  celebrate(): void {
    this.hard.celebrate();
  }

  describe({ step, wrongHard, wrongSoft, width, height }: LogicStage): string {
    const cells = formatCount(width * height, "cell");
    const wrong = testedNoun(this.run.settings);
    return `Step ${step}, ${cells}. Wrong ${wrong}s: ${wrongHard} with hard gates, ${wrongSoft} with soft gates.`;
  }
}

const firstTool = (experiment: LogicExperiment): Tool => (experiment === "life" ? "draw" : "damage");

/** The share of correct cells, as in the tests; `isGrowing` before the step that training compares with the target. */
function correctWords(cells: number, wrong: number, isGrowing: boolean): string {
  const correct = cells - wrong;
  return `${formatShare(correct / cells)} correct${isGrowing ? ", still growing" : " here"}`;
}

// Two facts below the grids: how many gates are no longer plain wires, and in which iterations recorded runs with the
// same settings reached the goal, with a mark for this run.

import { el, write } from "../../core/dom";
import { usualUnits } from "../../core/forecast";
import { formatInteger } from "../../core/format";
import { runsLike } from "../../core/recorded-runs";
import type { Run } from "../../core/run";
import type { LogicView } from "../../generated/protocol";
import { sourceWords } from "../../ui/goal-words";
import { term } from "../../ui/term";
import { changedGates } from "./gate-kinds";
import recordedRuns from "./goal-units.json";

/** The strip is drawn again no more often than this. */
const REDRAW_SECONDS = 0.25;

export class LearningStrip {
  readonly element: HTMLElement;
  #gates = el("b", { class: "num" });
  #allGates = el("span", { class: "quiet num" });
  #gatesBar = el("span", { class: "logic-meter-bar" });
  #goal = el("div", { class: "logic-fact logic-usual" });
  #goalText = el("span", { class: "logic-fact-label num" });
  #goalRange = el("span", { class: "logic-meter-range" });
  #thisRunMark = el("span", { class: "logic-meter-now" });
  #secondsToRedraw = 0;

  constructor(readonly run: Run) {
    const meter = (...parts: HTMLElement[]) => el("span", { class: "logic-meter", "aria-hidden": "true" }, ...parts);
    this.#goal.append(this.#goalText, meter(this.#goalRange, this.#thisRunMark));
    this.element = el(
      "div",
      { class: "logic-strip" },
      el(
        "div",
        {
          class: "logic-fact",
          title:
            "At the start every gate is a plain wire, which passes one of its inputs on. A gate counts as changed once another function is its most likely one.",
        },
        el(
          "span",
          { class: "logic-fact-label" },
          term("Changed gates", "changed gate"),
          " ",
          this.#gates,
          " ",
          this.#allGates,
        ),
        meter(this.#gatesBar),
      ),
      this.#goal,
    );
  }

  /** Makes the next call of `draw` redraw, because another run was opened. */
  begin(): void {
    this.#secondsToRedraw = 0;
  }

  /** `seconds` have passed since the last call. */
  draw({ gates }: LogicView, seconds: number): void {
    const { changed, all } = changedGates(gates.counts);
    write(this.#gates, formatInteger(changed));
    write(this.#allGates, `of ${formatInteger(all)}`);
    this.#gatesBar.style.transform = `scaleX(${(changed / Math.max(1, all)).toFixed(4)})`;
    this.#secondsToRedraw -= seconds;
    if (this.#secondsToRedraw > 0) return;
    this.#secondsToRedraw = REDRAW_SECONDS;
    this.#drawGoal();
  }

  #drawGoal(): void {
    const { run } = this;
    // The iterations in which recorded runs with these settings reached the goal.
    const goalUnits = runsLike(run, recordedRuns);
    const usual = goalUnits && usualUnits(goalUnits);
    this.#goal.hidden = !usual;
    if (!usual) return;
    const { units, solvedAt } = run.progress;
    const thisRun = solvedAt ?? units;
    const unit = run.lab?.about.unit ?? "";
    write(this.#goalText, `${sourceWords(goalUnits, unit, false)} Upright mark: this run.`);
    this.#goalText.title = sourceWords(goalUnits, unit);
    const end = Math.max(usual.to, thisRun);
    const percent = (unit: number) => `${((100 * unit) / end).toFixed(2)}%`;
    this.#goalRange.style.left = percent(usual.from);
    this.#goalRange.style.width = percent(usual.to - usual.from);
    this.#thisRunMark.style.left = percent(thisRun);
  }
}

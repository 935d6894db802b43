// The cube lab's screen of the 3×3×3: the stage (a cube that the visitor turns or enters and the agent solves), the
// beam of its search, the network's predictions, and the last evaluation. Loaded when a run has this puzzle.

import { el, write } from "../../../core/dom";
import { floats } from "../../../core/floats";
import { formatInteger, formatNumber, formatTenths } from "../../../core/format";
import { presetOf } from "../../../core/presets";
import type { Run } from "../../../core/run";
import { Phases } from "../../../ui/phases";
import { withTerms } from "../../../ui/term";
import type { CubeCommand, CubeLargeView } from "../../../generated/protocol";
import type { OpenFile } from "../../../ui/lab-view";
import { EXPERTS } from "../expert";
import { Net } from "../net";
import { TrainedButton } from "../trained";
import { isTrained, LARGE_STRENGTH } from "../trained-words";
import { BeamPicture } from "./beam-picture";
import { PredictionChart } from "./prediction-chart";
import { expectedTime } from "./wording";
import { LargeStageView } from "./stage";
import "./large.css";

export class LargeScreen {
  readonly element: HTMLElement;
  #run: Run;
  #stage: LargeStageView;
  #beam = new BeamPicture();
  #chart = new PredictionChart();
  #net = new Net(3);
  #phases = new Phases<CubeLargeView["phase"]>([
    ["learning", "learning"],
    ["evaluating", "evaluating"],
  ]);
  #tested = { solved: el("dd", { class: "num" }), length: el("dd", { class: "num" }) };
  #testedTitle = el("span", {});
  #training = el("p", { class: "remark" });

  constructor(run: Run, openFile: OpenFile) {
    this.#run = run;
    this.#stage = new LargeStageView((command: CubeCommand) => run.command(command));
    const readout = (label: string, value: HTMLElement) =>
      el("div", {}, el("dt", {}, ...withTerms(label, "cube")), value);
    const tested = el(
      "figure",
      { class: "cube3-tested" },
      el("figcaption", {}, this.#testedTitle, this.#phases.element),
      el(
        "dl",
        { class: "cube3-tested-facts" },
        readout("states solved", this.#tested.solved),
        el("div", {}, el("dt", { text: "turns of a solution" }), this.#tested.length),
      ),
      this.#training,
      new TrainedButton(EXPERTS.large, run, openFile).element,
    );
    const net = el("figure", { class: "cube3-net" }, el("figcaption", { text: "Unfolded cube" }), this.#net.element);
    this.element = el(
      "div",
      { class: "captions cube3-view" },
      this.#stage.element,
      this.#beam.element,
      this.#chart.element,
      tested,
      net,
    );
    this.opened();
  }

  draw(view: CubeLargeView, seconds: number): void {
    this.#stage.draw(view, seconds);
    this.#beam.draw(view.stage, view.learner !== "efficientcube");
    this.#chart.draw(floats(view.guessByScramble));
    this.#net.draw(this.#stage.cube.stickers);
    this.#phases.draw(view.phase, seconds, this.#run.progress.running);
    if (!Number.isFinite(view.solved) && isTrained(this.#run)) this.#showMeasured();
    else this.#showEvaluation(view);
  }

  /** Shows the last evaluation of the run, and what it learns from. */
  #showEvaluation({ solved, length, distils }: CubeLargeView): void {
    write(this.#testedTitle, "Last evaluation");
    write(this.#tested.solved, Number.isFinite(solved) ? `${formatNumber(100 * solved, 4, "%")}%` : "–");
    write(this.#tested.length, formatTenths(length));
    const method = distils
      ? "Learns the distance after every turn from its own predictions."
      : "Learns from random scrambles.";
    write(this.#training, [method, this.#expectedTime(solved)].join(" ").trim());
  }

  /**
   * How long runs with these settings took; empty once this one solves all its test states, and if it began with a
   * trained network.
   */
  #expectedTime(solved: number): string {
    const { lab, settings, networkSince } = this.#run;
    return !lab || solved >= 1 || networkSince !== null ? "" : expectedTime(presetOf(lab, settings));
  }

  /** Shows what the trained network has been measured to do. */
  #showMeasured(): void {
    const { states, solved, turns, beamWidth } = LARGE_STRENGTH;
    write(this.#testedTitle, "Measured before");
    write(this.#tested.solved, `${formatNumber((100 * solved) / states, 4, "%")}%`);
    write(this.#tested.length, formatTenths(turns));
    const test = `From ${formatInteger(states)} random states, with a beam width of ${formatInteger(beamWidth)}.`;
    write(this.#training, test);
  }

  /** Resets the stage when a run has been opened. */
  opened(): void {
    this.#stage.begin();
  }

  /** Says in a sentence why the lab has refused a command. */
  refused(sentence: string): void {
    this.#stage.refused(sentence);
  }

  /** Whether the cube is the visitor's own, or is being entered. */
  get isOwn(): boolean {
    return this.#stage.isOwn;
  }

  /** Opens the dialog in which the visitor enters a cube. */
  enter(): void {
    void this.#stage.enter();
  }

  scramble(): void {
    this.#stage.scramble();
  }

  celebrate(): void {
    this.#stage.cube.animation.spin();
  }

  describe(): string {
    return this.#stage.describe();
  }

  destroy(): void {
    this.#stage.destroy();
    this.#beam.destroy();
  }
}

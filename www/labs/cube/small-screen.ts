// The cube lab's screen of the 2×2×2: the stage (a cube that the visitor turns and the agent solves), the fraction of
// all states that the agent solves, and the net of the cube.

import { el } from "../../core/dom";
import type { Run } from "../../core/run";
import { floats } from "../../core/floats";
import { EXPERTS } from "./expert";
import type { OpenFile } from "../../ui/lab-view";
import { withTerms } from "../../ui/term";
import { TrainedButton } from "./trained";
import { TrainingStatus } from "./training-status";
import { Net } from "./net";
import type { CubeCommand, CubeSmallView } from "../../generated/protocol";
import { SolvedByDistance } from "./solved-by-distance";
import { CubeStageView } from "./stage";

export class SmallScreen {
  readonly element: HTMLElement;
  #run: Run;
  #stage: CubeStageView;
  #distances: SolvedByDistance;
  #net = new Net();
  #status: TrainingStatus;

  constructor(run: Run, openFile: OpenFile) {
    this.#run = run;
    this.#stage = new CubeStageView((command: CubeCommand) => run.command(command));
    this.#distances = new SolvedByDistance((turns) => this.#stage.stateAtDistance(turns));
    const trained = new TrainedButton(EXPERTS.small, run, openFile);
    this.#status = new TrainingStatus(trained.element);
    this.element = el(
      "div",
      { class: "captions cube-view" },
      this.#stage.element,
      el(
        "figure",
        { class: "distances-figure" },
        el(
          "figcaption",
          {},
          el("span", {}, ...withTerms("Solved states by distance from solved", "cube")),
          this.#status.phases.element,
        ),
        this.#distances.element,
        this.#status.element,
      ),
      el("figure", { class: "net-figure" }, el("figcaption", { text: "Unfolded cube" }), this.#net.element),
    );
    this.opened();
  }

  draw(view: CubeSmallView, seconds: number): void {
    const { solved, stage } = view;
    const solvedByDistance = floats(view.solvedByDistance);
    this.#stage.draw(view, solvedByDistance, seconds);
    const excessByDistance = floats(view.excessByDistance);
    const statesByDistance = floats(view.statesByDistance);
    const tested = this.#run.series.last("solved");
    const results = { solvedByDistance, excessByDistance, statesByDistance, solved, tested };
    this.#distances.draw(results, stage.distance, seconds);
    this.#net.draw(this.#stage.cube.state.stickers);
    this.#status.draw(view, seconds, this.#run.progress.running);
  }

  /** Whether the stage says that the agent has not solved its cube. */
  get showsFailure(): boolean {
    return this.#stage.showsFailure;
  }

  /** Starts anew after a run was opened. */
  opened(): void {
    this.#stage.begin();
    this.#distances.reset();
  }

  celebrate(): void {
    this.#distances.celebrate();
    this.#stage.cube.animation.spin();
  }

  describe(): string {
    return this.#stage.describe();
  }

  destroy(): void {
    this.#stage.destroy();
    this.#distances.destroy();
  }
}

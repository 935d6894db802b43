// The cube lab's screen: the stage (a cube that the visitor turns and the agent solves), the fraction of all states
// that the agent solves, and the net of the cube.

import { el } from "../../core/dom";
import type { Settings } from "../../core/link";
import { presetById } from "../../core/presets";
import type { Run } from "../../core/run";
import { floats } from "../../core/floats";
import { fetchExpert } from "./expert";
import type { LabView, OpenFile, Suggestion } from "../lab-view";
import { TrainingStatus } from "./training-status";
import { Net } from "./net";
import type { CubeCommand, CubeView } from "../../generated/protocol";
import { SolvedByDistance } from "./solved-by-distance";
import { CubeStageView } from "./stage";
import "./cube.css";

export { story } from "./story";

export const tour = () => import("./tour").then(({ captions }) => captions);

export const keys: [string, string][] = [
  ["U R F", "turn the upper, right, front face; with Shift the other way"],
  ["L D B", "turn the faces opposite"],
  ["X Y Z", "turn the whole cube"],
  ["C", "scramble the cube"],
  ["G", "solve the cube with the agent"],
];

export function suggestions({ lab, settings }: Run): Suggestion[] {
  if (!lab) return [];
  const preset = (id: string) => presetById(lab, id);
  const dqn = settings["learner"] === "dqn"; // deep Q-learning
  return [
    dqn
      ? { text: "Learn all states: value iteration", settings: preset("standard") }
      : { text: "Train until 99% of all states are solved", settings: preset("small") },
    { text: "Scramble the cube by hand and let the agent solve it" },
    ...(dqn ? [] : [{ text: "Learn from its own attempts: deep Q-learning", settings: preset("dqn") }]),
    { text: "Count half turns as one turn", settings: { ...settings, metric: "half" } },
    { text: "Train without symmetry reduction", settings: preset("plain") },
  ];
}

export function open(run: Run, _restart: (settings: Settings) => void, openFile: OpenFile): LabView<CubeView> {
  const stage = new CubeStageView((command: CubeCommand) => run.command(command));
  const distances = new SolvedByDistance((turns) => stage.stateAtDistance(turns));
  const [net, status] = [new Net(), new TrainingStatus(() => void openTrained(run, openFile, status))];
  const element = el(
    "div",
    { class: "captions cube-view" },
    stage.element,
    el(
      "figure",
      { class: "distances-figure" },
      el("figcaption", {}, el("span", { text: "Solved states by distance from solved" }), status.phases.element),
      distances.element,
      status.element,
    ),
    el("figure", { class: "net-figure" }, el("figcaption", { text: "Unfolded cube" }), net.element),
  );
  const begin = () => {
    stage.begin();
    distances.reset();
  };
  begin();
  return {
    element,
    draw(view, seconds) {
      const solvedByDistance = floats(view.solvedByDistance);
      stage.draw(view, solvedByDistance, seconds);
      const excessByDistance = floats(view.excessByDistance);
      const statesByDistance = floats(view.statesByDistance);
      const { solved } = view;
      distances.draw({ solvedByDistance, excessByDistance, statesByDistance, solved }, view.stage.distance, seconds);
      net.draw(stage.cube.state.stickers);
      status.draw(view, seconds, run.progress.running);
    },
    opened: begin,
    celebrate() {
      distances.celebrate();
      stage.cube.animation.spin();
    },
    describe: () => stage.describe(),
    destroy() {
      stage.destroy();
      distances.destroy();
    },
  };
}

/**
 * Opens the checkpoint that ships with the page. The rest of its unit (training iteration) is run, which evaluates it.
 */
async function openTrained(run: Run, openFile: OpenFile, status: TrainingStatus): Promise<void> {
  status.showLoading("Loading …", true);
  try {
    const report = (text: string, wrong = false) => status.showLoading(text, text !== "" && !wrong);
    if (await openFile(await fetchExpert(), report)) run.finishUnit();
  } catch (error) {
    status.showLoading((error as Error).message);
  }
}

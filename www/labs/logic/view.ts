// The picture of the logic lab, in which a cellular automaton learns its rule as a circuit of logic gates: the target
// and two grids of cells at work (the stage), the errors, the circuit of a cell, and all gates. The lab screen
// (www/ui/lab-screen.ts) loads this module; its interface is `ViewModule`.

import { el, svg } from "../../core/dom";
import { formatCount, formatNumber } from "../../core/format";
import type { Settings } from "../../core/link";
import { firstSettingsWith } from "../../core/presets";
import type { Run } from "../../core/run";
import { whenOpened } from "../../core/when-opened";
import { choiceCard, Choices } from "../../ui/choices";
import type { LabView, Restart } from "../../ui/lab-view";
import { aboutWords } from "./about-words";
import { attemptNews, attemptsTaken, attemptTold } from "./attempts";
import { GateCounts } from "./gate-counts";
import { GateMap } from "./gate-map";
import { CircuitView } from "./circuit";
import { drawingTask } from "./drawing";
import { EXPERIMENTS } from "./experiments";
import { Exports } from "./exports";
import { ErrorCurves } from "./error-curves";
import { LogicStageView } from "./stage";
import { testedNoun } from "./story";
import { emptyShare } from "./target-share";
import type { LogicExperiment, LogicCommand, LogicView } from "../../generated/protocol";
import "./logic.css";

/** The lab starts at max speed: a step is one step of the training grids, and each parameter update takes dozens. */
export const pace = null;

export { default as recordedRuns } from "./goal-units.json";
export { story } from "./story";

/** The keys of the picture, for the list in the page's help: each with what it does. */
export const keys: [string, string][] = [
  ["W", "damage the grids"],
  ["N", "set the grids to a new initial state"],
  ["← → ↑ ↓", "on a grid: choose the cell whose circuit is shown"],
  ["Enter", "on a grid: damage it or draw there"],
];

/** The experiment of a run with these settings. */
function experimentOf(settings: Settings): LogicExperiment {
  const name = settings["experiment"] as LogicExperiment;
  return name in EXPERIMENTS ? name : "checkerboard";
}

export function open(run: Run, restart: Restart): LabView<LogicView> {
  const send = (command: LogicCommand) => run.command(command);
  const choice = experimentChoice(
    (experiment) => run.lab && restart(firstSettingsWith(run.lab, "experiment", experiment)),
  );
  const learn = (planes: string, fromScratch: boolean) => {
    if (!fromScratch || !run.lab) return send({ type: "target", planes });
    whenOpened(run, () => send({ type: "target", planes }));
    restart(firstSettingsWith(run.lab, "experiment", drawingTask(experimentOf(run.settings))));
  };
  const exports = new Exports(run);
  /** Opens the dialog with a large grid, which is loaded only now to keep the first visit small. */
  const enlarge = async () => {
    const { LargeGrid } = await import("./large-grid/large-grid");
    document.body.append(new LargeGrid(() => exports.read()).open());
  };
  const stage = new LogicStageView(
    run,
    send,
    learn,
    () => void enlarge(),
    () => circuit.element.scrollIntoView({ block: "nearest" }),
  );
  const [errors, gateMap] = [new ErrorCurves(), new GateMap()];
  const circuit = new CircuitView(exports.element);
  const gateCounts = new GateCounts((kind) => (gateMap.highlightedKind = kind));
  const element = el(
    "div",
    { class: "captions figures logic-view" },
    stage.element,
    errors.element,
    circuit.element,
    el(
      "figure",
      { class: "logic-gates" },
      el("figcaption", { text: "All gates, layer by layer" }),
      gateMap.element,
      gateCounts.element,
    ),
  );
  let last: LogicView | null = null;
  /** Versions of the wiring and the circuit that have arrived; 0 for none. */
  let received = { wiring: 0, circuit: 0 };
  /** Prepares for a run that was opened. */
  const begin = () => {
    const experiment = experimentOf(run.settings);
    choice.show(experiment);
    stage.begin(experiment);
    circuit.reset();
    gateMap.reset();
    received = { wiring: 0, circuit: 0 };
    last = null;
  };
  /**
   * Takes the wiring of all gates and the pruned circuit from a view, and acknowledges them. Views go on containing
   * them until then, because they are large and change rarely.
   */
  const receive = (view: LogicView) => {
    if (view.wiring) gateMap.setWiring(view.wiring);
    if (view.circuit) circuit.setCircuit(view.circuit);
    if (!view.wiring && !view.circuit) return;
    if (view.wiring) received.wiring = view.wiringVersion;
    if (view.circuit) received.circuit = view.circuit.version;
    send({ type: "have", ...received });
  };
  begin();
  return {
    element,
    choice: choice.element,
    draw(view, seconds) {
      // A view that was on its way when the experiment changed belongs to the previous run.
      if (view.experiment !== experimentOf(run.settings)) return;
      last = view;
      receive(view);
      stage.draw(view, seconds);
      errors.draw(run.series, view, attemptTold(run), seconds);
      if (view.lit) circuit.draw(view.lit, view.stage, seconds);
      gateMap.draw(view.gates, seconds);
      gateCounts.draw(view.gates.counts, seconds);
    },
    opened: begin,
    aboutWords: () => aboutWords(experimentOf(run.settings), Number(run.settings["goal"] ?? 3)),
    headline: () => ({
      // The metric is that of the worst of as many evaluations as the goal asks for.
      name: `correct ${testedNoun(run.settings)}s, worst of the last ${formatCount(Number(run.settings["goal"]), "test")}`,
      comparison: last
        ? `A grid without live cells would get ${formatNumber(100 * emptyShare(last.target), 3, "%")}%.`
        : "",
      news: last ? attemptNews(last.attempt, attemptTold(run)) : "",
      took: attemptsTaken(run.series.last("attempt", run.progress.solvedAt ?? -1)),
    }),
    celebrate: () => stage.celebrate(),
    describe: () => (last ? stage.describe(last.stage) : ""),
    destroy() {
      for (const part of [stage, errors, circuit, gateMap]) part.destroy();
    },
  };
}

/** The choice of experiment, as a row of small pictures. */
function experimentChoice(choose: (experiment: LogicExperiment) => void): Choices<LogicExperiment> {
  const choices = Object.values(EXPERIMENTS).map(({ experiment, name, task, picture }) => ({
    value: experiment,
    content: choiceCard(pixelPicture(picture), name, task),
  }));
  return new Choices({ class: "choices logic-worlds", buttonClass: "choice", label: "Experiment", choices, choose });
}

/** A small picture from rows of characters: `#` is strong, `o` is weak. */
function pixelPicture(rows: readonly string[]): SVGSVGElement {
  const path = (character: string) =>
    rows.flatMap((row, y) => [...row].map((each, x) => (each === character ? `M${x} ${y}h.9v.9h-.9z` : ""))).join("");
  return svg(
    "svg",
    { viewBox: "0 0 6 6", class: "choice-sign", "aria-hidden": "true" },
    svg("path", { d: path("o") }),
    svg("path", { d: path("#"), class: "moving" }),
  );
}

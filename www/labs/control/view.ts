// The picture of the control lab: the stage, the wall of worlds, the map of the critic.

import { el, write } from "../../core/dom";
import { count, whole } from "../../core/format";
import { calm } from "../../core/theme";
import type { Run } from "../../core/run";
import type { ControlCommand, ControlView } from "../../generated/protocol";
import type { LabView, Suggestion } from "../views";
import { Phases } from "./phases";
import { PlaneView } from "./plane";
import { StageView } from "./stage";
import { Wall } from "./wall";

export const keys: [string, string][] = [["← →", "push the cart"]];

export const suggestions: Suggestion[] = [
  { text: "Push the cart until it falls" },
  { text: "Learn in a single world", settings: { worlds: 1, horizon: 512, minibatches: 4 } },
  { text: "Make it short-sighted: a discount of 0.8", settings: { gamma: 0.8 } },
  { text: "Break it: a learning rate of 0.05", settings: { learning_rate: 0.05 } },
];

/** The wall shows no more worlds than this. */
const SHOWN = 256;
/** How often the wall changes where little motion is asked for. */
const CALM_SECONDS = 0.5;

export function open(run: Run): LabView {
  const send = (command: ControlCommand) => run.command(command);
  const stage = new StageView((newtons) => send({ type: "push", newtons }));
  const wall = new Wall();
  const plane = new PlaneView();
  const phases = new Phases();
  const worlds = el("span", { class: "num quiet" });
  const element = el(
    "div",
    { class: "control-view" },
    stage.element,
    el(
      "figure",
      { class: "wall" },
      el("figcaption", {}, el("span", {}, "The worlds it learns from ", worlds), phases.element),
      el("div", { class: "wall-box" }, wall.canvas),
      el(
        "div",
        { class: "legend wall-legend" },
        el("span", { text: "just begun" }),
        el("span", { class: "legend-bar short" }),
        el("span", { text: "up for 500 steps" }),
        el("span", { class: "fell", text: "just fell" }),
      ),
    ),
    el("figure", { class: "plane-figure" }, el("figcaption", { text: "What the critic expects" }), plane.element),
  );
  let rest = 0;
  let last: ControlView | null = null;
  return {
    element,
    draw(raw, seconds) {
      const view = (last = raw as ControlView);
      stage.draw(view.stage, seconds);
      plane.draw(view.plane, floats(view.plane.values), view.stage, seconds);
      phases.draw(view.phase, seconds, run.progress.running);
      rest -= seconds;
      if (calm() && rest > 0) return;
      rest = CALM_SECONDS;
      wall.draw(floats(view.wall), floats(view.wallSteps), calm() ? CALM_SECONDS : seconds);
    },
    opened() {
      const n = Number(run.config["worlds"] ?? 0);
      write(worlds, n > SHOWN ? `${SHOWN} of ${whole(n)}` : whole(n));
      plane.reset();
    },
    celebrate: () => wall.celebrate(),
    describe: () => (last ? `The pole on show has been up for ${count(last.stage.steps, "step")}.` : ""),
    leave() {
      stage.leave();
      wall.leave();
      plane.leave();
    },
  };
}

/** Bytes as they came from the worker, seen as floats; copied only where they do not lie on a boundary. */
function floats(bytes: Uint8Array): Float32Array {
  if (bytes.byteOffset % 4 === 0) return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  return new Float32Array(bytes.slice().buffer);
}

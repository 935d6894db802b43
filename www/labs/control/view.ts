// The picture of the control lab: the choice of world, the stage, the wall of worlds, the map of the critic.

import { el, write } from "../../core/dom";
import { whole } from "../../core/format";
import type { Settings } from "../../core/link";
import type { Run } from "../../core/run";
import { calm } from "../../core/theme";
import type { ControlCommand, ControlPhase, ControlView, World } from "../../generated/protocol";
import type { LabView, Suggestion } from "../views";
import { floats } from "../../core/floats";
import { Phases } from "../../ui/phases";
import { PlaneView } from "./plane";
import { StageView } from "./stage";
import { WorldSwitch } from "./switch";
import { Wall } from "./wall";
import type { Kind } from "./worlds/kind";
import { KINDS, settingsOf } from "./worlds/list";

export const keys: [string, string][] = [["← →", "push the large world"]];

/** What the learner is busy with, as the page calls it. */
const PHASES: [ControlPhase, string][] = [
  ["collecting", "acting"],
  ["learning", "learning"],
  ["evaluating", "evaluating"],
];
/** The wall shows no more worlds than this. */
const SHOWN = 256;
/** How often the wall changes where little motion is asked for. */
const CALM_SECONDS = 0.5;

export function suggestions({ lab, config }: Run): Suggestion[] {
  const { world, hold } = KINDS[config["world"] as World] ?? KINDS.cartpole;
  if (!lab) return [];
  const own = settingsOf(lab, world);
  const all = Object.values(KINDS);
  const next = all[all.findIndex((kind) => kind.world === world) + 1];
  const travel = next && { text: `Go on to ${next.name}: ${next.task}`, settings: settingsOf(lab, next.world) };
  return [
    ...(travel ? [travel] : []),
    { text: `Push it: pull ${hold.what} and see it recover` },
    { text: "Learn in a single world", settings: { ...own, worlds: 1, horizon: 512, minibatches: 4 } },
    { text: "Make it short-sighted: a discount of 0.8", settings: { ...own, gamma: 0.8 } },
    { text: "Break it: a learning rate of 0.05", settings: { ...own, learning_rate: 0.05 } },
  ];
}

export function open(run: Run, attempt: (settings: Settings) => void): LabView {
  const choice = new WorldSwitch((world) => run.lab && attempt(settingsOf(run.lab, world)));
  const element = el("div", { class: "control-view" });
  let picture: Picture | null = null;
  const opened = () => {
    if (!run.lab) return;
    const kind = KINDS[run.config["world"] as World] ?? KINDS.cartpole;
    choice.show(kind.world);
    if (picture?.kind !== kind) {
      picture?.leave();
      picture = new Picture(kind, run);
      element.append(...picture.parts);
    }
    picture.begin();
  };
  opened();
  return {
    element,
    choice: choice.element,
    // A view on its way when another world was chosen shows the one before.
    draw: (raw, seconds) => {
      const view = raw as ControlView;
      if (view.world === picture?.kind.world) picture.draw(view, seconds);
    },
    opened,
    celebrate: () => picture?.wall.celebrate(),
    describe: () => picture?.describe() ?? "",
    leave: () => picture?.leave(),
  };
}

/** All that is drawn of one kind of world. */
class Picture {
  readonly parts: HTMLElement[];
  readonly wall: Wall;
  #stage: StageView;
  #plane: PlaneView;
  #phases = new Phases(PHASES);
  #worlds = el("span", { class: "num quiet" });
  #rest = 0;
  #last: ControlView | null = null;

  constructor(
    readonly kind: Kind,
    readonly run: Run,
  ) {
    const send = (command: ControlCommand) => run.command(command);
    this.#stage = new StageView(kind, (strength) => send({ type: "push", strength }));
    this.wall = new Wall(kind);
    this.#plane = new PlaneView(kind);
    const { cell, ends, ended } = kind;
    const wall = el(
      "figure",
      { class: "wall" },
      el("figcaption", {}, el("span", {}, "The worlds it learns from ", this.#worlds), this.#phases.element),
      el("div", { class: "wall-box" }, this.wall.canvas),
      el(
        "div",
        { class: "legend wall-legend" },
        el("span", { text: cell.from }),
        el("span", { class: "legend-bar short" }),
        el("span", { text: cell.to }),
        ends && el("span", { class: `ended ${ends}`, text: ended.wall }),
      ),
    );
    const caption = el("figcaption", { text: "What the critic expects" });
    const plane = el("figure", { class: "plane-figure" }, caption, this.#plane.element);
    this.parts = [this.#stage.element, wall, plane];
  }

  /** A run of this world was opened. */
  begin(): void {
    const n = Number(this.run.config["worlds"] ?? 0);
    write(this.#worlds, n > SHOWN ? `${SHOWN} of ${whole(n)}` : whole(n));
    this.#plane.reset();
  }

  draw(view: ControlView, seconds: number): void {
    this.#last = view;
    const { stage, valueMap } = view;
    const state = this.#stage.draw(stage, floats(stage.state), floats(stage.probabilities), seconds);
    this.#plane.draw(valueMap, floats(valueMap.values), stage, state, seconds);
    this.#phases.draw(view.phase, seconds, this.run.progress.running);
    this.#rest -= seconds;
    if (calm() && this.#rest > 0) return;
    this.#rest = CALM_SECONDS;
    this.wall.draw(floats(view.trainingStates), floats(view.trainingSteps), calm() ? CALM_SECONDS : seconds);
  }

  describe(): string {
    return this.#last ? this.kind.says(this.#last.stage, floats(this.#last.stage.state)) : "";
  }

  leave(): void {
    this.#stage.leave();
    this.wall.leave();
    this.#plane.leave();
    for (const part of this.parts) part.remove();
  }
}

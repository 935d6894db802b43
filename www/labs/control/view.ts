// The picture of the control lab: the choice of world, the stage, the wall of worlds, and the value map.

import { el, svg, write } from "../../core/dom";
import { formatInteger } from "../../core/format";
import { floats } from "../../core/floats";
import type { Settings } from "../../core/link";
import { firstSettingsWith } from "../../core/presets";
import type { Run } from "../../core/run";
import { reducedMotion } from "../../core/theme";
import type { ControlCommand, ControlView, ControlPhase, World } from "../../generated/protocol";
import type { LabView, Suggestion } from "../lab-view";
import { choiceCard, Choices } from "../../ui/choices";
import { Phases } from "../../ui/phases";
import { ValueMap } from "./value-map";
import { ControlStageView } from "./stage";
import { Wall } from "./wall";
import type { WorldKind } from "./worlds/world-kind";
import { KINDS } from "./worlds/list";
import "./control.css";

export const keys: [string, string][] = [["← →", "push the large world"]];

/** The phases and their names on the page. */
const PHASES: [ControlPhase, string][] = [
  ["collecting", "acting"],
  ["learning", "learning"],
  ["evaluating", "evaluation"],
];
/** The wall shows at most so many worlds. */
const MOST_WORLDS = 256;
/** Seconds between redraws of the wall where reduced motion is preferred. */
const REDUCED_MOTION_SECONDS = 0.5;

export function suggestions({ lab, settings: config }: Run): Suggestion[] {
  const { world, pushing: hold } = KINDS[config["world"] as World] ?? KINDS.cartpole;
  if (!lab) return [];
  const own = firstSettingsWith(lab, "world", world);
  const all = Object.values(KINDS);
  const next = all[all.findIndex((kind) => kind.world === world) + 1];
  const travel = next && {
    text: `Go on to ${next.name}: ${next.task}`,
    settings: firstSettingsWith(lab, "world", next.world),
  };
  return [
    ...(travel ? [travel] : []),
    { text: `Push it: drag ${hold.what} and watch it recover` },
    { text: "Learn in a single world", settings: { ...own, worlds: 1, horizon: 512, minibatches: 4 } },
    { text: "Make it short-sighted: a discount of 0.8", settings: { ...own, gamma: 0.8 } },
    { text: "Break it: a learning rate of 0.05", settings: { ...own, learning_rate: 0.05 } },
  ];
}

export function open(run: Run, restart: (settings: Settings) => void): LabView<ControlView> {
  const choice = worldChoice((world) => run.lab && restart(firstSettingsWith(run.lab, "world", world)));
  const element = el("div", { class: "captions control-view" });
  let picture: Picture | null = null;
  const opened = () => {
    if (!run.lab) return;
    const kind = KINDS[run.settings["world"] as World] ?? KINDS.cartpole;
    choice.show(kind.world);
    if (picture?.kind !== kind) {
      picture?.destroy();
      picture = new Picture(kind, run);
      element.append(...picture.parts);
    }
    picture.begin();
  };
  opened();
  return {
    element,
    choice: choice.element,
    // A view that was on its way when the world changed belongs to the previous one.
    draw: (view, seconds) => {
      if (view.world === picture?.kind.world) picture.draw(view, seconds);
    },
    opened,
    celebrate: () => picture?.wall.celebrate(),
    describe: () => picture?.describe() ?? "",
    destroy: () => picture?.destroy(),
  };
}

/** The picture of one kind of world. */
class Picture {
  readonly parts: HTMLElement[];
  readonly wall: Wall;
  #stage: ControlStageView;
  #valueMap: ValueMap;
  #phases = new Phases(PHASES);
  #worlds = el("span", { class: "num quiet" });
  #rest = 0;
  #last: ControlView | null = null;

  constructor(
    readonly kind: WorldKind,
    readonly run: Run,
  ) {
    const send = (command: ControlCommand) => run.command(command);
    this.#stage = new ControlStageView(kind, (strength) => send({ type: "push", strength }));
    this.wall = new Wall(kind);
    this.#valueMap = new ValueMap(kind);
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
    const plane = el("figure", { class: "value-map-figure" }, caption, this.#valueMap.element);
    this.parts = [this.#stage.element, wall, plane];
  }

  /** A run of this world was opened. */
  begin(): void {
    const n = Number(this.run.settings["worlds"] ?? 0);
    write(this.#worlds, n > MOST_WORLDS ? `${MOST_WORLDS} of ${formatInteger(n)}` : formatInteger(n));
    this.#valueMap.reset();
  }

  draw(view: ControlView, seconds: number): void {
    this.#last = view;
    const { stage, valueMap } = view;
    const state = this.#stage.draw(stage, floats(stage.state), floats(stage.probabilities), seconds);
    this.#valueMap.draw(valueMap, floats(valueMap.values), stage, state, seconds);
    this.#phases.draw(view.phase, seconds, this.run.progress.running);
    this.#rest -= seconds;
    if (reducedMotion() && this.#rest > 0) return;
    this.#rest = REDUCED_MOTION_SECONDS;
    this.wall.draw(
      floats(view.trainingStates),
      floats(view.trainingSteps),
      reducedMotion() ? REDUCED_MOTION_SECONDS : seconds,
    );
  }

  describe(): string {
    return this.#last ? this.kind.describe(this.#last.stage, floats(this.#last.stage.state)) : "";
  }

  destroy(): void {
    this.#stage.destroy();
    this.wall.destroy();
    this.#valueMap.destroy();
    for (const part of this.parts) part.remove();
  }
}

/** The choice of world, as a row of small drawings. */
function worldChoice(choose: (world: World) => void): Choices<World> {
  const choices = Object.values(KINDS).map(({ world, name, task, sign }) => {
    const drawing = svg(
      "svg",
      { viewBox: "0 0 40 28", class: "choice-sign", "aria-hidden": "true" },
      svg("path", { d: sign.still }),
      svg("path", { d: sign.moving, class: "moving" }),
    );
    return { value: world, content: choiceCard(drawing, name, task) };
  });
  return new Choices({ class: "choices", buttonClass: "choice", label: "World", choices, choose });
}

// The control lab's screen: a choice of world, the stage (one large world that a visitor pushes), a grid with small
// pictures of the training worlds, and the value map (the critic's value over two variables of the state). The picture
// of a world of the visitor's own comes from `OwnRun`, which loads what it needs when it is wanted.

import { el, svg, write } from "../../core/dom";
import { formatInteger } from "../../core/format";
import { floats } from "../../core/floats";
import type { Settings } from "../../core/link";
import { firstSettingsWith } from "../../core/presets";
import type { Run } from "../../core/run";
import { reducedMotion } from "../../core/theme";
import type { ControlCommand, ControlView, World } from "../../generated/protocol";
import type { LabView } from "../../ui/lab-view";
import { choiceCard, Choices } from "../../ui/choices";
import { Phases } from "../../ui/phases";
import { withTerms } from "../../ui/term";
import { OwnRun, type WorldPicture } from "./own-run";
import { PHASES } from "./phases";
import { ValueMap } from "./value-map";
import { aboutWords } from "./about-words";
import { ControlStageView } from "./stage";
import { WorldGrid } from "./world-grid";
import { rewardSentence } from "./reward-texts";
import type { BuiltInWorld, WorldKind } from "./worlds/world-kind";
import { WORLD_KINDS } from "./worlds/list";
import { yourScores } from "./your-scores";
import "./control.css";

export { default as recordedRuns } from "./goal-units.json";
export { story } from "./story";

/** The keys of the picture, for the list in the page's help: each with what it does. */
export const keys: [string, string][] = [["← →", "push in the large world"]];

/** The lab sends the states of at most this many training worlds (crates/labs/control/src/view.rs). */
const MAX_SHOWN_WORLDS = 256;
/** Seconds between redraws of the grid where reduced motion is preferred. */
const REDUCED_MOTION_SECONDS = 0.5;

export function open(run: Run, restart: (settings: Settings) => void): LabView<ControlView> {
  const choice = worldChoice((world) => run.lab && restart(firstSettingsWith(run.lab, "world", world)));
  const element = el("div", { class: "captions control-view" });
  let picture: WorldPicture | null = null;
  const problem = el("p", { class: "quiet", role: "alert", hidden: true });
  const showProblem = (text: string) => {
    write(problem, text);
    problem.hidden = text === "";
  };
  const own = new OwnRun(run, (settings) => restart(settings), showProblem);
  const opened = () => {
    if (!run.lab) return;
    // Undefined for a world of the visitor's own.
    const kind: WorldKind | undefined = WORLD_KINDS[run.settings["world"] as BuiltInWorld];
    choice.show(kind?.world ?? null);
    ownCard.setAttribute("aria-pressed", String(!kind));
    own.opened();
    let shown = picture;
    if (shown?.world !== (kind?.world ?? "own")) {
      shown?.destroy();
      shown = picture = kind ? new Picture(kind, run) : own.picture(element);
      element.append(...shown.parts);
    }
    shown.begin();
  };
  const ownCard = ownWorldCard(() => own.edit());
  choice.element.append(ownCard, problem);
  opened();
  return {
    element,
    choice: choice.element,
    show: (text) => own.openEditor({ shown: text }),
    hide: (part, isLost) => {
      own.hidden = part;
      if (isLost) own.refuse();
      ownCard.hidden = part !== null;
    },
    dataOfNewRun: (settings) => own.dataOfNewRun(settings),
    // A view that was sent before the world changed shows the previous world and is dropped.
    draw: (view, seconds) => {
      if (view.world === picture?.world) picture.draw(view, seconds);
    },
    opened,
    estimates: "choices and estimates",
    celebrate: () => picture?.celebrate(),
    describe: () => picture?.describe() ?? "",
    aboutWords: (about) => aboutWords(about, (run.settings["world"] ?? "cartpole") as World),
    headline: () => {
      const { world } = run.settings;
      return { comparison: rewardSentence(world), yours: yourScores.get(world) };
    },
    destroy: () => {
      own.destroy();
      picture?.destroy();
    },
  };
}

/** The button that opens the editor for worlds of one's own, beside the worlds. */
function ownWorldCard(open: () => void): HTMLElement {
  const sign = drawing({ fixed: "M6 4h28M6 24h20", moving: "M6 14h14" });
  const content = choiceCard(sign, "Your world", "write its rules, play it");
  return el(
    "button",
    {
      type: "button",
      class: "choice own-world-open",
      title: "Write the rules of a world, try it yourself, and let the agent learn it",
      on: { click: open },
    },
    ...content,
  );
}

/** The stage, the grid and the value map for one kind of world. */
class Picture implements WorldPicture {
  readonly parts: HTMLElement[];
  #worldGrid: WorldGrid;
  #stage: ControlStageView;
  #valueMap: ValueMap;
  #phases = new Phases(PHASES);
  #worldCount = el("span", { class: "num quiet" });
  /** Where reduced motion is preferred: seconds until the grid is drawn again. */
  #untilRedraw = 0;
  #latest: ControlView | null = null;

  constructor(
    readonly kind: WorldKind,
    readonly run: Run,
  ) {
    const send = (command: ControlCommand) => run.command(command);
    this.#stage = new ControlStageView(kind, (push) => send({ type: "push", strength: push }));
    this.#worldGrid = new WorldGrid(kind);
    this.#valueMap = new ValueMap(kind);
    const { cell, termination, terminationText } = kind;
    const [low, high] = cell.legend;
    const gridFigure = el(
      "figure",
      { class: "world-grid" },
      el("figcaption", {}, el("span", {}, "Training worlds ", this.#worldCount), this.#phases.element),
      el("div", { class: "world-grid-box" }, this.#worldGrid.canvas),
      el(
        "div",
        { class: "legend world-grid-legend" },
        el("span", { text: low }),
        el("span", { class: "legend-bar short" }),
        el("span", { text: high }),
        termination && el("span", { class: `ended ${termination}`, text: terminationText.legend }),
      ),
    );
    const mapCaption = el("figcaption", {}, el("span", {}, ...withTerms("Value function of the critic", "control")));
    const mapOf = el("p", {
      class: "value-map-of quiet",
      text: kind.mapOf,
    });
    const mapFigure = el("figure", { class: "value-map-figure" }, mapCaption, this.#valueMap.element, mapOf);
    this.parts = [this.#stage.element, gridFigure, mapFigure];
  }

  get world(): BuiltInWorld {
    return this.kind.world;
  }

  /** A run of this world was opened. */
  begin(): void {
    const n = Number(this.run.settings["worlds"] ?? 0);
    write(this.#worldCount, n > MAX_SHOWN_WORLDS ? `${MAX_SHOWN_WORLDS} of ${formatInteger(n)}` : formatInteger(n));
    this.#valueMap.reset();
  }

  draw(view: ControlView, seconds: number): void {
    this.#latest = view;
    const { stage, valueMap } = view;
    const state = this.#stage.draw(stage, floats(stage.state), floats(stage.probabilities), seconds);
    this.#valueMap.draw(valueMap, floats(valueMap.values), stage, state, seconds);
    this.#phases.draw(view.phase, seconds, this.run.progress.running);
    this.#untilRedraw -= seconds;
    if (reducedMotion() && this.#untilRedraw > 0) return;
    this.#untilRedraw = REDUCED_MOTION_SECONDS;
    this.#worldGrid.draw(
      floats(view.trainingStates),
      floats(view.trainingSteps),
      reducedMotion() ? REDUCED_MOTION_SECONDS : seconds,
    );
  }

  celebrate(): void {
    this.#worldGrid.celebrate();
  }

  describe(): string {
    return this.#latest ? this.kind.describe(this.#latest.stage, floats(this.#latest.stage.state)) : "";
  }

  destroy(): void {
    this.#stage.destroy();
    this.#worldGrid.destroy();
    this.#valueMap.destroy();
    for (const part of this.parts) part.remove();
  }
}

/** The choice of world, as a row of small drawings. */
function worldChoice(choose: (world: BuiltInWorld) => void): Choices<BuiltInWorld> {
  const choices = Object.values(WORLD_KINDS).map(({ world, name, task, icon }) => {
    return { value: world, content: choiceCard(drawing(icon), name, task) };
  });
  return new Choices({ class: "choices control-worlds", buttonClass: "choice", label: "World", choices, choose });
}

/** The small drawing on a choice. */
function drawing({ fixed, moving }: { fixed: string; moving: string }): SVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 40 28", class: "choice-sign", "aria-hidden": "true" },
    svg("path", { d: fixed }),
    svg("path", { d: moving, class: "moving" }),
  );
}

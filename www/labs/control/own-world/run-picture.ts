// The picture of a run that learns a world of the visitor's own: the stage, pictures of training worlds, the sliders of
// the parameters, and the value map over two observations. Loaded with the first such run.

import { el, listen, write } from "../../../core/dom";
import { floats } from "../../../core/floats";
import { formatInteger, formatNumber } from "../../../core/format";
import type { HiddenPart } from "../../../core/link";
import type { Run } from "../../../core/run";
import type { ControlCommand, ControlOwnWorld, ControlView } from "../../../generated/protocol";
import { Phases } from "../../../ui/phases";
import { withTerms } from "../../../ui/term";
import { PHASES } from "../phases";
import { ValueMap } from "../value-map";
import type { Axis } from "../worlds/world-kind";
import { Parameters } from "./parameters";
import { RunScores } from "./run-scores";
import { RunStage } from "./run-stage";
import { TrainingFault, withLineOf } from "./training-fault";
import { TrainingPictures } from "./training-pictures";
import "./own-world.css";
import "./run-picture.css";

/** A parameter is sent when its slider has rested for so long: each change is recorded with the run. */
const SEND_MS = 250;

/** The lab sends the pictures of at most this many training worlds. */
const MAX_SHOWN_WORLDS = 32;

/** What the picture asks for. */
export interface RunPictureActions {
  /** Gives the world of the run these values of its parameters. Returns false if that cannot be done now. */
  setParameters: (parameters: ControlOwnWorld["parameters"], values: number[]) => boolean;
  /** Opens the editor with the text of the world. */
  edit: () => void;
  /** What the page's link hides. */
  hidden: () => HiddenPart | null;
  /** The text of the world, if it is known and not hidden. */
  text: () => string | null;
}

export class RunPicture {
  readonly parts: HTMLElement[];
  #stage: RunStage;
  #training = new TrainingPictures();
  #phases = new Phases(PHASES);
  #trainingCount = el("span", { class: "num quiet" });
  #fault = new TrainingFault();
  #parameters: Parameters;
  #mapPlace = el("div", {});
  #axes: [HTMLSelectElement, HTMLSelectElement];
  #map: ValueMap | null = null;
  /** The names of the observations, and those on the axes of the map, to notice others. */
  #shownAxes = "";
  /** The values of the parameters that the visitor has set and the run does not have yet; null if there are none. */
  #wanted: number[] | null = null;
  /** Runs while a slider has not rested for long enough. */
  #sending: ReturnType<typeof setTimeout> | undefined;
  #scores: RunScores;
  #unsubscribe: () => void;
  #latest: (ControlView & { own: ControlOwnWorld }) | null = null;

  constructor(
    readonly run: Run,
    readonly actions: RunPictureActions,
  ) {
    const send = (command: ControlCommand) => run.command(command);
    this.#stage = new RunStage(send, actions);
    // What was sent counts until the run has it.
    this.#unsubscribe = run.on("configured", () => {
      if (this.#sending === undefined) this.#wanted = null;
    });
    this.#scores = new RunScores(run);
    this.#parameters = new Parameters((index, value) => this.#changed(index, value));
    const axis = (label: string) => el("select", { "aria-label": label });
    this.#axes = [axis("Observation on the horizontal axis"), axis("Observation on the vertical axis")];
    for (const select of this.#axes) {
      listen(select, {
        change: () => send({ type: "map", x: Number(this.#axes[0].value), y: Number(this.#axes[1].value) }),
      });
    }
    const training = el(
      "figure",
      { class: "world-grid" },
      el("figcaption", {}, el("span", {}, "Training worlds ", this.#trainingCount), this.#phases.element),
      el("div", { class: "world-grid-box" }, this.#training.element),
      this.#fault.element,
      this.#parameters.element,
    );
    const map = el(
      "figure",
      { class: "value-map-figure" },
      el("figcaption", {}, el("span", {}, ...withTerms("Value function of the critic", "control"))),
      this.#mapPlace,
      el(
        "div",
        { class: "row own-run-axes" },
        el("label", {}, "Across ", this.#axes[0]),
        el("label", {}, "Upwards ", this.#axes[1]),
      ),
      el("p", { class: "value-map-of quiet", text: "All other observations have the values of the large picture." }),
    );
    this.parts = [this.#stage.element, training, map];
  }

  /** A run of such a world was opened. */
  begin(): void {
    this.#forgetWanted();
    this.#scores.begin();
    this.#stage.begin();
    this.#map?.reset();
  }

  draw(view: ControlView, seconds: number): void {
    const { own, stage, valueMap } = view;
    if (!own) return;
    this.#latest = { ...view, own };
    this.#stage.draw(own, stage);
    this.#training.draw(floats(own.trainingShapes) as Float32Array<ArrayBuffer>, own.texts);
    const worlds = Number(this.run.settings["worlds"] ?? 0);
    const all = formatInteger(worlds);
    write(this.#trainingCount, worlds > MAX_SHOWN_WORLDS ? `${MAX_SHOWN_WORLDS} of ${all}` : all);
    this.#fault.show(own.trainingFault && withLineOf(own.trainingFault, this.actions.text()));
    this.#phases.draw(view.phase, seconds, this.run.progress.running);
    this.#showParameters(own);
    this.#showAxes(own, valueMap.fields);
    // The map shows observations in their own units; the view has them divided by their scales.
    const [seen, scales] = [floats(own.observation), floats(own.observationScales)];
    const observation = seen.map((x, i) => x * (scales[i] ?? 1));
    this.#map?.draw(valueMap, floats(valueMap.values), stage, observation, seconds);
  }

  #forgetWanted(): void {
    this.#wanted = null;
    clearTimeout(this.#sending);
    this.#sending = undefined;
  }

  #showParameters({ parameters }: ControlOwnWorld): void {
    this.#parameters.show(
      parameters.map(({ name, usual, low, high }) => ({ name, value: usual, low, high })),
      this.#wanted ?? parameters.map(({ value }) => value),
    );
  }

  #changed(index: number, value: number): void {
    const own = this.#latest?.own;
    if (!own) return;
    this.#wanted = (this.#wanted ?? own.parameters.map((parameter) => parameter.value)).with(index, value);
    clearTimeout(this.#sending);
    this.#sending = setTimeout(() => {
      this.#sending = undefined;
      // Without an answer the slider goes back to what the run has.
      if (this.#wanted && !this.actions.setParameters(own.parameters, this.#wanted)) this.#wanted = null;
    }, SEND_MS);
  }

  /** Offers the observations for the axes, and makes a map with other labels where they have changed. */
  #showAxes({ observationNames: names }: ControlOwnWorld, fields: [number, number]): void {
    const shown = JSON.stringify([names, fields]);
    if (shown === this.#shownAxes) return;
    this.#shownAxes = shown;
    this.#axes.forEach((select, i) => {
      select.replaceChildren(...names.map((name, field) => el("option", { value: String(field), text: name })));
      select.value = String(fields[i]);
    });
    const axis = (field: number): Axis => ({ label: names[field] ?? "", format: (value) => formatNumber(value, 2) });
    this.#map?.destroy();
    this.#map = new ValueMap({ axes: [axis(fields[0]), axis(fields[1])], termination: null });
    this.#mapPlace.replaceChildren(this.#map.element);
  }

  describe(): string {
    if (!this.#latest) return "";
    const { own, stage } = this.#latest;
    const end = stage.over ? " The episode has ended." : "";
    return `${own.title}: ${formatInteger(stage.steps)} steps, a score of ${formatNumber(stage.score, 3)}.${end}`;
  }

  destroy(): void {
    this.#forgetWanted();
    this.#unsubscribe();
    this.#scores.destroy();
    this.#stage.destroy();
    this.#training.destroy();
    this.#map?.destroy();
    for (const part of this.parts) part.remove();
  }
}

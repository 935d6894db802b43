// The drawing of a world with smooth motion, both pushes, and the end of the episode.

import type { ControlStage } from "../../generated/protocol";
import { StateInterpolator } from "./interpolation";
import type { WorldKind, State } from "./worlds/world-kind";
import "./drawing.css";

/** The agent may change its push fifty times a second, so a running mean is shown. */
const SETTLE_SECONDS = 0.12;

export class Scene {
  readonly drawing;
  #interpolator;
  #push = 0;

  constructor(readonly kind: WorldKind) {
    this.drawing = kind.drawing();
    this.#interpolator = new StateInterpolator(kind.motion);
  }

  /** Draws a state, and returns the interpolated state that is seen. */
  draw(stage: ControlStage, state: State, seconds: number): State {
    const shown = this.#interpolator.move(state, stage, seconds);
    this.#push += ((stage.over ? 0 : stage.agent) - this.#push) * (1 - Math.exp(-seconds / SETTLE_SECONDS));
    this.drawing.draw(shown, this.#push, stage.visitor);
    const { element } = this.drawing;
    element.classList.toggle("fell", stage.over && this.kind.ends === "fall");
    element.classList.toggle("there", stage.over && this.kind.ends === "goal");
    return shown;
  }
}

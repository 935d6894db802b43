// The large drawing of a world with smooth motion: the state between two steps, the pushes of the agent and the
// visitor, and the end of an episode. The stage shows it.

import type { ControlStage } from "../../generated/protocol";
import { StateInterpolator } from "./interpolation";
import type { WorldKind, State } from "./worlds/world-kind";
import "./drawing.css";

/** Time constant of the shown push, which is an average: the agent may change its push fifty times a second. */
const PUSH_SMOOTHING_SECONDS = 0.12;

export class Scene {
  readonly drawing;
  #interpolator;
  /** The exponential moving average of the agent's push. */
  #agentPush = 0;

  constructor(readonly kind: WorldKind) {
    this.drawing = kind.createDrawing();
    this.#interpolator = new StateInterpolator(kind.motion);
  }

  /** Draws a state that is shown for `seconds`, and returns the interpolated state. */
  draw(stage: ControlStage, state: State, seconds: number): State {
    const shown = this.#interpolator.advance(state, stage, seconds);
    const push = stage.over ? 0 : stage.agent; // `over`: the episode has just ended
    this.#agentPush += (push - this.#agentPush) * (1 - Math.exp(-seconds / PUSH_SMOOTHING_SECONDS));
    this.drawing.draw(shown, this.#agentPush, stage.visitor);
    const { element } = this.drawing;
    element.classList.toggle("fell", stage.over && this.kind.termination === "fall");
    element.classList.toggle("there", stage.over && this.kind.termination === "goal");
    return shown;
  }
}

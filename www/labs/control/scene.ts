// A stage as it is drawn: the world's own drawing, in smooth motion, with both pushes and how its episode ended.

import type { ControlStage as Stage } from "../../generated/protocol";
import { Glide } from "./glide";
import type { Kind, State } from "./worlds/kind";

/** An agent may change its mind fifty times a second; what one can see is the mean of late. */
const SETTLE_SECONDS = 0.12;

export class Scene {
  readonly drawing;
  #glide;
  #push = 0;

  constructor(readonly kind: Kind) {
    this.drawing = kind.drawing();
    this.#glide = new Glide(kind.motion);
  }

  /** Draws it, and gives back the state as it is seen. */
  draw(stage: Stage, state: State, seconds: number): State {
    const shown = this.#glide.move(state, stage, seconds);
    this.#push += ((stage.over ? 0 : stage.agent) - this.#push) * (1 - Math.exp(-seconds / SETTLE_SECONDS));
    this.drawing.draw(shown, this.#push, stage.visitor);
    const { element } = this.drawing;
    element.classList.toggle("fell", stage.over && this.kind.ends === "fall");
    element.classList.toggle("there", stage.over && this.kind.ends === "goal");
    return shown;
  }
}

// The control lab's picture in the gallery: the stage of the current run, or a still cart-pole if there is none.

import { el } from "../../core/dom";
import type { ControlView, ControlStage } from "../../generated/protocol";
import type { CardPicture } from "../lab-view";
import { floats } from "../../core/floats";
import { Scene } from "./scene";
import { WORLD_KINDS } from "./worlds/list";

/**
 * A cart-pole left of the middle whose pole leans to the right, while the agent pushes to the right: position, speed,
 * angle, angular speed.
 */
const STILL_STATE = [-0.35, 0, 0.11, 0];
const STILL_STAGE: ControlStage = {
  state: new Uint8Array(),
  probabilities: new Uint8Array(),
  value: 0,
  agent: 1,
  visitor: 0,
  steps: 1,
  score: 1,
  episode: 0,
  bestSteps: 1,
  fewestSteps: 0,
  over: false,
};
/** Long enough for the arrow of the agent's push to reach its full length. */
const STILL_SECONDS = 1;

export function controlCard(): CardPicture<ControlView> {
  let scene = new Scene(WORLD_KINDS.cartpole);
  const element = el("span", {});
  element.append(scene.drawing.element);
  scene.draw(STILL_STAGE, STILL_STATE, STILL_SECONDS);
  return {
    element,
    draw(view, seconds) {
      const { world, stage } = view;
      if (world !== scene.kind.world) {
        scene = new Scene(WORLD_KINDS[world]);
        element.replaceChildren(scene.drawing.element);
      }
      scene.draw(stage, floats(stage.state), seconds);
    },
  };
}

// The control lab in the gallery: the world of the running run, or a still cart-pole.

import { el } from "../../core/dom";
import type { ControlView, ControlStage } from "../../generated/protocol";
import type { CardPicture } from "../lab-view";
import { floats } from "../../core/floats";
import { Scene } from "./scene";
import { KINDS } from "./worlds/list";

const STILL: ControlStage = {
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

export function controlCard(): CardPicture<ControlView> {
  let scene = new Scene(KINDS.cartpole);
  const element = el("span", {});
  element.append(scene.drawing.element);
  scene.draw(STILL, [-0.35, 0, 0.11, 0], 1);
  return {
    element,
    draw(view, seconds) {
      const { world, stage } = view;
      if (world !== scene.kind.world) {
        scene = new Scene(KINDS[world]);
        element.replaceChildren(scene.drawing.element);
      }
      scene.draw(stage, floats(stage.state), seconds);
    },
  };
}

// The control lab in the gallery: its cart-pole, small.

import type { ControlView, Stage } from "../../generated/protocol";
import type { CardPicture } from "../cards";
import { StageDrawing } from "./stage-drawing";

const STILL: Stage = {
  state: [-0.35, 0, 0.11, 0],
  probabilities: [0.2, 0.8],
  value: 0,
  agentForce: 10,
  visitorForce: 0,
  steps: 1,
  bestSteps: 1,
  fallen: false,
};

export function cartPoleCard(): CardPicture {
  const drawing = new StageDrawing();
  drawing.draw(STILL, null, 1);
  return {
    element: drawing.element,
    draw: (view, seconds) => drawing.draw((view as ControlView).stage, null, seconds),
  };
}

// The cube lab in the gallery: a half-turned cube, or the cube of the running run.

import { el } from "../../core/dom";
import type { CardPicture } from "../lab-view";
import type { CubeView } from "../../generated/protocol";
import { moveOf, SOLVED, turn, UPS, type CubeState } from "./space";
import { CubeMirror } from "./cube-mirror";

const STILL = ["R", "U", "F'", "U'", "R", "F"];

export function cubeCard(): CardPicture<CubeView> {
  const cube = new CubeMirror(() => {});
  let state: CubeState = { stickers: SOLVED, ups: UPS };
  for (const name of STILL) state = turn(state, moveOf(name));
  cube.animation.show(state);
  return {
    element: el("span", { class: "cube-card" }, cube.animation.drawing.element),
    draw(view, seconds) {
      cube.follow(view.stage, seconds);
    },
  };
}

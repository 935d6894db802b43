// The cube lab's picture in the gallery: the stage of the current run, or a still, scrambled cube if there is none.

import { el } from "../../core/dom";
import type { CardPicture } from "../lab-view";
import type { CubeView } from "../../generated/protocol";
import { moveOf, SOLVED, turn, STICKER_UPS, type CubeState } from "./space";
import { CubeMirror } from "./cube-mirror";

const STILL_SCRAMBLE = ["R", "U", "F'", "U'", "R", "F"];

export function cubeCard(): CardPicture<CubeView> {
  const cube = new CubeMirror(() => {}); // The card sends no commands.
  let state: CubeState = { stickers: SOLVED, ups: STICKER_UPS };
  for (const name of STILL_SCRAMBLE) state = turn(state, moveOf(name));
  cube.animation.show(state);
  return {
    element: el("span", { class: "cube-card" }, cube.animation.drawing.element),
    draw(view, seconds) {
      cube.follow(view.stage, seconds);
    },
  };
}

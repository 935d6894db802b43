// The cube lab in the gallery: a cube that somebody has begun to turn; the one of the run where that goes on.

import { el } from "../../core/dom";
import type { CardPicture } from "../cards";
import type { CubeView } from "../../generated/protocol";
import { moveOf, SOLVED, turned, UPS, type Looks } from "./space";
import { Twin } from "./twin";

const STILL = ["R", "U", "F'", "U'", "R", "F"];

export function cubeCard(): CardPicture {
  const twin = new Twin(() => {});
  let looks: Looks = { stickers: SOLVED, ups: UPS };
  for (const name of STILL) looks = turned(looks, moveOf(name));
  twin.motion.show(looks);
  return {
    element: el("span", { class: "cube-card" }, twin.motion.solid.element as never),
    draw(raw, seconds) {
      twin.follow((raw as CubeView).stage, seconds);
    },
  };
}

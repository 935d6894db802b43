// What a link carries of the cube lab: the last turns as pictures, and the cube with the turns that led to it.

import { FACES, solvedStickers, type Size } from "./space";
import type { CubeView } from "../../generated/protocol";
import type { LabMoment } from "../../ui/lab-moment";
import { writeShown } from "./shown";

const SIZES: Size[] = [2, 3];

export const moment: LabMoment<CubeView> = {
  rate: 1.2,
  frames: 12,
  turns: true,
  isDrawable: ({ bytes, frameSize }) =>
    SIZES.some((size) => frameSize === solvedStickers(size).length) &&
    bytes.every((byte) => FACES.includes(String.fromCharCode(byte))),
  shownWords: "the cube with its turns",
  shown: writeShown,
};

// What a link carries of the control lab: the last seconds of the stage, and the actor rounded to 8 bits.

import { roundedActor } from "./moment-actor";
import type { LabMoment } from "../../ui/lab-moment";
import type { ControlView } from "../../generated/protocol";
import { FRAME_OFFSETS } from "./picture";

/** Worlds that have a small picture: the built-in ones. */
const DRAWN_WORLDS = 4;

export const moment: LabMoment<ControlView> = {
  rate: 12.5,
  frames: 50,
  isDrawable: ({ bytes, frameSize }) =>
    frameSize === FRAME_OFFSETS.length && bytes.every((byte, i) => i % frameSize > 0 || byte < DRAWN_WORLDS),
  copy: roundedActor,
};

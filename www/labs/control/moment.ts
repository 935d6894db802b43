// What a link carries of the control lab: the last seconds of the stage, and the actor rounded to 8 bits.

import { roundedActor } from "./moment-actor";
import type { LabMoment } from "../../ui/lab-moment";
import type { ControlView } from "../../generated/protocol";
import { fillOwnFrame, isOwnClip, OWN_WORLD, ownFrame, paintOwn } from "./own-world/moment-frames";
import { FRAME_OFFSETS } from "./picture";

/** What is seen of the built-in worlds, by their number in a frame, and of one of a visitor's own. */
const WORDS = [
  "a cart that keeps a pole upright",
  "a car between two hills",
  "a pendulum that is swung up",
  "two rods that are swung up",
  "a world of one's own",
];

export const moment: LabMoment<ControlView> = {
  rate: 12.5,
  frames: 50,
  isDrawable: (clip) => {
    const { bytes, frameSize } = clip;
    if (bytes[0] === OWN_WORLD) return isOwnClip(clip);
    return frameSize === FRAME_OFFSETS.length && bytes.every((byte, i) => i % frameSize > 0 || byte < OWN_WORLD);
  },
  picture: (small) => ({
    ...small,
    // The first frame tells which kind a clip has: one of both kinds cannot be drawn (`isDrawable`).
    fill: fillOwnFrame,
    encode: (view) => (view.world === "own" ? ownFrame(view) : small.encode(view)),
    paint: (surface, clip, position) =>
      clip.bytes[0] === OWN_WORLD ? paintOwn(surface, clip, position) : small.paint(surface, clip, position),
  }),
  words: (frame) => WORDS[frame[0] ?? 0] ?? "",
  copy: roundedActor,
};

// What a link to a moment of the logic lab carries: the last steps of the grid, computed with hard gates (of each gate
// the likeliest function), and an exact copy of the circuit of these gates.

import type { LogicView } from "../../generated/protocol";
import type { LabMoment } from "../../ui/lab-moment";
import { decidedCircuit } from "./decided-circuit";

/** Bytes before the cells of a frame: width, height, and how many channels are shown. */
const CELLS_OFFSET = 3;
/** Black and white, or colours. */
const SHOWN_CHANNELS = [1, 3];

export const moment: LabMoment<LogicView> = {
  rate: 8,
  frames: 24,
  turns: true,
  isDrawable: ({ bytes, frameSize }) => {
    for (let start = 0; start < bytes.length; start += frameSize) {
      const [width = 0, height = 0, shown = 0] = bytes.subarray(start);
      const isFrame = width > 0 && height > 0 && SHOWN_CHANNELS.includes(shown);
      if (!isFrame || frameSize !== CELLS_OFFSET + Math.ceil((width * height * shown) / 8)) return false;
    }
    return true;
  },
  copy: decidedCircuit,
};

// What a link carries of the backgammon lab: the last turns as pictures, and the position with its roll as an XGID.

import type { BackgammonView } from "../../generated/protocol";
import type { LabMoment } from "../../ui/lab-moment";
import { positionOf } from "./look-ahead/words";
import { CHECKERS_PER_SIDE, PLACE_COUNT } from "./position";
import { XGID_PREFIX } from "./set-up/xgid";

/** The dice and the side that rolled them stand before the board. */
const BOARD_OFFSET = 3;
/** The highest number of a die. */
const HIGHEST_NUMBER = 6;

export const moment: LabMoment<BackgammonView> = {
  rate: 0.8,
  frames: 6,
  turns: true,
  isDrawable: ({ bytes, frameSize }) => {
    if (frameSize !== BOARD_OFFSET + PLACE_COUNT) return false;
    for (let start = 0; start < bytes.length; start += frameSize)
      if (!isFrame(bytes.subarray(start, start + frameSize))) return false;
    return true;
  },
  shownWords: "the position with its roll",
  shown: ({ stage }) => positionOf(stage).slice(XGID_PREFIX.length),
};

/** Whether a frame has dice, a side, and at most fifteen checkers of each side. */
function isFrame(frame: Uint8Array): boolean {
  const [first = 0, second = 0, side = 0] = frame;
  const board = [...new Int8Array(frame.slice(BOARD_OFFSET).buffer)];
  const checkers = (sign: number) => board.reduce((sum, count) => sum + Math.max(0, sign * count), 0);
  return (
    Math.max(first, second) <= HIGHEST_NUMBER && side <= 1 && Math.max(checkers(1), checkers(-1)) <= CHECKERS_PER_SIDE
  );
}

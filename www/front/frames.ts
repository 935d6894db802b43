// What the front keeps of a lab's view: a frame of a few bytes, from which it draws the lab's small picture. Recordings
// consist of frames, and the open run is shown by the same ones.

import { floats } from "../core/floats";
import { wrapAngle } from "../core/motion";
import type { LabTypes, World } from "../generated/protocol";

/** Encodes a lab's view as a frame. */
export const FRAME_ENCODERS: { [Id in keyof LabTypes]: (view: LabTypes[Id]["view"]) => Uint8Array } = {
  /** See `CONTROL`. */
  control({ world, stage }) {
    const state = floats(stage.state);
    const frame = new Uint8Array(CONTROL.length);
    const data = new DataView(frame.buffer);
    data.setUint8(CONTROL.world, WORLDS.indexOf(world));
    data.setUint8(CONTROL.over, Number(stage.over));
    data.setInt8(CONTROL.push, Math.round(Math.max(-1, Math.min(1, stage.agent)) * PUSH_STEPS));
    // Positions are between -π and π already, so wrapping leaves them as they are.
    STATE_PLACES[world].forEach((from, i) => {
      data.setInt16(CONTROL.state + 2 * i, Math.round(wrapAngle(state[from] as number) * STATE_STEPS));
    });
    return frame;
  },
  /** The dice, the side that rolled them, and the checkers on 26 places as 8-bit integers (see position.ts). */
  backgammon({ stage }) {
    return Uint8Array.from([...stage.dice, stage.side, ...stage.board]);
  },
  /** The colours of the 24 or 54 stickers as ASCII letters, face by face. */
  cube({ stage }) {
    return new TextEncoder().encode(stage.stickers);
  },
  /** Width, height, number of channels; then a bit for each cell of each channel, the first the lowest of its byte. */
  logic({ stage }) {
    const { width, height, shown, hard } = stage;
    const frame = new Uint8Array(LOGIC_CELLS + Math.ceil(hard.length / 8));
    frame.set([width, height, shown]);
    hard.forEach((value, i) => {
      frame[LOGIC_CELLS + (i >> 3)] = (frame[LOGIC_CELLS + (i >> 3)] as number) | (value << (i & 7));
    });
    return frame;
  },
  /** The sample so far, as characters up to U+00FF. A recording has a frame for each of them. */
  language({ sample }) {
    return Uint8Array.from(sample.text, (character) => {
      const code = character.codePointAt(0) as number;
      return code <= 0xff ? code : "?".charCodeAt(0);
    });
  },
};

/** The worlds of the control lab, by their number in a frame. */
export const WORLDS: World[] = ["cartpole", "mountaincar", "pendulum", "acrobot"];
/** Offsets in a frame of the control lab; `state` is that of two 16-bit integers, big-endian as in a DataView. */
export const CONTROL = { world: 0, over: 1, push: 2, state: 3, length: 7 };
/** Of each state, the two variables that are drawn: positions and angles. */
const STATE_PLACES: Record<World, number[]> = { cartpole: [0, 2], mountaincar: [0], pendulum: [0], acrobot: [0, 1] };
/** The numbers that stand for a push of 1, and for a length of a metre or an angle of a radian. */
export const PUSH_STEPS = 100;
export const STATE_STEPS = 2000;
/** Offset of the first cells in a frame of the logic lab. */
export const LOGIC_CELLS = 3;

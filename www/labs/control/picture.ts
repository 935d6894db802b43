// The control lab in small: the stage's cart, car or rods, and the push of the agent.

import { floats } from "../../core/floats";
import { between, wrapAngle } from "../../core/motion";
import type { ControlView } from "../../generated/protocol";
import type { Picture, Surface } from "../../ui/small-picture/picture";
import { frameAt } from "../../ui/small-picture/recording";
import type { BuiltInWorld } from "./worlds/world-kind";

export { default as recording } from "./recording.json";

/** The worlds, by their number in a frame. */
const WORLDS: BuiltInWorld[] = ["cartpole", "mountaincar", "pendulum", "acrobot"];
/**
 * Byte offsets of what a frame holds, and `length`, the bytes of a frame. At `state` are two 16-bit integers,
 * big-endian as in a DataView.
 */
export const FRAME_OFFSETS = { world: 0, over: 1, push: 2, state: 3, length: 7 };
/** The indices of the variables of each world's state that are drawn: positions and angles. */
const DRAWN_VARIABLES: Record<BuiltInWorld, number[]> = {
  cartpole: [0, 2],
  mountaincar: [0],
  pendulum: [0],
  acrobot: [0, 1],
};
/** The integers in a frame that stand for a push of 1, and for a length of a metre or an angle of a radian. */
export const PUSH_SCALE = 100;
export const STATE_SCALE = 2000;
/** Two numbers that differ by more than this belong to two episodes, or to both ends of a circle. */
const MIN_JUMP = 0.8;
/** Weaker pushes have no arrow. */
const MIN_PUSH = 0.06;

/** What is drawn of a world: its two numbers (see `DRAWN_VARIABLES`), and the push. */
type Draw = (surface: Surface, a: number, b: number, push: number) => void;

/** The number of a world of the visitor's own in a frame. It has no small picture. */
const OWN_WORLD = WORLDS.length;
/** Draws each world, in the order of `WORLDS`, and nothing of one's own. */
const DRAW_FUNCTIONS: Draw[] = [drawCartPole, drawMountainCar, drawPendulum, drawAcrobot, () => {}];

export const picture: Picture<ControlView> = {
  encode({ world, stage }) {
    const state = floats(stage.state);
    const frame = new Uint8Array(FRAME_OFFSETS.length);
    const data = new DataView(frame.buffer);
    data.setUint8(FRAME_OFFSETS.world, world === "own" ? OWN_WORLD : WORLDS.indexOf(world));
    data.setUint8(FRAME_OFFSETS.over, Number(stage.over));
    data.setInt8(FRAME_OFFSETS.push, Math.round(Math.max(-1, Math.min(1, stage.agent)) * PUSH_SCALE));
    // Positions are between -π and π already, so wrapping leaves them as they are.
    const drawn = world === "own" ? [] : DRAWN_VARIABLES[world];
    drawn.forEach((from, i) => {
      data.setInt16(FRAME_OFFSETS.state + 2 * i, Math.round(wrapAngle(state[from] as number) * STATE_SCALE));
    });
    return frame;
  },
  transitionSeconds: 0,
  words: "a cart that keeps a pole upright",
  isLike: ({ world = "cartpole" }) => world === "cartpole",
  draws: ({ world }) => world !== "own",
  paint(surface, clip, position) {
    const [from, to] = [readFrame(frameAt(clip, position)), readFrame(frameAt(clip, position + 1))];
    const fraction = position % 1;
    const mixed = (a: number, b: number) => (Math.abs(a - b) > MIN_JUMP ? a : between(a, b, fraction));
    const { context, palette } = surface;
    context.lineCap = context.lineJoin = "round";
    surface.palette = from.over ? { ...palette, learn: palette.worse } : palette;
    const draw = DRAW_FUNCTIONS[from.world] as Draw;
    draw(surface, mixed(from.a, to.a), mixed(from.b, to.b), from.over ? 0 : from.push);
    surface.palette = palette;
  },
};

function readFrame(frame: Uint8Array) {
  const data = new DataView(frame.buffer, frame.byteOffset);
  return {
    world: Math.min(data.getUint8(FRAME_OFFSETS.world), OWN_WORLD),
    // Only in CartPole does the end of an episode mean a failure: the pole has fallen. Elsewhere the goal was reached.
    over: data.getUint8(FRAME_OFFSETS.over) !== 0 && data.getUint8(FRAME_OFFSETS.world) === 0,
    push: data.getInt8(FRAME_OFFSETS.push) / PUSH_SCALE,
    a: data.getInt16(FRAME_OFFSETS.state) / STATE_SCALE,
    b: data.getInt16(FRAME_OFFSETS.state + 2) / STATE_SCALE,
  };
}

/** A line through points, in one colour. */
function drawLine({ context }: Surface, colour: string, width: number, ...points: [number, number][]): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.stroke();
}

function drawDisc({ context }: Surface, colour: string, x: number, y: number, radius: number): void {
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

/** An arrow for a push to the left or to the right, which begins at (x, y). */
function drawArrow(surface: Surface, x: number, y: number, length: number): void {
  const { context, palette } = surface;
  const head = Math.sign(length) * 8;
  drawLine(surface, palette.learn, 3, [x, y], [x + length, y]);
  context.fillStyle = palette.learn;
  context.beginPath();
  context.moveTo(x + length, y - 5);
  context.lineTo(x + length + head, y);
  context.lineTo(x + length, y + 5);
  context.fill();
}

/** Half the track of CartPole in metres. Its pole is one metre long. */
const HALF_TRACK = 2.4;

function drawCartPole(surface: Surface, position: number, angle: number, push: number): void {
  const { context, width, height, palette } = surface;
  const metre = width / 5.3;
  const ground = height * 0.8;
  const [left, right] = [width / 2 - HALF_TRACK * metre, width / 2 + HALF_TRACK * metre];
  drawLine(surface, palette["line-strong"], 2, [left, ground], [right, ground]);
  const { globalAlpha } = context;
  context.globalAlpha = 0.75 * globalAlpha;
  for (const end of [left, right])
    drawLine(surface, palette.worse, 3, [end, ground - 0.17 * metre], [end, ground + 0.04 * metre]);
  context.globalAlpha = globalAlpha;
  const [x, axle] = [width / 2 + position * metre, ground - 0.19 * metre];
  const [halfCart, wheel] = [0.29 * metre, 0.06 * metre];
  for (const side of [-1, 1]) drawDisc(surface, palette["ink-2"], x + side * 0.16 * metre, ground - wheel, wheel);
  context.fillStyle = palette.ink;
  context.beginPath();
  context.roundRect(x - halfCart, axle - 0.125 * metre, 2 * halfCart, 0.25 * metre, 0.045 * metre);
  context.fill();
  const tip: [number, number] = [x + Math.sin(angle) * metre, axle - Math.cos(angle) * metre];
  drawLine(surface, palette.learn, 0.066 * metre, [x, axle], tip);
  drawDisc(surface, palette.well, x, axle, 0.033 * metre);
  if (Math.abs(push) > MIN_PUSH) drawArrow(surface, x + Math.sign(push) * (halfCart + 6), axle, push * 0.3 * metre);
}

/** The ground of MountainCar that is drawn: its left end, its length, and the straight pieces of its outline. */
const [GROUND_START, GROUND_LENGTH, GROUND_PIECES] = [-1.25, 1.9, 60];
/** The position of the flag. */
const FLAG_POSITION = 0.5;

/** Draws the car's position in the valley, whose height is the sine of three times the position. */
function drawMountainCar(surface: Surface, position: number, _unused: number, push: number): void {
  const { width, height, palette } = surface;
  const x = (place: number) => ((place - GROUND_START) / GROUND_LENGTH) * width;
  const y = (place: number) => height * (0.55 - 0.3 * Math.sin(3 * place));
  const hill = Array.from({ length: GROUND_PIECES + 1 }, (_, i) => GROUND_START + (i / GROUND_PIECES) * GROUND_LENGTH);
  drawLine(surface, palette["line-strong"], 2, ...hill.map((place): [number, number] => [x(place), y(place)]));
  const [flagX, flagY] = [x(FLAG_POSITION), y(FLAG_POSITION)];
  drawLine(surface, palette["ink-2"], 2.5, [flagX, flagY], [flagX, flagY - 0.14 * height]);
  drawDisc(surface, palette.learn, x(position), y(position) - 0.05 * height, 0.05 * height);
  if (Math.abs(push) > MIN_PUSH) {
    const from = x(position) + Math.sign(push) * 0.08 * height;
    drawArrow(surface, from, y(position) - 0.05 * height, push * 0.1 * width);
  }
}

/** The pendulum's angle is 0 when it stands upright. */
function drawPendulum(surface: Surface, angle: number): void {
  const { width, height, palette } = surface;
  const [x, y, rod] = [width / 2, height / 2, 0.34 * height];
  const [endX, endY] = [x - Math.sin(angle) * rod, y - Math.cos(angle) * rod];
  drawLine(surface, palette.learn, 0.045 * height, [x, y], [endX, endY]);
  drawDisc(surface, palette.learn, endX, endY, 0.06 * height);
  drawDisc(surface, palette.ink, x, y, 0.03 * height);
}

/** The upper rod's angle is 0 when it hangs down; the lower one's is relative to it. */
function drawAcrobot(surface: Surface, upper: number, lower: number): void {
  const { width, height, palette } = surface;
  const [x, y, rod] = [width / 2, 0.45 * height, 0.21 * height];
  drawLine(surface, palette["line-strong"], 2, [x - 2.5 * rod, y - rod], [x + 2.5 * rod, y - rod]);
  const joint: [number, number] = [x + Math.sin(upper) * rod, y + Math.cos(upper) * rod];
  const end: [number, number] = [joint[0] + Math.sin(upper + lower) * rod, joint[1] + Math.cos(upper + lower) * rod];
  drawLine(surface, palette.learn, 0.04 * height, [x, y], joint, end);
  drawDisc(surface, palette.ink, x, y, 0.03 * height);
  drawDisc(surface, palette.ink, ...joint, 0.03 * height);
}

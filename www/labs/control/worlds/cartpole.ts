// CartPole-v1: a pole on a cart, which the agent keeps upright by pushing the cart left or right.
//
// The state is the cart's position (m, 0 in the middle, positive to the right), its speed (m/s), the pole's angle (rad,
// 0 upright, positive clockwise) and its angular speed (rad/s). Drawings use SVG units, with y downwards.

import { svg } from "../../../core/dom";
import { formatCount, formatInteger } from "../../../core/format";
import {
  clamp,
  criticReadout,
  formatDegrees,
  inDegrees,
  signedDecimals,
  type WorldDrawing,
  type WorldKind,
  type State,
} from "./world-kind";
import { ForceArrow, rotate, stageSvg, trackEnd, translate, WIDTH } from "./drawing";

/** Indices of the state's variables. */
const [POSITION, SPEED, ANGLE, ANGULAR_SPEED] = [0, 1, 2, 3];
/** Half the length of the track, in metres. The episode ends when the cart leaves it. */
const HALF_TRACK_LENGTH = 2.4;
/** Length of the pole, in metres. */
const POLE_LENGTH = 1.0;
/** The episode ends when the pole leans more than this, in radians. */
const MAX_LEAN = (12 * Math.PI) / 180;
/** The most steps of an episode. */
const TIME_LIMIT = 500;

// The large drawing, in SVG units.
/** Length of a metre. */
const METRE_LENGTH = 152;
/** Heights of the track and of the pole's axle. */
const GROUND_Y = 252;
const AXLE_Y = GROUND_Y - 29;
/** Half the width of the cart. */
const HALF_CART_WIDTH = 44;
/** The push from dragging the cart by a metre, in units of the agent's force. */
const PUSH_PER_METRE = 1.4;

// The small drawing, as fractions of a cell's size.
/** Distance from the middle of the cell to either end of the track. */
const CELL_HALF_TRACK = 0.4;
/** Height of the axle, measured from the top, and length of the pole. */
const CELL_AXLE_Y = 0.8;
const CELL_POLE_LENGTH = 0.56;
const CELL_CART = { width: 0.2, height: 0.09, top: 0.755 };
/** Twelve degrees are hard to see in a small cell, so angles are multiplied by this and limited to `MAX_CELL_LEAN`. */
const LEAN_EXAGGERATION = 2.6;
const MAX_CELL_LEAN = 0.6;

const xOf = (position: number) => WIDTH / 2 + position * METRE_LENGTH;

function createDrawing(): WorldDrawing {
  const pole = svg(
    "g",
    {},
    svg("line", { class: "rod", y2: -POLE_LENGTH * METRE_LENGTH }),
    svg("circle", { class: "hub", r: 5 }),
  );
  // The origin of the cart's group is the axle.
  const cart = svg(
    "g",
    {},
    leanMark(-MAX_LEAN),
    leanMark(MAX_LEAN),
    svg("circle", { cx: -24, cy: 20, r: 9, class: "wheel" }),
    svg("circle", { cx: 24, cy: 20, r: 9, class: "wheel" }),
    svg("rect", { class: "body", x: -HALF_CART_WIDTH, y: -19, width: 2 * HALF_CART_WIDTH, height: 38, rx: 7 }),
    pole,
  );
  const [agentArrow, visitorArrow] = [new ForceArrow("agent"), new ForceArrow("visitor")];
  return {
    element: stageSvg(...track(), cart, agentArrow.element, visitorArrow.element),
    draw(state, agentPush, visitorPush) {
      const x = xOf(state[POSITION] as number);
      cart.setAttribute("transform", translate(x, AXLE_Y));
      pole.setAttribute("transform", rotate(inDegrees(state[ANGLE] as number)));
      agentArrow.draw(x, AXLE_Y - 4, HALF_CART_WIDTH + 6, agentPush);
      visitorArrow.draw(x, AXLE_Y + 12, HALF_CART_WIDTH + 6, visitorPush);
    },
    pull(state, { x }) {
      const from = { x: xOf(state[POSITION] as number), y: AXLE_Y };
      return { from, to: { x, y: AXLE_Y }, push: ((x - from.x) / METRE_LENGTH) * PUSH_PER_METRE };
    },
  };
}

/** A dashed line from the axle that marks the largest allowed lean. It is a little longer than the pole. */
function leanMark(angle: number): SVGLineElement {
  const length = 1.16 * POLE_LENGTH * METRE_LENGTH;
  return svg("line", { class: "angle-mark", x2: Math.sin(angle) * length, y2: -Math.cos(angle) * length });
}

/** The track with a tick for each metre and a buffer at each end. */
function track(): SVGElement[] {
  const [left, right] = [xOf(-HALF_TRACK_LENGTH), xOf(HALF_TRACK_LENGTH)];
  const parts: SVGElement[] = [svg("line", { x1: left, x2: right, y1: GROUND_Y, y2: GROUND_Y, class: "rail" })];
  for (let metre = -2; metre <= 2; metre++) {
    const [x, tick] = [xOf(metre), metre === 0 ? 10 : 6];
    parts.push(svg("line", { x1: x, x2: x, y1: GROUND_Y, y2: GROUND_Y + tick, class: "rail" }));
  }
  return [...parts, trackEnd(left, GROUND_Y), trackEnd(right, GROUND_Y)];
}

/** The x coordinate of the cart in a cell with left edge `x` and width `w`. */
const cellX = (states: State, offset: number, x: number, w: number) =>
  x + w * (0.5 + ((states[offset + POSITION] as number) / HALF_TRACK_LENGTH) * CELL_HALF_TRACK);

export const cartpole: WorldKind = {
  world: "cartpole",
  name: "CartPole",
  task: "keep the pole up",
  goal: "the pole has to stay up for 490 of 500 steps",
  icon: { fixed: "M4 25h32M11 18h16v5h-16z", moving: "M19 17 25 3" },
  motion: {
    // A step simulates 0.02 s and is shown in real time.
    secondsShown: 0.02,
    stepTime: 0.02,
    positions: [
      [POSITION, SPEED],
      [ANGLE, ANGULAR_SPEED],
    ],
    wrappedAngles: [],
  },
  timeLimit: TIME_LIMIT,
  termination: "fall",
  terminationText: {
    legend: "just failed",
    stage: (steps, state) => {
      const hasLeftTrack = Math.abs(state[POSITION] as number) > HALF_TRACK_LENGTH;
      return `It ${hasLeftTrack ? "left the track" : "fell"} after ${steps}`;
    },
  },
  cell: {
    addLines(path, states, offset, { x, y, w, h }) {
      const axle = cellX(states, offset, x, w);
      const lean = clamp((states[offset + ANGLE] as number) * LEAN_EXAGGERATION, MAX_CELL_LEAN);
      path.moveTo(axle, y + h * CELL_AXLE_Y);
      path.lineTo(
        axle + Math.sin(lean) * h * CELL_POLE_LENGTH,
        y + h * (CELL_AXLE_Y - CELL_POLE_LENGTH * Math.cos(lean)),
      );
    },
    addShapes(path, states, offset, { x, y, w, h }) {
      const { width, height, top } = CELL_CART;
      path.rect(cellX(states, offset, x, w) - (w * width) / 2, y + h * top, w * width, h * height);
    },
    progress: (_states, _offset, steps) => steps / TIME_LIMIT,
    legend: ["0 steps up", `${TIME_LIMIT} steps`],
  },
  createDrawing,
  controls: {
    dragged: "the cart",
    symbols: ["←", "→"],
    labels: ["Push to the left", "Push to the right"],
    keyPush: 0.9,
    rightSign: 1,
  },
  actionNames: ["left", "right"],
  readouts: [
    {
      label: "steps up",
      help: "Steps in this episode, of 0.02 seconds each",
      format: ({ steps }) => formatInteger(steps),
    },
    {
      label: "most steps",
      help: "Record of this run: the most steps in one episode of the large world",
      format: ({ bestSteps }) => formatInteger(bestSteps),
    },
    criticReadout("steps"),
  ],
  // The axes of the value map, which shows the critic's values.
  axes: [
    { label: "angle", format: formatDegrees },
    { label: "angular speed, rad/s", format: signedDecimals(1) },
  ],
  mapOf: "For a cart at rest in the middle. Later rewards count less here than in the score.",
  describe: ({ steps }) => `The pole in the large world has been up for ${formatCount(steps, "step")}.`,
};

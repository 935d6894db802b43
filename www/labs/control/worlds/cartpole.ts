// CartPole-v1: track, cart and pole, and an arrow for each push.

import { svg } from "../../../core/dom";
import { formatCount, formatInteger } from "../../../core/format";
import { clamp, critic, decimals, degrees, type Drawing, type WorldKind, type State } from "./world-kind";
import { Arrow, scene, shift, stop, turn, WIDTH } from "./drawing";

const METRE = 152;
const GROUND = 252;
const AXLE = GROUND - 29;
const TRACK = 2.4;
const POLE = 1.0;
/** The episode ends when the pole leans more than this. */
const LIMIT = (12 * Math.PI) / 180;
const HALF_CART = 44;
/** The time limit of an episode, in steps. */
const FULL = 500;
/** The lean is exaggerated on the wall: twelve degrees are hard to see in a small cell. */
const EXAGGERATION = 2.6;
/** The push of dragging the cart by a metre. */
const BAND = 1.4;

const across = (position: number) => WIDTH / 2 + position * METRE;

function drawing(): Drawing {
  const pole = svg("g", {}, svg("line", { class: "rod", y2: -POLE * METRE }), svg("circle", { class: "hub", r: 5 }));
  const cart = svg(
    "g",
    {},
    leanMark(-1),
    leanMark(1),
    svg("circle", { cx: -24, cy: 20, r: 9, class: "wheel" }),
    svg("circle", { cx: 24, cy: 20, r: 9, class: "wheel" }),
    svg("rect", { class: "body", x: -HALF_CART, y: -19, width: 2 * HALF_CART, height: 38, rx: 7 }),
    pole,
  );
  const [own, other] = [new Arrow("agent"), new Arrow("visitor")];
  return {
    element: scene(...track(), cart, own.element, other.element),
    draw(state, agent, visitor) {
      const [x, , angle] = state as ArrayLike<number> & [number, number, number];
      cart.setAttribute("transform", shift(across(x), AXLE));
      pole.setAttribute("transform", turn((angle * 180) / Math.PI));
      own.place(across(x), AXLE - 4, HALF_CART + 6, agent);
      other.place(across(x), AXLE + 12, HALF_CART + 6, visitor);
    },
    pull(state, { x }) {
      const from = { x: across(state[0] as number), y: AXLE };
      return { from, to: { x, y: AXLE }, strength: ((x - from.x) / METRE) * BAND };
    },
  };
}

function leanMark(side: number): SVGLineElement {
  const length = 1.16 * METRE;
  return svg("line", { class: "mark", x2: side * Math.sin(LIMIT) * length, y2: -Math.cos(LIMIT) * length });
}

function track(): SVGElement[] {
  const [from, to] = [across(-TRACK), across(TRACK)];
  const parts: SVGElement[] = [svg("line", { x1: from, x2: to, y1: GROUND, y2: GROUND, class: "rail" })];
  for (let metre = -2; metre <= 2; metre++) {
    const [x, long] = [across(metre), metre === 0 ? 10 : 6];
    parts.push(svg("line", { x1: x, x2: x, y1: GROUND, y2: GROUND + long, class: "rail" }));
  }
  return [...parts, stop(from, GROUND), stop(to, GROUND)];
}

/** The x position of the cart in a cell. */
const cartAt = (state: State, at: number, x: number, w: number) =>
  x + w * (0.5 + ((state[at] as number) / TRACK) * 0.4);

export const cartpole: WorldKind = {
  world: "cartpole",
  name: "CartPole",
  task: "keep the pole up",
  sign: { still: "M4 25h32M11 18h16v5h-16z", moving: "M19 17 25 3" },
  motion: {
    secondsShown: 0.02,
    stepTime: 0.02,
    places: [
      [0, 1],
      [2, 3],
    ],
    angles: [],
  },
  limit: FULL,
  ends: "fall",
  ended: { wall: "just fell", stage: (steps) => `It fell after ${steps}` },
  cell: {
    lines(path, state, at, { x, y, w, h }) {
      const foot = cartAt(state, at, x, w);
      const lean = clamp((state[at + 2] as number) * EXAGGERATION, 0.6);
      path.moveTo(foot, y + h * 0.8);
      path.lineTo(foot + Math.sin(lean) * h * 0.56, y + h * (0.8 - 0.56 * Math.cos(lean)));
    },
    shapes(path, state, at, { x, y, w, h }) {
      path.rect(cartAt(state, at, x, w) - w * 0.1, y + h * 0.755, w * 0.2, h * 0.09);
    },
    tint: (_, __, steps) => steps / FULL,
    from: "just begun",
    to: `up for ${FULL} steps`,
  },
  drawing,
  pushing: { what: "the cart", signs: ["←", "→"], does: ["Push to the left", "Push to the right"] },
  keyStrength: 0.9,
  pushSign: 1,
  sides: ["left", "right"],
  facts: [
    {
      label: "steps up",
      help: "Steps of 0.02 seconds since this one began",
      show: ({ steps }) => formatInteger(steps),
    },
    {
      label: "longest",
      help: "Its record in this run",
      show: ({ bestSteps }) => formatInteger(bestSteps),
    },
    critic("steps"),
  ],
  axes: [
    { label: "angle", show: degrees },
    { label: "angular speed, rad/s", show: decimals(1) },
  ],
  valueUnit: "steps",
  describe: ({ steps }) => `The pole on the stage has been up for ${formatCount(steps, "step")}.`,
};

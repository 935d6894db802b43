// MountainCar-v0: a valley of height sin(3 x), a car too weak to drive up at once, and a flag.

import { svg } from "../../../core/dom";
import { formatCount, formatInteger } from "../../../core/format";
import { critic, decimals, fewest, type Box, type Drawing, type WorldKind } from "./world-kind";
import { Arrow, HEIGHT, scene, shift, stop, turn, WIDTH } from "./drawing";

const [WALL, EDGE, FLAG] = [-1.2, 0.6, 0.5];
const UNIT = 400;
/** Half the depth of the valley, and its middle height. */
const [RISE, MIDDLE] = [68, 182];
const HALF_CAR = 24;
const CAR = "M-24-9v-7q0-4 5-5l6-1 5-7q2-3 6-3h5q4 0 6 3l5 7 6 1q4 1 4 5v7q0 2-2 2h-44q-2 0-2-2z";
/** Energy (height and speed) that is just enough to reach the flag. */
const FLAG_ENERGY = (0.0025 / 3) * (Math.sin(3 * FLAG) + 1);
/** The push of dragging the car by one unit. */
const BAND = 5;

const across = (position: number) => WIDTH / 2 + (position - (WALL + EDGE) / 2) * UNIT;
const ground = (position: number) => MIDDLE - RISE * Math.sin(3 * position);
/** The angle of the slope in the drawing. */
const slope = (position: number) => Math.atan2(-3 * RISE * Math.cos(3 * position), UNIT);

function drawing(): Drawing {
  const [own, other] = [new Arrow("agent"), new Arrow("visitor")];
  const wheel = (cx: number) => svg("circle", { class: "wheel", cx, cy: -7, r: 7 });
  const car = svg(
    "g",
    {},
    svg("path", { class: "body moving", d: CAR }),
    wheel(-13),
    wheel(13),
    own.element,
    other.element,
  );
  let [hill, at] = ["", WALL - 0.2];
  for (; at <= EDGE + 0.21; at += 0.02) hill += `${hill ? "L" : "M"}${across(at).toFixed(1)} ${ground(at).toFixed(1)}`;
  const flag = svg(
    "g",
    { class: "flag", transform: shift(across(FLAG), ground(FLAG)) },
    svg("line", { y2: -46 }),
    svg("path", { d: "M0-46l26 8-26 8z" }),
  );
  const deep = 3 * HEIGHT;
  return {
    element: scene(
      svg("path", { class: "earth", d: `${hill}V${deep}H${across(WALL - 0.2)}Z` }),
      svg("path", { class: "rail", d: hill }),
      stop(across(WALL), ground(WALL)),
      flag,
      car,
    ),
    draw(state, agent, visitor) {
      const x = state[0] as number;
      const inclined = turn((slope(x) * 180) / Math.PI);
      car.setAttribute("transform", `${shift(across(x), ground(x))} ${inclined}`);
      own.place(0, -20, HALF_CAR + 8, agent);
      other.place(0, -5, HALF_CAR + 8, visitor);
    },
    pull(state, to) {
      const x = state[0] as number;
      const from = { x: across(x), y: ground(x) - 14 };
      return { from, to, strength: ((to.x - from.x) / UNIT) * BAND };
    },
  };
}

const cellX = (position: number, { x, w }: Box) => x + w * (0.06 + (0.88 * (position - WALL)) / (EDGE - WALL));
const cellY = (position: number, { y, h }: Box) => y + h * (0.58 - 0.24 * Math.sin(3 * position));

export const mountaincar: WorldKind = {
  world: "mountaincar",
  name: "MountainCar",
  task: "reach the flag",
  sign: { still: "M3 11C9 11 10 24 17 24S26 9 33 9V2l5 2-5 2", moving: "M9 15l3 6" },
  motion: { secondsShown: 1 / 30, stepTime: 1, places: [[0, 1]], angles: [] },
  limit: 200,
  ends: "goal",
  ended: { wall: "just got there", stage: (steps) => `At the flag in ${steps}` },
  cell: {
    fixed(path, box) {
      path.moveTo(cellX(WALL, box), cellY(WALL, box));
      for (let x = WALL + 0.1; x < EDGE + 0.05; x += 0.1) path.lineTo(cellX(x, box), cellY(x, box));
      const [foot, top] = [cellX(FLAG, box), cellY(FLAG, box) - box.h * 0.2];
      path.moveTo(foot, cellY(FLAG, box));
      path.lineTo(foot, top);
    },
    lines() {},
    shapes(path, state, at, box) {
      const position = state[at] as number;
      const r = Math.min(box.w, box.h) * 0.085;
      const [x, y] = [cellX(position, box), cellY(position, box) - r];
      path.moveTo(x + r, y);
      path.arc(x, y, r, 0, 2 * Math.PI);
    },
    tint(state, at) {
      const [position, speed] = [state[at] as number, state[at + 1] as number];
      const energy = (0.0025 / 3) * (Math.sin(3 * position) + 1) + 0.5 * speed * speed;
      return energy / FLAG_ENERGY;
    },
    from: "no swing",
    to: "swing enough for the flag",
  },
  drawing,
  pushing: { what: "the car", signs: ["←", "→"], does: ["Push to the left", "Push to the right"] },
  keyStrength: 1.5,
  pushSign: 1,
  sides: ["left", "right"],
  facts: [
    { label: "steps", help: "Steps since this one began; it has 200", show: ({ steps }) => formatInteger(steps) },
    fewest("to the flag"),
    critic("rewards"),
  ],
  axes: [
    { label: "position", show: decimals(1) },
    { label: "speed, per step", show: decimals(2) },
  ],
  valueUnit: "reward",
  describe: ({ steps, fewestSteps }) =>
    `The car on the stage has driven for ${formatCount(steps, "step")}.` +
    (fewestSteps > 0 ? ` Its fewest to the flag are ${formatInteger(fewestSteps)}.` : ""),
};

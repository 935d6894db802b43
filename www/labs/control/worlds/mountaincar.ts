// MountainCar-v0: a car in a valley that has to reach a flag on the hill at the right. Its engine is too weak to drive
// straight up, so it has to gather speed by rolling to and fro.
//
// The state is the car's position x (positive to the right) and its speed (change of position per step). The height of
// the ground is sin(3x), which is lowest at x = -π/6. Drawings use SVG units, with y downwards.

import { svg } from "../../../core/dom";
import { formatCount } from "../../../core/format";
import {
  criticReadout,
  fewestStepsReadout,
  inDegrees,
  signedDecimals,
  stepsReadout,
  type Box,
  type WorldDrawing,
  type WorldKind,
} from "./world-kind";
import { ForceArrow, HEIGHT, rotate, stageSvg, trackEnd, translate, WIDTH } from "./drawing";

/** Indices of the state's variables. */
const [POSITION, SPEED] = [0, 1];
/** Positions of the buffer on the left, of the right end, and of the flag. */
const [LEFT_END, RIGHT_END, FLAG] = [-1.2, 0.6, 0.5];
/** The most steps of an episode. */
const TIME_LIMIT = 200;
/** Gravity, in positions per step². */
const GRAVITY = 0.0025;

/**
 * Energy per mass, 0 for a car at rest at the bottom of the valley. The slope accelerates the car by -GRAVITY ·
 * cos(3x), so the potential is GRAVITY / 3 · sin(3x) plus a constant.
 */
const energy = (position: number, speed: number) => (GRAVITY / 3) * (Math.sin(3 * position) + 1) + 0.5 * speed * speed;
/** The energy that is just enough to reach the flag. */
const FLAG_ENERGY = energy(FLAG, 0);

// The large drawing, in SVG units.
/** Length of one unit of position. */
const POSITION_UNIT = 400;
/** The ground beyond both ends that is drawn, and the distance of its points, in positions. */
const GROUND_MARGIN = 0.2;
const GROUND_STEP = 0.02;
/** Half the depth of the valley, and the y coordinate of its middle height. */
const [AMPLITUDE, MIDDLE_Y] = [68, 182];
/** The ground is filled far below the bottom edge, which a tall window may show. */
const GROUND_BOTTOM = 3 * HEIGHT;
const HALF_CAR_LENGTH = 24;
/** The car's body, with the ground under its middle as the origin. */
const CAR_PATH = "M-24-9v-7q0-4 5-5l6-1 5-7q2-3 6-3h5q4 0 6 3l5 7 6 1q4 1 4 5v7q0 2-2 2h-44q-2 0-2-2z";
/** The height above the ground at which a visitor pulls the car. */
const PULL_HEIGHT = 14;
/** The push from dragging the car by one unit of position, in units of the agent's force. */
const PUSH_PER_UNIT = 5;

const xOf = (position: number) => WIDTH / 2 + (position - (LEFT_END + RIGHT_END) / 2) * POSITION_UNIT;
const groundY = (position: number) => MIDDLE_Y - AMPLITUDE * Math.sin(3 * position);
/** The angle of the ground in the drawing, clockwise in radians. */
const slope = (position: number) => Math.atan2(-3 * AMPLITUDE * Math.cos(3 * position), POSITION_UNIT);

/** The outline of the ground as SVG path data. */
function groundPath(): string {
  const points: string[] = [];
  const steps = Math.round((RIGHT_END - LEFT_END + 2 * GROUND_MARGIN) / GROUND_STEP);
  for (let i = 0; i <= steps; i++) {
    const position = LEFT_END - GROUND_MARGIN + i * GROUND_STEP;
    points.push(`${xOf(position).toFixed(1)} ${groundY(position).toFixed(1)}`);
  }
  return `M${points.join("L")}`;
}

function createDrawing(): WorldDrawing {
  const [agentArrow, visitorArrow] = [new ForceArrow("agent"), new ForceArrow("visitor")];
  const wheel = (cx: number) => svg("circle", { class: "wheel", cx, cy: -7, r: 7 });
  const car = svg(
    "g",
    {},
    svg("path", { class: "body moving", d: CAR_PATH }),
    wheel(-13),
    wheel(13),
    agentArrow.element,
    visitorArrow.element,
  );
  const ground = groundPath();
  const flag = svg(
    "g",
    { class: "flag", transform: translate(xOf(FLAG), groundY(FLAG)) },
    svg("line", { y2: -46 }),
    svg("path", { d: "M0-46l26 8-26 8z" }),
  );
  return {
    element: stageSvg(
      svg("path", { class: "earth", d: `${ground}V${GROUND_BOTTOM}H${xOf(LEFT_END - GROUND_MARGIN)}Z` }),
      svg("path", { class: "rail", d: ground }),
      trackEnd(xOf(LEFT_END), groundY(LEFT_END)),
      flag,
      car,
    ),
    draw(state, agentPush, visitorPush) {
      const position = state[POSITION] as number;
      const inclination = rotate(inDegrees(slope(position)));
      car.setAttribute("transform", `${translate(xOf(position), groundY(position))} ${inclination}`);
      agentArrow.draw(0, -20, HALF_CAR_LENGTH + 8, agentPush);
      visitorArrow.draw(0, -5, HALF_CAR_LENGTH + 8, visitorPush);
    },
    pull(state, pointer) {
      const position = state[POSITION] as number;
      const from = { x: xOf(position), y: groundY(position) - PULL_HEIGHT };
      return { from, to: pointer, push: ((pointer.x - from.x) / POSITION_UNIT) * PUSH_PER_UNIT };
    },
  };
}

// The small drawing, as fractions of a cell's size.
/** Space on the left and on the right of the ground. */
const CELL_MARGIN = 0.06;
/** The middle height of the ground, from the top, and half the depth of the valley. */
const CELL_MIDDLE_Y = 0.58;
const CELL_AMPLITUDE = 0.24;
const CELL_FLAG_HEIGHT = 0.2;
const CELL_CAR_RADIUS = 0.085;
/** Distance of the points of the ground, in positions. */
const CELL_GROUND_STEP = 0.1;

const cellX = (position: number, { x, w }: Box) =>
  x + w * (CELL_MARGIN + ((1 - 2 * CELL_MARGIN) * (position - LEFT_END)) / (RIGHT_END - LEFT_END));
const cellY = (position: number, { y, h }: Box) => y + h * (CELL_MIDDLE_Y - CELL_AMPLITUDE * Math.sin(3 * position));

export const mountaincar: WorldKind = {
  world: "mountaincar",
  name: "MountainCar",
  task: "rock out of a steep valley",
  goal: "the car has to reach the flag within 105 steps",
  icon: { fixed: "M3 11C9 11 10 24 17 24S26 9 33 9V2l5 2-5 2", moving: "M9 15l3 6" },
  motion: { secondsShown: 1 / 30, stepTime: 1, positions: [[POSITION, SPEED]], wrappedAngles: [] },
  timeLimit: TIME_LIMIT,
  termination: "goal",
  terminationText: { legend: "just reached the flag", stage: (steps) => `At the flag in ${steps}` },
  cell: {
    addFixedLines(path, box) {
      path.moveTo(cellX(LEFT_END, box), cellY(LEFT_END, box));
      const steps = Math.round((RIGHT_END - LEFT_END) / CELL_GROUND_STEP);
      for (let i = 1; i <= steps; i++) {
        const position = LEFT_END + i * CELL_GROUND_STEP;
        path.lineTo(cellX(position, box), cellY(position, box));
      }
      const [x, foot] = [cellX(FLAG, box), cellY(FLAG, box)];
      path.moveTo(x, foot);
      path.lineTo(x, foot - box.h * CELL_FLAG_HEIGHT);
    },
    addLines() {}, // The car is drawn as a filled disc only.
    addShapes(path, states, offset, box) {
      const position = states[offset + POSITION] as number;
      const r = Math.min(box.w, box.h) * CELL_CAR_RADIUS;
      const [x, y] = [cellX(position, box), cellY(position, box) - r];
      path.moveTo(x + r, y);
      path.arc(x, y, r, 0, 2 * Math.PI);
    },
    // The car's energy as a fraction of what it needs to reach the flag.
    progress: (states, offset) =>
      energy(states[offset + POSITION] as number, states[offset + SPEED] as number) / FLAG_ENERGY,
    legend: ["no energy", "energy to reach the flag"],
  },
  createDrawing,
  controls: {
    dragged: "the car",
    symbols: ["←", "→"],
    labels: ["Push to the left", "Push to the right"],
    keyPush: 1.5,
    rightSign: 1,
  },
  actionNames: ["left", "right"],
  readouts: [
    stepsReadout(TIME_LIMIT),
    fewestStepsReadout("to the flag"),
    criticReadout("rewards (those of reward shaping too)"),
  ],
  axes: [
    { label: "position", format: signedDecimals(1) },
    { label: "speed, per step", format: signedDecimals(2) },
  ],
  mapOf: "If reward shaping is on, this includes its extra reward for energy gained.",
  describe: ({ steps, fewestSteps }) =>
    `The car in the large world has driven for ${formatCount(steps, "step")}.` +
    (fewestSteps > 0 ? ` The fewest steps to the flag so far: ${formatCount(fewestSteps, "step")}.` : ""),
};

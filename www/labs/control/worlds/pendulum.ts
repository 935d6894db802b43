// Pendulum-v1: a rod around a pivot, which the agent has to swing up and keep upright. Its torque is too weak to lift
// the hanging rod straight up, so it has to swing the rod to and fro first.
//
// The state is the rod's angle (rad, 0 upright, positive counterclockwise) and its angular speed (rad/s). Torques are
// positive counterclockwise. Drawings use SVG units, with y downwards.

import { wrapAngle } from "../../../core/motion";
import { svg } from "../../../core/dom";
import { formatInteger } from "../../../core/format";
import {
  criticReadout,
  formatDegrees,
  inDegrees,
  signedDecimals,
  type Box,
  type WorldDrawing,
  type WorldKind,
  type State,
} from "./world-kind";
import { rotate, stageSvg, TorqueArrow, WIDTH } from "./drawing";

/** Indices of the state's variables. */
const [ANGLE, ANGULAR_SPEED] = [0, 1];

// The large drawing, in SVG units.
const PIVOT = { x: WIDTH / 2, y: 160 };
const ROD_LENGTH = 108;
/** The push from dragging the rod's end sideways by the length of the rod, in units of the agent's maximum torque. */
const PUSH_PER_ROD = 2;

/** The rod's end in the large drawing. */
const tip = (angle: number) => ({
  x: PIVOT.x - ROD_LENGTH * Math.sin(angle),
  y: PIVOT.y - ROD_LENGTH * Math.cos(angle),
});

function createDrawing(): WorldDrawing {
  // Radius in SVG units, and the angle (rad) of the arrow for the agent's maximum torque. The visitor's arrow is
  // outside the agent's.
  const [agentArrow, visitorArrow] = [new TorqueArrow("agent", 52, 1.2), new TorqueArrow("visitor", 74, 0.8)];
  const rod = svg(
    "g",
    {},
    svg("line", { class: "rod", y2: -ROD_LENGTH }),
    svg("circle", { class: "bob", cy: -ROD_LENGTH, r: 13 }),
  );
  const atPivot = `translate(${PIVOT.x} ${PIVOT.y})`;
  const pendulum = svg("g", { transform: atPivot }, rod, svg("circle", { class: "joint", r: 8 }));
  const top = PIVOT.y - ROD_LENGTH;
  return {
    element: stageSvg(
      svg("circle", { class: "angle-mark", cx: PIVOT.x, cy: PIVOT.y, r: ROD_LENGTH }),
      // A tick above the pivot marks the goal.
      svg("line", { class: "aim", x1: PIVOT.x, x2: PIVOT.x, y1: top - 22, y2: top - 34 }),
      agentArrow.element,
      visitorArrow.element,
      pendulum,
    ),
    draw(state, agentPush, visitorPush) {
      const angle = state[ANGLE] as number;
      rod.setAttribute("transform", rotate(-inDegrees(angle)));
      const rodAngle = -Math.PI / 2 - angle; // clockwise from the x axis
      agentArrow.draw(PIVOT, rodAngle, agentPush);
      visitorArrow.draw(PIVOT, rodAngle, visitorPush);
    },
    pull(state, pointer) {
      const from = tip(state[ANGLE] as number);
      const [armX, armY] = [from.x - PIVOT.x, from.y - PIVOT.y];
      // The counterclockwise torque of the drag: lever arm × displacement, negated because y points down.
      const torque = armY * (pointer.x - from.x) - armX * (pointer.y - from.y);
      return { from, to: pointer, push: (torque / (ROD_LENGTH * ROD_LENGTH)) * PUSH_PER_ROD };
    },
  };
}

/** The pivot, the rod's length and the rod's end in a cell. */
function cellRod(states: State, offset: number, { x, y, w, h }: Box) {
  const [pivotX, pivotY, length] = [x + w / 2, y + h / 2, 0.38 * Math.min(w, h)];
  const angle = states[offset + ANGLE] as number;
  return { pivotX, pivotY, length, endX: pivotX - length * Math.sin(angle), endY: pivotY - length * Math.cos(angle) };
}

const degreesFromUpright = (state: State) => Math.abs(Math.round(inDegrees(wrapAngle(state[ANGLE] as number))));

export const pendulum: WorldKind = {
  world: "pendulum",
  name: "Pendulum",
  task: "swing up and hold",
  goal: "the pendulum has to swing up and stay there, and lose at most 155 points on the way",
  icon: { fixed: "M20 15m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0M9 21a12 12 0 0 0 22 0", moving: "M20 15 26 4" },
  // The protocol's angle does not wrap, so that it can be interpolated.
  motion: { secondsShown: 0.05, stepTime: 0.05, positions: [[ANGLE, ANGULAR_SPEED]], wrappedAngles: [] },
  timeLimit: 200,
  termination: null,
  terminationText: { legend: "", stage: () => "" },
  cell: {
    addLines(path, states, offset, box) {
      const { pivotX, pivotY, endX, endY } = cellRod(states, offset, box);
      path.moveTo(pivotX, pivotY);
      path.lineTo(endX, endY);
    },
    addShapes(path, states, offset, box) {
      const { pivotX, pivotY, length, endX, endY } = cellRod(states, offset, box);
      for (const [x, y, r] of [
        [pivotX, pivotY, 0.1 * length],
        [endX, endY, 0.24 * length],
      ] as const) {
        path.moveTo(x + r, y);
        path.arc(x, y, r, 0, 2 * Math.PI);
      }
    },
    // The height of the rod's end, from 0 (hanging) to 1 (upright).
    progress: (states, offset) => (1 + Math.cos(states[offset + ANGLE] as number)) / 2,
    legend: ["hanging", "upright"],
  },
  createDrawing,
  controls: {
    dragged: "the end",
    symbols: ["↺", "↻"],
    labels: ["Turn counterclockwise", "Turn clockwise"],
    keyPush: 1.5,
    rightSign: -1, // to the right is clockwise, which is negative
  },
  // For a positive and a negative torque.
  actionNames: ["↺", "↻"],
  readouts: [
    {
      label: "from upright",
      help: "The angle between the rod and upright",
      format: (_, state) => `${degreesFromUpright(state)}°`,
    },
    {
      label: "return",
      help: "Sum of the rewards of this episode so far; each step costs reward for the angle, the speed and the torque",
      format: ({ score }) => formatInteger(score),
    },
    criticReadout("rewards"),
  ],
  axes: [
    { label: "angle", format: formatDegrees, wraps: true },
    { label: "angular speed, rad/s", format: signedDecimals(0) },
  ],
  mapOf: "",
  describe: ({ score }, state) =>
    `The pendulum in the large world is ${degreesFromUpright(state)} degrees off upright, ` +
    `its return so far ${formatInteger(score)}.`,
};

// Acrobot-v1: two linked rods that hang from a pivot. The agent's motor at the joint between them has to swing the end
// of the lower rod over a line.
//
// The state is the upper rod's angle (rad, 0 hanging down, positive counterclockwise), the lower rod's angle relative
// to the upper one, and both angular speeds (rad/s). Torques are positive counterclockwise. Drawings use SVG units,
// with y downwards.

import { svg } from "../../../core/dom";
import { formatCount } from "../../../core/format";
import {
  criticReadout,
  fewestStepsReadout,
  formatDegrees,
  inDegrees,
  signedDecimals,
  stepsReadout,
  type Box,
  type WorldDrawing,
  type WorldKind,
  type State,
} from "./world-kind";
import { rotate, stageSvg, TorqueArrow, translate, WIDTH } from "./drawing";

/** Indices of the state's variables. */
const [UPPER_ANGLE, LOWER_ANGLE, UPPER_SPEED, LOWER_SPEED] = [0, 1, 2, 3];
/** The most steps of an episode. */
const TIME_LIMIT = 500;
/** Height of the line above the pivot, in rod lengths. */
const LINE_HEIGHT = 1;

// The large drawing, in SVG units.
const PIVOT = { x: WIDTH / 2, y: 146 };
const ROD_LENGTH = 60;
const HALF_LINE_LENGTH = 160;
/** The push from dragging the end sideways by the length of a rod, in units of the agent's maximum torque. */
const PUSH_PER_ROD = 2;

/** The joint and the end of the lower rod relative to the pivot, in rod lengths, with y downwards. */
function linkPositions(states: State, offset = 0) {
  const [upper, lower] = [states[offset + UPPER_ANGLE] as number, states[offset + LOWER_ANGLE] as number];
  const [jointX, jointY] = [Math.sin(upper), Math.cos(upper)];
  return { jointX, jointY, endX: jointX + Math.sin(upper + lower), endY: jointY + Math.cos(upper + lower) };
}

function createDrawing(): WorldDrawing {
  // Radius, and angle for a torque of 1. The visitor's arrow is outside the agent's.
  const [agentArrow, visitorArrow] = [new TorqueArrow("agent", 34, 1.3), new TorqueArrow("visitor", 50, 0.8)];
  const rod = () => svg("line", { class: "rod", y2: ROD_LENGTH });
  const [upperRod, lowerRod] = [rod(), rod()];
  const joint = svg("circle", { class: "joint", r: 9 });
  const lineY = PIVOT.y - LINE_HEIGHT * ROD_LENGTH;
  const label = svg("text", { class: "aim-label", x: PIVOT.x + HALF_LINE_LENGTH, y: lineY - 9 });
  label.textContent = "swing over this line";
  return {
    element: stageSvg(
      svg("line", {
        class: "aim dashed",
        x1: PIVOT.x - HALF_LINE_LENGTH,
        x2: PIVOT.x + HALF_LINE_LENGTH,
        y1: lineY,
        y2: lineY,
      }),
      label,
      agentArrow.element,
      visitorArrow.element,
      upperRod,
      lowerRod,
      svg("circle", { class: "joint", cx: PIVOT.x, cy: PIVOT.y, r: 8 }),
      joint,
    ),
    draw(state, agentPush, visitorPush) {
      const { jointX, jointY } = linkPositions(state);
      const upper = state[UPPER_ANGLE] as number;
      const lower = upper + (state[LOWER_ANGLE] as number);
      const jointAt = { x: PIVOT.x + ROD_LENGTH * jointX, y: PIVOT.y + ROD_LENGTH * jointY };
      upperRod.setAttribute("transform", `${translate(PIVOT.x, PIVOT.y)} ${rotate(-inDegrees(upper))}`);
      lowerRod.setAttribute("transform", `${translate(jointAt.x, jointAt.y)} ${rotate(-inDegrees(lower))}`);
      joint.setAttribute("transform", translate(jointAt.x, jointAt.y));
      const rodAngle = Math.PI / 2 - lower; // clockwise from the x axis
      agentArrow.draw(jointAt, rodAngle, agentPush);
      visitorArrow.draw(jointAt, rodAngle, visitorPush);
    },
    pull(state, pointer) {
      const { jointX, jointY, endX, endY } = linkPositions(state);
      const from = { x: PIVOT.x + ROD_LENGTH * endX, y: PIVOT.y + ROD_LENGTH * endY };
      // The counterclockwise torque around the joint: lever arm × displacement, negated because y points down.
      const torque = (endY - jointY) * (pointer.x - from.x) - (endX - jointX) * (pointer.y - from.y);
      return { from, to: pointer, push: (torque / ROD_LENGTH) * PUSH_PER_ROD };
    },
  };
}

// The small drawing in a cell of the grid.
/** The pivot and the length of a rod, with which both rods fit into the cell in any direction. */
function cellLayout({ x, y, w, h }: Box) {
  return { pivotX: x + w / 2, pivotY: y + h * 0.47, rod: 0.22 * Math.min(w, h) };
}
/** Half the length of the line, and the radius of the pivot, in rod lengths. */
const [CELL_HALF_LINE, CELL_PIVOT_RADIUS] = [1.7, 0.22];

export const acrobot: WorldKind = {
  world: "acrobot",
  name: "Acrobot",
  task: "swing over the line",
  goal: "the tip has to reach the line within 88 steps",
  icon: { fixed: "M5 6h30", moving: "M20 13 14 19 24 25" },
  motion: {
    // A step simulates 0.2 s and is shown in a fifteenth of a second: three times as fast.
    secondsShown: 1 / 15,
    stepTime: 0.2,
    positions: [
      [UPPER_ANGLE, UPPER_SPEED],
      [LOWER_ANGLE, LOWER_SPEED],
    ],
    wrappedAngles: [UPPER_ANGLE, LOWER_ANGLE],
  },
  timeLimit: TIME_LIMIT,
  termination: "goal",
  terminationText: { legend: "just reached the line", stage: (steps) => `Over the line in ${steps}` },
  cell: {
    addFixedLines(path, box) {
      const { pivotX, pivotY, rod } = cellLayout(box);
      path.moveTo(pivotX - CELL_HALF_LINE * rod, pivotY - LINE_HEIGHT * rod);
      path.lineTo(pivotX + CELL_HALF_LINE * rod, pivotY - LINE_HEIGHT * rod);
    },
    addLines(path, states, offset, box) {
      const { pivotX, pivotY, rod } = cellLayout(box);
      const { jointX, jointY, endX, endY } = linkPositions(states, offset);
      path.moveTo(pivotX, pivotY);
      path.lineTo(pivotX + rod * jointX, pivotY + rod * jointY);
      path.lineTo(pivotX + rod * endX, pivotY + rod * endY);
    },
    addShapes(path, _states, _offset, box) {
      const { pivotX, pivotY, rod } = cellLayout(box);
      const radius = CELL_PIVOT_RADIUS * rod;
      path.moveTo(pivotX + radius, pivotY);
      path.arc(pivotX, pivotY, radius, 0, 2 * Math.PI);
    },
    // The height of the end, from 0 (two rod lengths below the pivot) to 1 (at the line, one above it).
    progress: (states, offset) => (2 - linkPositions(states, offset).endY) / (2 + LINE_HEIGHT),
    legend: ["hanging", "at the line"],
  },
  createDrawing,
  controls: {
    dragged: "the end",
    symbols: ["↺", "↻"],
    labels: ["Turn counterclockwise", "Turn clockwise"],
    keyPush: 1.5,
    rightSign: -1,
  },
  // Left and right on the page. Counterclockwise torques are positive.
  actionNames: ["↺", "↻"],
  readouts: [stepsReadout(TIME_LIMIT), fewestStepsReadout("over the line"), criticReadout("rewards")],
  // The axes of the value map, which shows the critic's values.
  axes: [
    { label: "angle of the upper rod", format: formatDegrees, wraps: true },
    { label: "its speed, rad/s", format: signedDecimals(1) },
  ],
  mapOf: "For a lower rod in line and at rest.",
  describe: ({ steps, fewestSteps }) =>
    `The rods in the large world have swung for ${formatCount(steps, "step")}.` +
    (fewestSteps > 0 ? ` The fewest steps to the line so far: ${formatCount(fewestSteps, "step")}.` : ""),
};

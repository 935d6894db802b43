// Acrobot-v1: two linked rods with a motor at the joint, and the line to swing over. Angles are counterclockwise from
// hanging down; the second is relative to the first.

import { svg } from "../../../core/dom";
import { formatCount, formatInteger } from "../../../core/format";
import { critic, decimals, degrees, fewest, type Box, type Drawing, type WorldKind, type State } from "./world-kind";
import { scene, shift, turn, TurnArrow, WIDTH } from "./drawing";

const PIVOT = { x: WIDTH / 2, y: 146 };
const ROD = 60;
/** The torque of dragging the end by the length of a rod. */
const BAND = 2;

/** The joint and the end relative to the pivot, in lengths of a rod. */
function ends(state: State, at = 0) {
  const [a, b] = [state[at] as number, state[at + 1] as number];
  const [jx, jy] = [Math.sin(a), Math.cos(a)];
  return { jx, jy, ex: jx + Math.sin(a + b), ey: jy + Math.cos(a + b) };
}

function drawing(): Drawing {
  const [own, other] = [new TurnArrow("agent", 34, 1.3), new TurnArrow("visitor", 50, 0.8)];
  const rod = () => svg("line", { class: "rod", y2: ROD });
  const [upper, lower] = [rod(), rod()];
  const joint = svg("circle", { class: "joint", r: 9 });
  const line = PIVOT.y - ROD;
  const label = svg("text", { class: "aim-label", x: PIVOT.x + 160, y: line - 9 });
  label.textContent = "swing over this line";
  return {
    element: scene(
      svg("line", { class: "aim dashed", x1: PIVOT.x - 160, x2: PIVOT.x + 160, y1: line, y2: line }),
      label,
      own.element,
      other.element,
      upper,
      lower,
      svg("circle", { class: "joint", cx: PIVOT.x, cy: PIVOT.y, r: 8 }),
      joint,
    ),
    draw(state, agent, visitor) {
      const { jx, jy } = ends(state);
      const [a, b] = [state[0] as number, state[1] as number];
      const at = { x: PIVOT.x + ROD * jx, y: PIVOT.y + ROD * jy };
      upper.setAttribute("transform", `${shift(PIVOT.x, PIVOT.y)} ${turn((-a * 180) / Math.PI)}`);
      lower.setAttribute("transform", `${shift(at.x, at.y)} ${turn((-(a + b) * 180) / Math.PI)}`);
      joint.setAttribute("transform", shift(at.x, at.y));
      const along = Math.PI / 2 - a - b;
      own.place(at, along, agent);
      other.place(at, along, visitor);
    },
    pull(state, to) {
      const { jx, jy, ex, ey } = ends(state);
      const from = { x: PIVOT.x + ROD * ex, y: PIVOT.y + ROD * ey };
      const turned = (ey - jy) * (to.x - from.x) - (ex - jx) * (to.y - from.y);
      return { from, to, strength: (turned / ROD) * BAND };
    },
  };
}

/** The pivot and the length of a rod in a cell. */
function hung({ x, y, w, h }: Box) {
  return { cx: x + w / 2, cy: y + h * 0.47, length: 0.22 * Math.min(w, h) };
}

export const acrobot: WorldKind = {
  world: "acrobot",
  name: "Acrobot",
  task: "swing over the line",
  sign: { still: "M5 6h30", moving: "M20 13 14 19 24 25" },
  motion: {
    secondsShown: 1 / 15,
    stepTime: 0.2,
    places: [
      [0, 2],
      [1, 3],
    ],
    angles: [0, 1],
  },
  limit: 500,
  ends: "goal",
  ended: { wall: "just got over", stage: (steps) => `Over the line in ${steps}` },
  cell: {
    fixed(path, box) {
      const { cx, cy, length } = hung(box);
      path.moveTo(cx - 1.7 * length, cy - length);
      path.lineTo(cx + 1.7 * length, cy - length);
    },
    lines(path, state, at, box) {
      const { cx, cy, length } = hung(box);
      const { jx, jy, ex, ey } = ends(state, at);
      path.moveTo(cx, cy);
      path.lineTo(cx + length * jx, cy + length * jy);
      path.lineTo(cx + length * ex, cy + length * ey);
    },
    shapes(path, _, __, box) {
      const { cx, cy, length } = hung(box);
      path.moveTo(cx + 0.22 * length, cy);
      path.arc(cx, cy, 0.22 * length, 0, 2 * Math.PI);
    },
    tint: (state, at) => (2 - ends(state, at).ey) / 3,
    from: "hanging",
    to: "at the line",
  },
  drawing,
  pushing: { what: "the end", signs: ["↺", "↻"], does: ["Turn counterclockwise", "Turn clockwise"] },
  keyStrength: 1.5,
  pushSign: -1,
  sides: ["↺", "↻"],
  facts: [
    { label: "steps", help: "Steps since this one began; it has 500", show: ({ steps }) => formatInteger(steps) },
    fewest("over the line"),
    critic("rewards"),
  ],
  axes: [
    { label: "angle of the upper rod", show: degrees, wraps: true },
    { label: "its speed, rad/s", show: decimals(1) },
  ],
  valueUnit: "reward",
  describe: ({ steps, fewestSteps }) =>
    `The rods on the stage have swung for ${formatCount(steps, "step")}.` +
    (fewestSteps > 0 ? ` Their fewest over the line are ${formatInteger(fewestSteps)}.` : ""),
};

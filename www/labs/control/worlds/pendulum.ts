// Pendulum-v1: a rod around a pivot, with its torque as a curved arrow. Angles are counterclockwise.

import { svg } from "../../../core/dom";
import { formatInteger } from "../../../core/format";
import { critic, decimals, degrees, wrapAngle, type Box, type Drawing, type WorldKind, type State } from "./world-kind";
import { scene, turn, TurnArrow, WIDTH } from "./drawing";

const PIVOT = { x: WIDTH / 2, y: 160 };
const ROD = 108;
/** The torque of dragging the end by the length of the rod. */
const BAND = 2;

const tip = (angle: number) => ({ x: PIVOT.x - ROD * Math.sin(angle), y: PIVOT.y - ROD * Math.cos(angle) });

function drawing(): Drawing {
  const [own, other] = [new TurnArrow("agent", 52, 1.2), new TurnArrow("visitor", 74, 0.8)];
  const rod = svg("g", {}, svg("line", { class: "rod", y2: -ROD }), svg("circle", { class: "bob", cy: -ROD, r: 13 }));
  const pivot = `translate(${PIVOT.x} ${PIVOT.y})`;
  const hung = svg("g", { transform: pivot }, rod, svg("circle", { class: "joint", r: 8 }));
  return {
    element: scene(
      svg("circle", { class: "mark", cx: PIVOT.x, cy: PIVOT.y, r: ROD }),
      svg("line", { class: "aim", x1: PIVOT.x, x2: PIVOT.x, y1: PIVOT.y - ROD - 22, y2: PIVOT.y - ROD - 34 }),
      own.element,
      other.element,
      hung,
    ),
    draw(state, agent, visitor) {
      const angle = state[0] as number;
      rod.setAttribute("transform", turn((-angle * 180) / Math.PI));
      const along = -Math.PI / 2 - angle;
      own.place(PIVOT, along, agent);
      other.place(PIVOT, along, visitor);
    },
    pull(state, to) {
      const from = tip(state[0] as number);
      const [rx, ry] = [from.x - PIVOT.x, from.y - PIVOT.y];
      const turned = ry * (to.x - from.x) - rx * (to.y - from.y);
      return { from, to, strength: (turned / (ROD * ROD)) * BAND };
    },
  };
}

function rodIn(state: State, at: number, { x, y, w, h }: Box) {
  const [cx, cy, length] = [x + w / 2, y + h / 2, 0.38 * Math.min(w, h)];
  const angle = state[at] as number;
  return { cx, cy, length, endX: cx - length * Math.sin(angle), endY: cy - length * Math.cos(angle) };
}

export const pendulum: WorldKind = {
  world: "pendulum",
  name: "Pendulum",
  task: "swing up and hold",
  sign: { still: "M20 15m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0M9 21a12 12 0 0 0 22 0", moving: "M20 15 26 4" },
  motion: { secondsShown: 0.05, stepTime: 0.05, places: [[0, 1]], angles: [] },
  limit: 200,
  ends: null,
  ended: { wall: "", stage: () => "" },
  cell: {
    lines(path, state, at, box) {
      const { cx, cy, endX, endY } = rodIn(state, at, box);
      path.moveTo(cx, cy);
      path.lineTo(endX, endY);
    },
    shapes(path, state, at, box) {
      const { cx, cy, length, endX, endY } = rodIn(state, at, box);
      for (const [x, y, r] of [
        [cx, cy, 0.1 * length],
        [endX, endY, 0.24 * length],
      ] as const) {
        path.moveTo(x + r, y);
        path.arc(x, y, r, 0, 2 * Math.PI);
      }
    },
    tint: (state, at) => (1 + Math.cos(state[at] as number)) / 2,
    from: "hanging",
    to: "upright",
  },
  drawing,
  pushing: { what: "its end", signs: ["↺", "↻"], does: ["Turn counterclockwise", "Turn clockwise"] },
  keyStrength: 1.5,
  pushSign: -1,
  sides: ["↺", "↻"],
  facts: [
    {
      label: "lean",
      help: "How far it is off upright",
      show: (_, state) => `${Math.abs(Math.round((wrapAngle(state[0] as number) * 180) / Math.PI))}°`,
    },
    {
      label: "return",
      help: "Rewards since it began: each step costs by angle, speed and torque",
      show: ({ score }) => formatInteger(score),
    },
    critic("rewards"),
  ],
  axes: [
    { label: "angle", show: degrees, wraps: true },
    { label: "angular speed, rad/s", show: decimals(0) },
  ],
  valueUnit: "reward",
  describe: ({ score }, state) =>
    `The pendulum on the stage is ${Math.abs(Math.round((wrapAngle(state[0] as number) * 180) / Math.PI))} degrees off ` +
    `upright, its return so far ${formatInteger(score)}.`,
};

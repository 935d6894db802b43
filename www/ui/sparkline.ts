// A curve as a small line without axes, with the goal as a dashed line. It decorates a text that gives the numbers.

import { svg } from "../core/dom";
import type { RunMetadata } from "../core/run-metadata";
import "../style/sparkline.css";

/** The size of the drawing, in its own units. */
const WIDTH = 120;
const HEIGHT = 36;
/** Space at the edges for half the width of the line. */
const EDGE_MARGIN = 2;

/** The headline metric of a run over its units. */
export function sparkline({ curve, goal }: Pick<RunMetadata, "curve" | "goal">): SVGSVGElement {
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "sparkline", "aria-hidden": "true" });
  const { units, values } = curve;
  if (values.length === 0) return picture;
  const target = goal?.metric === curve.metric ? goal.target : null;
  const shown = target === null ? values : [...values, target];
  const [low, high] = [Math.min(...shown), Math.max(...shown)];
  const [first, last] = [units[0] ?? 0, units.at(-1) ?? 0];
  /** The place of a value on a side of this size. If all values are equal, it is the middle. */
  const scale = (value: number, from: number, to: number, size: number) =>
    EDGE_MARGIN + ((to > from ? value - from : 0.5) / (to > from ? to - from : 1)) * (size - 2 * EDGE_MARGIN);
  const x = (unit: number) => scale(unit, first, last, WIDTH).toFixed(1);
  const y = (value: number) => (HEIGHT - scale(value, low, high, HEIGHT)).toFixed(1);
  if (target !== null) picture.append(svg("path", { class: "sparkline-goal", d: `M0 ${y(target)}H${WIDTH}` }));
  const points = units.map((unit, i) => `${x(unit)} ${y(values[i] as number)}`);
  // A single point has no length, so it is drawn as a dot: a line of no length with round ends.
  picture.append(svg("path", { class: "sparkline-line", d: `M${points[0]}L${points.join("L")}` }));
  return picture;
}

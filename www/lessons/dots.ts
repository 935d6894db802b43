// Three pictures for lessons. Two are drawn as SVG: a scale with the number that was predicted and the one that was
// measured, and the runs of some blocks as dots over one axis. The third is a list of a question's options.

import { el, svg } from "../core/dom";
import { formatTick, sentenceStart } from "../core/format";
import { metricLabel } from "../core/labels";
import type { LabInfo } from "../generated/protocol";
import type { ComparePart, SeedsPart } from "./format";
import type { SeedsResult } from "./measures";
import { roundTicks } from "./ticks";

/** The width of a picture in its own units; it is scaled to the page. */
const WIDTH = 640;
const LEFT = 16;
const RIGHT = WIDTH - LEFT;
const SCALE_HEIGHT = 92;
const ROW_HEIGHT = 62;
/** How far inside the axis line its scale begins and ends. */
const AXIS_INSET = 24;
const RADIUS = 6;
/** Dots that would lie on each other are stacked in levels, this far apart, or less if the stack were too high. */
const LEVEL_STEP = 6;
const MAX_STACK_HEIGHT = 60;
/** The least height that a row keeps for its stack. */
const MIN_STACK_HEIGHT = 24;
/** Runs that have not reached the goal stand right of the axis in a row, this far apart, or less if they are many. */
const NEVER_WIDTH = 160;
const NEVER_STEP = 13;
const MAX_NEVER_ROW = 117;

const text = (x: number, y: number, words: string, name: string, anchor = "middle") => {
  const node = svg("text", { x, y, class: name, "text-anchor": anchor });
  node.textContent = words;
  return node;
};

const picture = (height: number, words: string, ...children: SVGElement[]) => {
  const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": words }, ...children);
  drawing.setAttribute("class", "lesson-picture");
  return drawing;
};

/** A number line with what was predicted (above) and what happened (below). */
export function scalePicture(
  from: number,
  to: number,
  marks: Record<"predicted" | "happened", [value: number, words: string]>,
): Element {
  const [predicted, predictedWords] = marks.predicted;
  const [happened, happenedWords] = marks.happened;
  const [low, high] = [Math.min(from, happened), Math.max(to, happened)];
  // The line leaves 40 units at both of its ends for the numbers there.
  const x = (value: number) => LEFT + 40 + ((value - low) / (high - low)) * (RIGHT - LEFT - 80);
  const y = SCALE_HEIGHT / 2;
  const [a, b] = [x(predicted), x(happened)];
  const words = `Predicted ${predictedWords}, measured ${happenedWords}, on a scale from ${formatTick(low)} to ${formatTick(high)}`;
  return picture(
    SCALE_HEIGHT,
    words,
    svg("line", { x1: x(low), x2: x(high), y1: y, y2: y, class: "lesson-axis" }),
    ...[low, high].map((end) => svg("line", { x1: x(end), x2: x(end), y1: y - 5, y2: y + 5, class: "lesson-axis" })),
    text(x(low) - 8, y + 4, formatTick(low), "lesson-tick", "end"),
    text(x(high) + 8, y + 4, formatTick(high), "lesson-tick", "start"),
    svg("line", { x1: a, x2: b, y1: y, y2: y, class: "lesson-gap" }),
    svg("path", { d: `M${a} ${y - 3}l-7 -12h14z`, class: "lesson-predicted" }),
    text(a, y - 22, `you: ${predictedWords}`, "lesson-label"),
    svg("circle", { cx: b, cy: y, r: RADIUS, class: "lesson-happened" }),
    text(b, y + 30, `measured: ${happenedWords}`, "lesson-label"),
  );
}

/** The runs of blocks as dots, a row for each block. */
export function dotsPicture(
  lab: LabInfo,
  rows: { part: SeedsPart; result: SeedsResult }[],
  by: ComparePart["by"],
): Element {
  const values = rows.map(({ result }) =>
    result.seeds
      .map(({ reached, last }) => (by === "units" ? (reached ?? Infinity) : (last ?? NaN)))
      .filter((value) => !Number.isNaN(value))
      .sort((a, b) => a - b),
  );
  const finite = values.flat().filter(Number.isFinite);
  const hasNever = values.flat().includes(Infinity);
  const [low, high] = bounds(finite, by === "units");
  const right = hasNever ? RIGHT - NEVER_WIDTH : RIGHT;
  const x = (value: number) => LEFT + AXIS_INSET + ((value - low) / (high - low)) * (right - LEFT - 2 * AXIS_INSET);
  const places = values.map((each) => dotPlaces(each, x));
  const stackHeight = Math.max(MIN_STACK_HEIGHT, ...places.flat().map(([, up]) => up));
  const rowHeight = ROW_HEIGHT - MIN_STACK_HEIGHT + stackHeight;
  const axisY = rows.length * rowHeight + 6;
  const children = rows.flatMap(({ part }, i) => {
    const y = (i + 1) * rowHeight - 8;
    const title = text(LEFT, y - stackHeight - 10, part.title, "lesson-row", "start");
    const guide = svg("line", { x1: LEFT, x2: right, y1: y, y2: y, class: "lesson-guide" });
    const name = `lesson-dot lane-${(i % 4) + 1}`; // the style sheet has four colours
    return [
      title,
      guide,
      ...(places[i] ?? []).map(([cx, up]) => svg("circle", { cx, cy: y - up, r: RADIUS, class: name })),
    ];
  });
  children.push(svg("line", { x1: LEFT, x2: right, y1: axisY, y2: axisY, class: "lesson-axis" }));
  const metric = rows[0]?.result.metric ?? "";
  const unit = by === "units" ? "" : (lab.about.metrics.find(({ name }) => name === metric)?.unit ?? "");
  for (const value of finite.length > 0 ? roundTicks(low, high) : []) {
    children.push(svg("line", { x1: x(value), x2: x(value), y1: axisY, y2: axisY + 5, class: "lesson-axis" }));
    children.push(text(x(value), axisY + 20, formatTick(value), "lesson-tick"));
  }
  if (hasNever) children.push(text(RIGHT, axisY + 20, "goal not reached", "lesson-tick", "end"));
  const axis =
    by === "units"
      ? `${lab.about.unit}s until the goal`
      : `${metricLabel(lab, metric)} at the end${unit && ` (${unit})`}`;
  children.push(text(LEFT, axisY + 38, sentenceStart(axis), "lesson-tick", "start"));
  const words = rows.map(
    ({ part }, i) =>
      `${part.title}: ${(values[i] ?? []).map((value) => (value === Infinity ? "not reached" : formatTick(value))).join(", ")}`,
  );
  return picture(axisY + 46, `${sentenceStart(axis)}. ${words.join(". ")}`, ...children);
}

/**
 * Where the dots of ascending values stand: in x, and how far above their line. Dots of one level do not overlap, and
 * levels are so far apart that a part of each dot can be seen. So are the dots in the row of runs without the goal.
 */
export function dotPlaces(values: readonly number[], x: (value: number) => number): [x: number, up: number][] {
  const finite = values.filter(Number.isFinite).map(x);
  /** The last dot of each level. */
  const lasts: number[] = [];
  const levels = finite.map((at) => {
    const free = lasts.findIndex((last) => at - last >= 2 * RADIUS);
    const level = free < 0 ? lasts.length : free;
    lasts[level] = at;
    return level;
  });
  const levelStep = Math.min(LEVEL_STEP, MAX_STACK_HEIGHT / (lasts.length - 1));
  const never = values.length - finite.length;
  const neverStep = Math.min(NEVER_STEP, MAX_NEVER_ROW / (never - 1));
  return [
    ...finite.map((at, i): [number, number] => [at, (levels[i] as number) * levelStep]),
    ...Array.from({ length: never }, (_, i): [number, number] => [RIGHT - RADIUS - i * neverStep, 0]),
  ];
}

/** The ends of the scale: from zero, or with a margin of a twentieth of the range at both. */
function bounds(values: number[], fromZero: boolean): [number, number] {
  if (values.length === 0) return [0, 1];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (fromZero) return [0, most || 1];
  const margin = (most - least || Math.abs(most) || 1) * 0.05;
  return [least - margin, most + margin];
}

/** The options of a choice, with marks at the one that was predicted and the one that happened. */
export function optionsPicture(options: readonly string[], predicted: number, happened: number | null): HTMLElement {
  const rows = options.map((option, i) => {
    const marks = [predicted === i && "your prediction", happened === i && "what happened"].filter(Boolean) as string[];
    const names = ["lesson-chosen-row", predicted === i && "predicted", happened === i && "happened"];
    const row = el("li", { class: names.filter(Boolean).join(" ") }, el("span", { text: option }));
    if (marks.length > 0) row.append(el("b", { text: marks.join(" and ") }));
    return row;
  });
  return el("ul", { class: "lesson-chosen" }, ...rows);
}

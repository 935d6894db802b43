// What the charts of compared runs have in common: the goal as a dashed line, and a range of the y axis with the goal.

import type uPlot from "uplot";
import { minus } from "../../core/format";
import { colour, cssVariable } from "../../core/theme";

/** Space above and below the values, as a fraction of their range. */
const Y_MARGIN = 0.06;

/** The range of the y axis that contains the values and the goals. */
export function rangeWith(low: number | null, high: number | null, goals: number[]): [number, number] {
  const values = [low, high, ...goals].filter((value): value is number => value !== null && Number.isFinite(value));
  if (values.length === 0) return [0, 1];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const margin = (most - least || Math.abs(most) || 1) * Y_MARGIN;
  return [least - margin, most + margin];
}

// The text of a goal, in CSS pixels: its size, its distance from the left edge, and from the line down to its baseline.
const TEXT_SIZE = 11;
const TEXT_LEFT = 6;
const TEXT_BELOW = 14;

/** Draws a goal as a dashed line with its text. The canvas counts in bitmap pixels. */
export function drawGoal(plot: uPlot, target: number): void {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio || 1;
  const y = plot.valToPos(target, "y", true);
  ctx.save();
  ctx.strokeStyle = colour("--ink-3");
  ctx.lineWidth = scale;
  ctx.setLineDash([4 * scale, 4 * scale]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.font = `${TEXT_SIZE * scale}px ${cssVariable("--font")}`;
  ctx.fillStyle = colour("--ink-2");
  ctx.textAlign = "left";
  // Goals are round numbers, so they are written without trailing zeros.
  ctx.fillText(`goal ${minus(String(target))}`, bbox.left + TEXT_LEFT * scale, y + TEXT_BELOW * scale);
  ctx.restore();
}

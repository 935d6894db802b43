// Draws the picture of a world on a canvas, with colours by their role (role-colours.ts).

import type { FlatPicture } from "./messages";
import { shapesOf, type Trails } from "./shapes";

/** The least width of lines, in CSS pixels, and that of lines without a width of their own. */
const MIN_LINE = 1;
const USUAL_LINE = 2;

/** Draws a picture on a canvas of this size in CSS pixels. */
export function drawPicture(
  context: CanvasRenderingContext2D,
  size: { width: number; height: number },
  picture: FlatPicture,
  trails: Trails,
  colours: string[],
  font: string,
): void {
  // The camera, with which the numbers begin.
  const [middleX = 0, middleY = 0, height = 1] = picture.numbers;
  const scale = size.height / height;
  const x = (at: number) => size.width / 2 + (at - middleX) * scale;
  const y = (at: number) => size.height / 2 - (at - middleY) * scale;
  context.lineCap = "round";
  context.lineJoin = "round";
  for (const { kind, role, width, numbers } of shapesOf(picture)) {
    context.fillStyle = context.strokeStyle = colours[role] ?? "";
    context.lineWidth = width === null ? USUAL_LINE : Math.max(MIN_LINE, width * scale);
    const [a = 0, b = 0, c = 0, d = 0, e = 0] = numbers; // see `Shape.numbers`
    const finish = () => (width === null ? context.fill() : context.stroke());
    context.beginPath();
    if (kind === "line") {
      context.moveTo(x(a), y(b));
      context.lineTo(x(c), y(d));
      context.stroke();
    } else if (kind === "circle") {
      context.arc(x(a), y(b), Math.abs(c) * scale, 0, 2 * Math.PI);
      finish();
    } else if (kind === "rectangle") {
      context.save();
      context.translate(x(a), y(b));
      context.rotate(-e);
      context.rect((-c / 2) * scale, (-d / 2) * scale, c * scale, d * scale);
      context.restore();
      finish();
    } else if (kind === "polygon" || kind === "polyline") {
      for (let i = 0; i + 1 < numbers.length; i += 2) context.lineTo(x(numbers[i] ?? 0), y(numbers[i + 1] ?? 0));
      if (kind === "polyline") context.stroke();
      else {
        context.closePath();
        finish();
      }
    } else if (kind === "text") {
      context.font = `${c * scale}px ${font}`;
      context.textBaseline = "middle";
      const value = Number.isNaN(d) ? "" : ` ${Number(d.toPrecision(3))}`;
      context.fillText(`${picture.texts[e] ?? ""}${value}`, x(a), y(b));
    } else {
      for (const point of trails.of(d)) context.lineTo(x(point.x), y(point.y));
      context.stroke();
    }
  }
}

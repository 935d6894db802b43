// A moment as a picture for chats, which show pictures of 1200 x 630 pixels beside a link: the lab's small picture, and
// beside it the lab, the unit (training iteration), the headline with the unit of its test, its curve, and the address
// of the site.

import type { LinkMoment } from "../../core/moment-link";
import { colour, cssVariable } from "../../core/theme";
import type { LabInfo } from "../../generated/protocol";
import type { MadeMoment } from "../moment-maker";
import { chatWords, type ChatWords } from "../moment-words";
import { readPalette, type Picture } from "../small-picture/picture";
import { frameCount } from "../small-picture/recording";
import { canvasPng } from "./picture";

// Lengths in pixels of the file.
const [WIDTH, HEIGHT] = [1200, 630];
const MARGIN = 48;
/** The column with the words. Without a picture it is as wide as there is room. */
const WORDS_WIDTH = 380;
/** The small picture's pixels are drawn this large, so that its letters and lines can be read in a chat. */
const PICTURE_SCALE = 1.7;
/** Radius of the picture's corners. */
const CORNER = 24;
const CURVE_HEIGHT = 130;
/** Lines of text: weight and size in pixels, and the distance to the next baseline. */
const BRAND = { weight: 600, size: 26, height: 34 };
const ADDRESS = { weight: 400, size: 22, height: 44 };
const TITLE = { weight: 700, size: 50, height: 58 };
const SMALL = { weight: 400, size: 27, height: 38 };
const SCORE = { weight: 700, size: 64, height: 78 };

type TextStyle = typeof BRAND;

/** The picture as a PNG file. `picture` is how the lab is drawn in small. */
export function chatPicture(
  lab: LabInfo,
  { moment, words }: Pick<MadeMoment, "moment" | "words">,
  picture: Picture | null,
): Promise<Blob> {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  context.fillStyle = colour("--paper");
  context.fillRect(0, 0, WIDTH, HEIGHT);
  const { clip } = moment;
  const hasPicture = clip !== null && picture !== null;
  if (hasPicture) drawPicture(context, picture, clip);
  drawWords(context, chatWords(lab, moment, words), moment, hasPicture ? WORDS_WIDTH : WIDTH - 2 * MARGIN);
  return canvasPng(canvas);
}

function drawPicture(context: CanvasRenderingContext2D, picture: Picture, clip: NonNullable<LinkMoment["clip"]>): void {
  const left = 2 * MARGIN + WORDS_WIDTH;
  const [width, height] = [WIDTH - left - MARGIN, HEIGHT - 2 * MARGIN];
  context.save();
  context.beginPath();
  context.roundRect(left, MARGIN, width, height, CORNER);
  context.clip();
  context.fillStyle = colour("--well");
  context.fillRect(left, MARGIN, width, height);
  context.translate(left, MARGIN);
  context.scale(PICTURE_SCALE, PICTURE_SCALE);
  const surface = { context, width: width / PICTURE_SCALE, height: height / PICTURE_SCALE, palette: readPalette() };
  picture.paint(surface, clip, frameCount(clip) - 1);
  context.restore();
}

function drawWords(context: CanvasRenderingContext2D, words: ChatWords, moment: LinkMoment, width: number): void {
  let y = MARGIN;
  const write = (text: string, style: TextStyle, ink: string) => {
    context.font = `${style.weight} ${style.size}px ${cssVariable("--font")}`;
    context.fillStyle = colour(ink);
    for (const line of linesOf(text, (part) => context.measureText(part).width <= width)) {
      context.fillText(line, MARGIN, y + style.size, width);
      y += style.height;
    }
  };
  const { title, trained, name, value, unit, test } = words;
  write("Learnery", BRAND, "--learn");
  write(location.host + location.pathname.replace(/\/(?:index\.html)?$/, ""), ADDRESS, "--ink-2");
  write(title, TITLE, "--ink");
  write(trained, SMALL, "--ink-2");
  if (!value) return;
  y += ADDRESS.height / 2;
  write(name, SMALL, "--ink");
  write(value, SCORE, "--ink");
  write([unit, test].filter(Boolean).join(", "), SMALL, "--ink-2");
  drawCurve(context, moment, width, Math.max(y + SMALL.height, HEIGHT - MARGIN - CURVE_HEIGHT));
}

/** Draws the headline's curve from `top` to the lower margin. */
function drawCurve(
  context: CanvasRenderingContext2D,
  { headline, unit }: LinkMoment,
  width: number,
  top: number,
): void {
  const { units = [], values = [] } = headline?.curve ?? {};
  const height = HEIGHT - MARGIN - top;
  if (values.length < 2 || height < CURVE_HEIGHT / 2) return;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const y = (value: number) => top + height * (1 - (high > low ? (value - low) / (high - low) : 0.5));
  context.strokeStyle = colour("--line-strong");
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(MARGIN, HEIGHT - MARGIN);
  context.lineTo(MARGIN + width, HEIGHT - MARGIN);
  context.stroke();
  context.strokeStyle = colour("--learn");
  context.lineWidth = 5;
  context.lineJoin = context.lineCap = "round";
  context.beginPath();
  units.forEach((each, i) => context.lineTo(MARGIN + (each / Math.max(1, unit)) * width, y(values[i] as number)));
  context.stroke();
}

/** The words of a text in lines that fit. */
function linesOf(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

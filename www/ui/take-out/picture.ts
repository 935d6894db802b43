// An element of the page as a picture (PNG) with a caption, or as a short clip. The element is drawn by the library
// modern-screenshot, which copies it with its styles into an SVG image.

import { domToCanvas } from "modern-screenshot";
import { colour, cssVariable } from "../../core/theme";
import { captionLines, type Caption } from "./caption";

/** Parts of the page that are no part of the picture. */
const EXCLUDED_SELECTOR = ".solved-pill, .guess-sign, .card.over";
/** The fonts are the system's, so none has to be embedded. */
const CAPTURE_OPTIONS = {
  font: false as const,
  filter: (node: Node) => !(node instanceof Element && node.matches(EXCLUDED_SELECTOR)),
};

// The caption of a picture, in CSS pixels.
const CAPTION_MARGIN = 12;
const TITLE = { weight: 600, size: 16, height: 24 };
const WORDS = { weight: 400, size: 12, height: 18 };
/** Bitmap pixels per CSS pixel of a picture, at most. */
const MAX_SCALE = 2;
/** Frames per second of a clip at most; drawing a picture with many parts takes longer. */
const CLIP_FRAMES_PER_SECOND = 10;
/** Formats of clips, the best first: Safari records no WebM. */
const CLIP_TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];

/** The element below its caption as a PNG file. */
export async function picturePng(element: HTMLElement, caption: Caption): Promise<Blob> {
  const scale = Math.min(MAX_SCALE, devicePixelRatio || 1);
  return canvasPng(captioned(await drawElement(element, scale), caption, scale));
}

/** A picture below its caption, on a canvas. */
function captioned(picture: HTMLCanvasElement, { title, parts }: Caption, scale: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  const font = ({ weight, size }: { weight: number; size: number }) =>
    `${weight} ${size * scale}px ${cssVariable("--font")}`;
  context.font = font(WORDS);
  const width = picture.width - 2 * CAPTION_MARGIN * scale;
  const lines = captionLines(parts, width, (text) => context.measureText(text).width);
  const height = scale * (2 * CAPTION_MARGIN + TITLE.height + lines.length * WORDS.height);
  // A new size resets the context.
  [canvas.width, canvas.height] = [picture.width, picture.height + Math.ceil(height)];
  context.fillStyle = colour("--paper");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.textBaseline = "top";
  const write = (text: string, style: typeof TITLE, y: number, ink: string) => {
    context.font = font(style);
    context.fillStyle = colour(ink);
    context.fillText(text, CAPTION_MARGIN * scale, y * scale, width);
  };
  write(title, TITLE, CAPTION_MARGIN, "--ink");
  lines.forEach((line, i) => write(line, WORDS, CAPTION_MARGIN + TITLE.height + i * WORDS.height, "--ink-2"));
  context.drawImage(picture, 0, canvas.height - picture.height);
  return canvas;
}

/** A canvas as a PNG file. */
export function canvasPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))), "image/png"),
  );
}

/** The format in which this browser records clips, or undefined if it records none. */
export function clipType(): string | undefined {
  if (typeof MediaRecorder === "undefined") return undefined;
  return CLIP_TYPES.find((type) => MediaRecorder.isTypeSupported(type));
}

/** Records the element for some seconds. `progress` is called with the seconds that are left. */
export async function recordClip(
  element: HTMLElement,
  seconds: number,
  type: string,
  progress: (left: number) => void,
): Promise<Blob> {
  const first = await drawElement(element, 1);
  const canvas = document.createElement("canvas");
  // Encoders of video need an even width and height. `& ~1` takes off the lowest bit.
  [canvas.width, canvas.height] = [first.width & ~1, first.height & ~1];
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  context.drawImage(first, 0, 0);
  const recorder = new MediaRecorder(canvas.captureStream(CLIP_FRAMES_PER_SECOND), { mimeType: type });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const stopped = new Promise<void>((resolve, reject) => {
    recorder.onstop = () => resolve();
    recorder.onerror = () => reject(new Error("this browser stopped the recording"));
  });
  recorder.start();
  const endMs = performance.now() + 1000 * seconds;
  try {
    for (let left = seconds; left > 0; left = (endMs - performance.now()) / 1000) {
      progress(left);
      const beganMs = performance.now();
      context.drawImage(await drawElement(element, 1), 0, 0);
      const restMs = 1000 / CLIP_FRAMES_PER_SECOND - (performance.now() - beganMs);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, restMs)));
    }
  } finally {
    recorder.stop();
  }
  await stopped;
  return new Blob(parts, { type: type.split(";")[0] ?? type });
}

/** Draws the element with the background of the page on a canvas. */
function drawElement(element: HTMLElement, pixelRatio: number): Promise<HTMLCanvasElement> {
  return domToCanvas(element, { ...CAPTURE_OPTIONS, scale: pixelRatio, backgroundColor: colour("--paper") });
}

// Packs the picture of a world of the visitor's own into the frames of a link that carries a moment, so that its
// receiver sees it before the lab is loaded: the shapes as the lab sends them. A frame begins with the number of the
// world, as those of the built-in ones do (../picture.ts), the step of the episode and the count of numbers; these
// follow with 24 bits each, and then the texts of shapes, each with a line feed at its end. Shapes come and go with what
// happens, so frames differ in length; zeros after the texts fill one up to the length of others.

import { floats } from "../../../core/floats";
import type { MomentClip } from "../../../core/moment-link";
import type { ControlView } from "../../../generated/protocol";
import type { Surface } from "../../../ui/small-picture/picture";
import { frameAt, type Clip } from "../../../ui/small-picture/recording";
import { drawPicture } from "./drawing";
import type { FlatPicture } from "./messages";
import { areShapes, ROLES, shapesOf, Trails } from "./shapes";

/** The number of a world of one's own, after those of the built-in ones. */
export const OWN_WORLD = 4;
/** Byte offsets in a frame. */
const [STEPS, COUNT, NUMBERS] = [1, 5, 7];
/** The first bytes of a 32-bit float; the last one changes less than can be seen. */
const KEPT_BYTES = 3;
/** The bytes after the last text. Texts end with a line feed, so they are no part of one. */
const FILLING = 0;
/** The count of numbers has 16 bits in a frame. */
const MAX_NUMBERS = 0xffff;
/** A text may have this many characters, and a picture so many texts, as in the rules of worlds (docs/worlds.md). */
const [MAX_TEXT, MAX_TEXTS] = [400, 500];

interface Frame {
  steps: number;
  picture: FlatPicture;
}

/** The frame of a view; empty if its picture is too large for one. */
export function ownFrame({ own, stage }: ControlView): Uint8Array {
  const numbers = own ? floats(own.shapes) : [];
  const texts = new TextEncoder().encode((own?.texts ?? []).map((text) => `${text}\n`).join(""));
  if (numbers.length > MAX_NUMBERS) return new Uint8Array();
  const frame = new Uint8Array(NUMBERS + KEPT_BYTES * numbers.length + texts.length);
  const data = new DataView(frame.buffer);
  data.setUint8(0, OWN_WORLD);
  data.setUint32(STEPS, stage.steps);
  data.setUint16(COUNT, numbers.length);
  const number = new DataView(new ArrayBuffer(4));
  numbers.forEach((value, i) => {
    number.setFloat32(0, value);
    frame.set(new Uint8Array(number.buffer, 0, KEPT_BYTES), NUMBERS + KEPT_BYTES * i);
  });
  frame.set(texts, NUMBERS + KEPT_BYTES * numbers.length);
  // What no page would read is not written.
  return readOwnFrame(frame) ? frame : new Uint8Array();
}

/** Fills a frame of such a world up to a length. Frames of other worlds stay as they are. */
export function fillOwnFrame(frame: Uint8Array, length: number): Uint8Array {
  if (frame[0] !== OWN_WORLD || frame.length >= length) return frame;
  const filled = new Uint8Array(length).fill(FILLING);
  filled.set(frame);
  return filled;
}

/** Reads a frame, which may come from anywhere; null if nothing can be drawn of it. */
export function readOwnFrame(frame: Uint8Array): Frame | null {
  const data = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (frame.length < NUMBERS || frame[0] !== OWN_WORLD) return null;
  const count = data.getUint16(COUNT);
  const end = NUMBERS + KEPT_BYTES * count;
  if (frame.length < end) return null;
  const numbers = new Float32Array(count);
  const number = new DataView(new ArrayBuffer(4));
  for (let i = 0; i < count; i++) {
    const at = NUMBERS + KEPT_BYTES * i;
    new Uint8Array(number.buffer).set(frame.subarray(at, at + KEPT_BYTES));
    numbers[i] = number.getFloat32(0);
  }
  let textsEnd = frame.length;
  while (textsEnd > end && frame[textsEnd - 1] === FILLING) textsEnd--;
  const texts = new TextDecoder().decode(frame.subarray(end, textsEnd)).split("\n");
  const picture = { numbers, texts };
  const isSound =
    texts.pop() === "" &&
    texts.length <= MAX_TEXTS &&
    texts.every(({ length }) => length <= MAX_TEXT) &&
    areShapes(picture);
  return isSound ? { steps: data.getUint32(STEPS), picture } : null;
}

/** The frames of a clip; null if one of them cannot be drawn. */
function framesOf(clip: Clip): Frame[] | null {
  const frames = Array.from({ length: clip.bytes.length / clip.frameSize }, (_, i) => readOwnFrame(frameAt(clip, i)));
  return frames.every((frame) => frame !== null) ? frames : null;
}

export const isOwnClip = (clip: MomentClip): boolean => framesOf(clip) !== null;

/** The frames of clips that are drawn, so that each is read once. */
const read = new WeakMap<Uint8Array, Frame[]>();

/** Draws a clip at a position, with the trails that the frames before it have left. */
export function paintOwn({ context, width, height, palette }: Surface, clip: Clip, position: number): void {
  const frames = read.get(clip.bytes) ?? framesOf(clip) ?? [];
  read.set(clip.bytes, frames);
  const shown = frames.slice(0, Math.floor(position) + 1);
  const last = shown.at(-1);
  if (!last) return;
  const trails = new Trails();
  for (const { steps, picture } of shown) trails.note(steps, shapesOf(picture));
  const font = getComputedStyle(document.body).fontFamily;
  const colours = ROLES.map((name) => palette[name]);
  drawPicture(context, { width, height }, last.picture, trails, colours, font);
}

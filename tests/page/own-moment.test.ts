// The last picture of a world of one's own in a link: frames are read as they were made, and none that could not be
// drawn is taken.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ControlView } from "../../www/generated/protocol";
import { moment } from "../../www/labs/control/moment";
import { fillOwnFrame, ownFrame, readOwnFrame } from "../../www/labs/control/own-world/moment-frames";
import { picture as small } from "../../www/labs/control/picture";
import { clipOf as clipOfFrames } from "../../www/ui/small-picture/recording";

/** The middle of what the camera shows, and its height. */
const CAMERA = [0.5, -1.25, 3];
/**
 * A line, a circle that is filled, and a text. A shape has its kind, its colour, the width of its lines (NaN for none),
 * how many numbers follow, and these: places, sizes, and a text's value and index (own-world/shapes.ts).
 */
const SHAPES = [0, 0, 0.05, 4, -1, 0.1, 1 / 3, 2, 1, 3, NaN, 3, 0.7, -0.7, 0.2, 5, 1, NaN, 5, 0, 1, 0.1, 12.5, 1];
const TEXTS = ["Höhe", "speed"];

const viewWith = (shapes: number[], texts = TEXTS, steps = 412) =>
  ({
    world: "own",
    own: { shapes: new Uint8Array(Float32Array.from(shapes).buffer), texts },
    stage: { steps },
  }) as unknown as ControlView;
const clipOf = (...frames: Uint8Array[]) => {
  const frameSize = frames[0]?.length ?? 1;
  const bytes = new Uint8Array(frameSize * frames.length);
  frames.forEach((frame, i) => bytes.set(frame, i * frameSize));
  return { bytes, frameSize, rate: 12.5 };
};

test("frame of a world of one's own has its shapes, to 1/65,000 of each number, its texts and its step", () => {
  const frame = ownFrame(viewWith([...CAMERA, ...SHAPES]));
  const read = readOwnFrame(frame);
  assert.ok(read);
  assert.equal(read.steps, 412);
  assert.deepEqual(read.picture.texts, TEXTS);
  const expected = [...CAMERA, ...SHAPES];
  assert.equal(read.picture.numbers.length, expected.length);
  read.picture.numbers.forEach((number, i) => {
    const value = expected[i] as number;
    assert.ok(Object.is(number, value) || Math.abs(number - value) <= Math.abs(value) / 65_000, `${i}: ${number}`);
  });
  assert.ok(frame.length < 110, `${frame.length} bytes`);
  const clip = clipOf(frame, ownFrame(viewWith([...CAMERA, ...SHAPES], TEXTS, 413)));
  assert.ok(moment.isDrawable(clip));
  assert.equal(moment.words?.(clip.bytes), "a world of one's own");
});

test("frames that cannot be drawn are refused", () => {
  const good = ownFrame(viewWith([...CAMERA, ...SHAPES]));
  const drawable = (frame: Uint8Array) => moment.isDrawable(clipOf(frame));
  assert.ok(drawable(good));
  const shapes = (...numbers: number[]) => ownFrame(viewWith([...CAMERA, ...numbers], []));
  assert.ok(drawable(shapes(0, 0, 1, 4, 0, 0, 1, 1)));
  const refused: Record<string, Uint8Array> = {
    "cut off": good.slice(0, 40),
    "no camera": ownFrame(viewWith([1, 2], [])),
    "a camera without a height": ownFrame(viewWith([0, 0, 0], [])),
    "a camera that is nowhere": ownFrame(viewWith([NaN, 0, 1], [])),
    "another kind of shape": shapes(7, 0, 1, 4, 0, 0, 1, 1),
    "half a kind": shapes(0.5, 0, 1, 4, 0, 0, 1, 1),
    "another colour": shapes(0, 7, 1, 4, 0, 0, 1, 1),
    "more numbers than there are": shapes(0, 0, 1, 5, 0, 0, 1, 1),
    "less than none": shapes(0, 0, 1, -4, 0, 0, 1, 1),
    "a count that is none": shapes(0, 0, 1, NaN, 0, 0, 1, 1),
    "a text that is missing": shapes(5, 0, NaN, 5, 0, 0, 1, NaN, 0),
    "a long text": ownFrame(viewWith(CAMERA, ["x".repeat(401)])),
    "many texts": ownFrame(viewWith(CAMERA, Array<string>(501).fill("x"))),
    "another world": Uint8Array.from(good, (byte, i) => (i === 0 ? 5 : byte)),
  };
  for (const [what, frame] of Object.entries(refused)) assert.ok(!drawable(frame), what);
  // One of several.
  const other = Uint8Array.from(good, (byte, i) => (i === 0 ? 0 : byte));
  assert.ok(!moment.isDrawable(clipOf(good, other)) && !moment.isDrawable(clipOf(other, good)));
});

test("texts of a frame are read as they were, also an empty one, and what could not be read is not written", () => {
  for (const texts of [[], [""], ["a", ""], ["", "b"]])
    assert.deepEqual(readOwnFrame(ownFrame(viewWith(CAMERA, texts)))?.picture.texts, texts);
  for (const texts of [["two\nlines", "x".repeat(401)], Array<string>(501).fill("x")])
    assert.equal(ownFrame(viewWith(CAMERA, texts)).length, 0);
});

test("frames with and without a shape that comes and goes are one clip, of which each is read as it was", () => {
  const views = [
    viewWith([...CAMERA, ...SHAPES]),
    viewWith(CAMERA, []),
    viewWith([...CAMERA, ...SHAPES], ["", "b\0"]),
    viewWith([...CAMERA, 0, 0, 1, 4, 0, 0, 1, 1], []),
  ];
  const frames = views.map(ownFrame);
  assert.ok(new Set(frames.map(({ length }) => length)).size > 2, "the frames differ in length");
  const picture = moment.picture?.(small);
  assert.ok(picture);
  const clip = { ...clipOfFrames(frames, picture), rate: 12.5 };
  assert.equal(clip.bytes.length, frames.length * Math.max(...frames.map(({ length }) => length)));
  assert.ok(moment.isDrawable(clip));
  frames.forEach((frame, i) => {
    const filled = clip.bytes.subarray(i * clip.frameSize, (i + 1) * clip.frameSize);
    assert.deepEqual(readOwnFrame(filled), readOwnFrame(frame));
  });
  // Zeros are no text, and bytes that are not zero fill nothing.
  const bad = fillOwnFrame(ownFrame(views[1] as ControlView), 40);
  assert.ok(readOwnFrame(bad));
  bad[39] = 1;
  assert.equal(readOwnFrame(bad), null);
  // Frames of the built-in worlds stay as they are, so a clip has those of the last world alone.
  const builtIn = Uint8Array.of(0, 0, 0, 0, 0, 0, 0);
  assert.equal(clipOfFrames([...frames, builtIn], picture).bytes.length, builtIn.length);
  assert.equal(clipOfFrames([builtIn, ...frames], picture).bytes.length, clip.bytes.length);
  assert.equal(clipOfFrames([], picture).bytes.length, 0);
  // Without a way to fill frames, those of another length than the last one are left out.
  assert.deepEqual(clipOfFrames([Uint8Array.of(1, 2), Uint8Array.of(3)], {}), {
    bytes: Uint8Array.of(3),
    frameSize: 1,
  });
});

test("damaged frames are refused, or can be drawn", () => {
  const good = ownFrame(viewWith([...CAMERA, ...SHAPES]));
  let state = 1;
  // The lowest bits of such a generator repeat soon.
  const random = (below: number) => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 16) % below;
  let taken = 0;
  for (let i = 0; i < 2_000; i++) {
    const frame = Uint8Array.from(good);
    for (let edits = 1 + random(3); edits > 0; edits--) frame[random(frame.length)] = random(256);
    const read = readOwnFrame(frame.slice(0, frame.length - random(2)));
    if (!read) continue;
    taken++;
    const [, , height = 0] = read.picture.numbers;
    assert.ok(height > 0 && read.picture.texts.every((text) => text.length <= 400));
  }
  assert.ok(taken > 100 && taken < 1_950, `${taken}`);
});

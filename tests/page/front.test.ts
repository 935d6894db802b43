// The front's recordings: frames of views, files of recordings, and when a recording shows what.

import assert from "node:assert/strict";
import { test } from "node:test";
import { existsSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { liveWords } from "../../www/ui/small-picture/picture-words";
import { shownAt, stillOf } from "../../www/ui/small-picture/playback";
import {
  frameAt,
  frameCount,
  readRecording,
  writeRecording,
  type Moment,
  type Recording,
  type StoredRecording,
} from "../../www/ui/small-picture/recording";
import { LABS } from "../../www/generated/labs";
import type { ControlView, LogicView } from "../../www/generated/protocol";
import { FRAME_OFFSETS, picture as controlPicture, PUSH_SCALE, STATE_SCALE } from "../../www/labs/control/picture";
import { picture as logicPicture } from "../../www/labs/logic/picture";

/** All recordings together, compressed by gzip. */
const MAX_BYTES = 25_000;

const fileOf = (lab: string) => readFileSync(new URL(`../../www/labs/${lab}/recording.json`, import.meta.url), "utf8");

const hasPicture = (lab: string) => existsSync(new URL(`../../www/labs/${lab}/picture.ts`, import.meta.url));

// A recording with two moments, of three and of two frames with two bytes each.
const UNTRAINED: Moment = { unit: 0, score: "", frameSize: 2, bytes: Uint8Array.of(0, 1, 2, 3, 254, 255) };
const TRAINED: Moment = { unit: 9, score: "solved", frameSize: 2, bytes: Uint8Array.of(7, 8, 9, 10) };
const SMALL: Recording = {
  lab: "control",
  seed: 3,
  settings: { worlds: 16 },
  unit: "iteration",
  rate: 10,
  moments: [UNTRAINED, TRAINED],
};

test("recording is read as it was written", () => {
  const text = writeRecording(SMALL);
  assert.deepEqual(readRecording(JSON.parse(text) as StoredRecording), SMALL);
});

test("recording with broken frames is neither written nor read", () => {
  assert.throws(() => writeRecording({ ...SMALL, moments: [{ ...UNTRAINED, bytes: new Uint8Array(5) }] }), RangeError);
  const stored = JSON.parse(writeRecording(SMALL)) as StoredRecording;
  assert.throws(() => readRecording({ ...stored, frame: 4 }), RangeError);
});

test("frame outside of a clip is its first or last", () => {
  assert.equal(frameCount(UNTRAINED), 3);
  assert.deepEqual([...frameAt(UNTRAINED, -1)], [0, 1]);
  assert.deepEqual([...frameAt(UNTRAINED, 1.9)], [2, 3]);
  assert.deepEqual([...frameAt(UNTRAINED, 3)], [254, 255]);
});

test("recording shows its moments one after the other, and begins again", () => {
  const units = [];
  let before = -1;
  for (let time = 0; time < 20; time += 0.01) {
    const { moment, position, opacity } = shownAt(SMALL, time);
    assert.ok(position >= 0 && position <= frameCount(moment) - 1);
    assert.ok(opacity >= 0 && opacity <= 1);
    if (moment.unit !== before) units.push(moment.unit);
    before = moment.unit;
  }
  assert.deepEqual(units.slice(0, 4), [0, 9, 0, 9]);
  assert.deepEqual(stillOf(SMALL), { moment: TRAINED, position: 1, opacity: 1 });
});

test("frame of the control lab holds what is drawn", () => {
  const state = new Uint8Array(Float32Array.of(-1.5, 9, 0.2, 9).buffer);
  const stage = { state, agent: -1, over: true };
  const frame = controlPicture.encode({ world: "cartpole", stage } as unknown as ControlView);
  const data = new DataView(frame.buffer);
  assert.equal(frame.length, FRAME_OFFSETS.length);
  assert.equal(data.getUint8(FRAME_OFFSETS.over), 1);
  assert.equal(data.getInt8(FRAME_OFFSETS.push), -PUSH_SCALE);
  assert.equal(data.getInt16(FRAME_OFFSETS.state) / STATE_SCALE, -1.5);
  assert.equal(data.getInt16(FRAME_OFFSETS.state + 2) / STATE_SCALE, 0.2);
});

test("frame of the logic lab has a bit for each cell", () => {
  const hard = Uint8Array.from({ length: 12 }, (_, i) => Number(i % 3 === 0));
  const frame = logicPicture.encode({ stage: { width: 4, height: 3, shown: 1, hard } } as unknown as LogicView);
  assert.deepEqual([...frame], [4, 3, 1, 0b01001001, 0b0010]);
});

test("the recording of every lab with a small picture is small, from an untrained agent to a trained one", () => {
  let size = 0;
  for (const { id } of LABS.filter(({ id }) => hasPicture(id))) {
    const text = fileOf(id);
    size += gzipSync(text).length;
    const recording = readRecording(JSON.parse(text) as StoredRecording);
    assert.equal(recording.lab, id);
    const units = recording.moments.map(({ unit }) => unit);
    assert.ok(units.length >= 2 && units[0] === 0, id);
    assert.deepEqual(
      units,
      units.toSorted((a, b) => a - b),
    );
    assert.equal(writeRecording(recording), text);
  }
  assert.ok(size > 0, "no lab has a picture");
  assert.ok(size <= MAX_BYTES, `all recordings have ${size} bytes by gzip`);
});

test("live picture is described only where it shows what the words say", () => {
  const words = (world?: string) => liveWords("Run A", controlPicture, world ? { world } : {});
  assert.equal(words(), "Run A: a cart that keeps a pole upright");
  assert.equal(words("pendulum"), "Run A");
  const draws = (world: string) => controlPicture.draws?.({ world });
  assert.deepEqual([draws("acrobot"), draws("own")], [true, false]);
  assert.equal(liveWords("Run A", logicPicture as never, {}), "Run A: a grid of cells that grows into a picture");
});

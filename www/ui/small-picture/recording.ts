// The recordings of the labs, `labs/<lab>/recording.json`: what an agent did on its stage at a few moments of a real
// run. `npm run record` writes them.
//
// A recording is JSON. A moment is a row of frames of equal length; a frame is what the lab's picture keeps of a view
// (`Picture.encode`). The bytes of all frames of a moment, one after the other, are one text in base 64: the bytes of a
// row repeat themselves, so the text becomes small when the site is compressed.

import type { Settings } from "../../core/link";

/** A row of frames of the same length, one after the other. */
export interface Clip {
  bytes: Uint8Array;
  /** Bytes per frame. */
  frameSize: number;
}

/** A clip whose bytes are shared with no other thread, so that a link can be made of them. */
type ArrayClip = Clip & { bytes: Uint8Array<ArrayBuffer> };

/** What the agent did after this many units (training iterations). */
export interface Moment extends Clip {
  unit: number;
  /** How well it did then, as a phrase; empty for an untrained agent, which was not evaluated. */
  score: string;
}

export interface Recording {
  lab: string;
  seed: number;
  /** The settings of the run that differ from the defaults. */
  settings: Settings;
  /** The singular noun for a unit, such as "iteration". */
  unit: string;
  /** Frames per second. */
  rate: number;
  /** In the order of the run, the untrained agent first. */
  moments: Moment[];
}

/** A recording as it is in its file. */
export interface StoredRecording extends Omit<Recording, "moments"> {
  /** Bytes per frame. */
  frame: number;
  moments: { unit: number; score: string; frames: string }[];
}

/** What `Picture.fill` does, where a picture has it. */
interface Filling {
  fill?: (frame: Uint8Array, length: number) => Uint8Array;
}

/**
 * A clip of frames. They are filled up to the length of the longest one where the picture can do that. Frames whose
 * length is still another one than that of the last are left out: they show another world, puzzle or grid.
 */
export function clipOf(frames: readonly Uint8Array[], { fill }: Filling): ArrayClip {
  const longest = frames.reduce((length, frame) => Math.max(length, frame.length), 0);
  const filled = fill ? frames.map((frame) => fill(frame, longest)) : frames;
  const frameSize = filled.at(-1)?.length ?? 0;
  const alike = filled.filter(({ length }) => length === frameSize);
  const bytes = new Uint8Array(alike.length * frameSize);
  alike.forEach((frame, i) => bytes.set(frame, i * frameSize));
  return { bytes, frameSize };
}

/** How many frames a clip has. */
export function frameCount({ bytes, frameSize }: Clip): number {
  return bytes.length / frameSize;
}

/** A frame of a clip. For an index before the first frame or after the last, it is the first or the last. */
export function frameAt(clip: Clip, index: number): Uint8Array {
  const start = Math.max(0, Math.min(frameCount(clip) - 1, Math.floor(index))) * clip.frameSize;
  return clip.bytes.subarray(start, start + clip.frameSize);
}

/** Reads a recording from its file. Throws if its frames are not whole. */
export function readRecording({ frame, moments, ...rest }: StoredRecording): Recording {
  return {
    ...rest,
    moments: moments.map(({ frames, ...moment }) => {
      const bytes = Uint8Array.from(atob(frames), (character) => character.charCodeAt(0));
      if (bytes.length === 0 || bytes.length % frame !== 0)
        throw new RangeError(`${rest.lab}: ${bytes.length} bytes are no frames of ${frame} bytes`);
      return { ...moment, bytes, frameSize: frame };
    }),
  };
}

/** The text of a recording's file. Throws if its frames differ in length. */
export function writeRecording({ moments, ...rest }: Recording): string {
  const frame = moments[0]?.frameSize ?? 0;
  const stored: StoredRecording = {
    ...rest,
    frame,
    moments: moments.map((moment) => {
      if (moment.frameSize !== frame || moment.bytes.length === 0 || moment.bytes.length % frame !== 0)
        throw new RangeError(`${rest.lab}: frames of ${moment.frameSize} bytes beside frames of ${frame} bytes`);
      return { unit: moment.unit, score: moment.score, frames: btoa(String.fromCharCode(...moment.bytes)) };
    }),
  };
  return `${JSON.stringify(stored, null, 2)}\n`;
}

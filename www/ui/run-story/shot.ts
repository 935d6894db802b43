// A recorded picture of the agent at one unit (training iteration) of a run, and the canvas that plays it.

import { Painter } from "../small-picture/painter";
import { frameCount, type Clip } from "../small-picture/recording";

export interface Shot {
  /** The unit of the agent in the picture. */
  unit: number;
  /** False if repeating the run measured something else than the run did. */
  same: boolean;
  clip: Clip;
  /** What the picture shows of a behaviour, in a part of a sentence; null if it shows none. */
  shown: string | null;
}

/** A text as a clip, which has a frame for each of its characters. */
export const textClip = (text: Uint8Array): Clip => ({ bytes: text, frameSize: 1 });

/** Whether two frames are equal. */
export function sameFrame(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a?.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Draws a place in a shot. */
export class ShotPainter extends Painter {
  #shot: Shot | null = null;
  #position = 0;

  /** Shows a shot at a place, in frames; at its end for Infinity. */
  show(shot: Shot | null, position: number): void {
    this.#shot = shot;
    this.#position = position;
    this.draw();
  }

  draw(): void {
    const clip = this.#shot?.clip;
    if (clip && clip.bytes.length > 0) this.drawFrame(clip, Math.min(frameCount(clip) - 1, this.#position));
  }
}

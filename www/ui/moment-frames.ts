// Keeps the last frames of a lab's stage while it is in sight, for links that carry a moment.

import type { Run } from "../core/run";
import type { AnyView } from "../core/run-events";
import type { MomentClip } from "../core/moment-link";
import type { LabMoment } from "./lab-moment";
import type { Picture } from "./small-picture/picture";

export class FrameRecorder {
  #frames: Uint8Array[] = [];
  /** The time of the last kept frame, by `performance.now()`. */
  #keptAt = 0;
  #run: Run | null = null;
  #unsubscribe = (): void => {};

  constructor(
    readonly picture: Picture,
    readonly own: Pick<LabMoment, "rate" | "frames" | "turns">,
  ) {}

  /** Keeps frames of this run from now on, and forgets those of another one. */
  record(run: Run): void {
    if (run === this.#run) return;
    this.destroy();
    this.#frames = [];
    this.#run = run;
    const unsubscribes = [run.on("view", (view) => this.#add(view)), run.on("opened", () => (this.#frames = []))];
    this.#unsubscribe = () => unsubscribes.forEach((unsubscribe) => unsubscribe());
  }

  /** The last frames, of which `view` is the very last. Frames of another length show another world, puzzle or grid. */
  clipTo(view: AnyView): MomentClip {
    const last = this.picture.encode(view);
    const before = this.#frames.filter(({ length }) => length === last.length);
    if (before.length > 0 && isSame(before.at(-1), last)) before.pop();
    // A text is one encoded view. Of other pictures there are at most `own.frames`, the last one included.
    const frames = this.picture.text ? [last] : [...before.slice(1 - this.own.frames), last];
    const bytes = new Uint8Array(frames.length * last.length);
    frames.forEach((frame, i) => bytes.set(frame, i * last.length));
    return { bytes, frameSize: this.picture.text ? 1 : last.length, rate: this.own.rate };
  }

  #add(view: AnyView): void {
    const { rate, frames, turns } = this.own;
    const now = performance.now();
    if (!turns && now - this.#keptAt < 1000 / rate) return;
    const frame = this.picture.encode(view);
    if (turns && isSame(this.#frames.at(-1), frame)) return;
    this.#keptAt = now;
    this.#frames.push(frame);
    if (this.#frames.length > frames) this.#frames.shift();
  }

  destroy(): void {
    this.#unsubscribe();
    this.#unsubscribe = () => {};
    this.#run = null;
  }
}

function isSame(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a?.length === b.length && b.every((byte, i) => byte === a[i]);
}

/** The last frames of a clip, this share of all, and at least one. */
export function lastFrames({ bytes, frameSize, rate }: MomentClip, share: number): MomentClip {
  const count = Math.max(1, Math.floor((share * bytes.length) / frameSize));
  return { bytes: bytes.slice(-count * frameSize), frameSize, rate };
}

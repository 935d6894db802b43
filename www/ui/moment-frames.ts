// Keeps the last frames of a lab's stage while it is in sight, for links that carry a moment.

import type { Run } from "../core/run";
import type { AnyView } from "../core/run-events";
import type { MomentClip } from "../core/moment-link";
import type { LabMoment } from "./lab-moment";
import type { Picture } from "./small-picture/picture";
import { clipOf } from "./small-picture/recording";

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

  /** The last frames, of which `view` is the very last. */
  clipTo(view: AnyView): MomentClip {
    const { picture, own } = this;
    const last = picture.encode(view);
    // A text is one encoded view.
    if (picture.text) return { bytes: new Uint8Array(last), frameSize: 1, rate: own.rate };
    const before = isSame(this.#frames.at(-1), last) ? this.#frames.slice(0, -1) : this.#frames;
    const { bytes, frameSize } = clipOf([...before, last], picture);
    // There are at most `own.frames`, the last one included.
    return { bytes: bytes.slice(-own.frames * frameSize), frameSize, rate: own.rate };
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

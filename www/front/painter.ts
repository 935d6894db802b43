// Draws a lab's small picture on a canvas: frames of a recording (see card.ts), or of a run that is going on.

import { ResponsiveCanvas } from "../core/canvas";
import type { AnyView } from "../core/run";
import { reducedMotion } from "../core/theme";
import { FRAMES } from "./frames";
import { readPalette, type Picture } from "./picture";
import type { Clip } from "./recording";

/** Draws a picture on a canvas, again when the size or the theme changes. */
export abstract class Painter {
  /** The seconds since the recording, or the last frame of a run, began. */
  protected seconds = 0;
  #palette = readPalette();
  #canvas = new ResponsiveCanvas({
    class: "small-picture",
    resized: () => this.draw(),
    recoloured: () => {
      this.#palette = readPalette();
      this.draw();
    },
  });

  constructor(
    parent: Element,
    readonly picture: Picture,
  ) {
    parent.append(this.#canvas.element);
  }

  abstract draw(): void;

  advance(seconds: number): void {
    this.seconds += seconds;
    this.draw();
  }

  protected paint(clip: Clip, position: number, opacity: number): void {
    const { width, height } = this.#canvas;
    if (width === 0) return;
    const context = this.#canvas.clear();
    this.#canvas.element.style.opacity = String(opacity);
    this.picture.paint({ context, width, height, palette: this.#palette }, clip, position);
  }

  destroy(): void {
    this.#canvas.destroy();
  }
}

/** Draws the views of a run. A view that differs from the last becomes the next frame. */
export class LivePainter extends Painter {
  /** The last two frames, one after the other. */
  #clip: Clip | null = null;
  #frameOf: (view: AnyView) => Uint8Array;

  /** `lab` is the id of the lab whose views are drawn. */
  constructor(parent: Element, picture: Picture, lab: string) {
    super(parent, picture);
    // A run sends only views of its own lab, which the types cannot express.
    this.#frameOf = FRAMES[lab as keyof typeof FRAMES] as unknown as (view: AnyView) => Uint8Array;
  }

  /** Whether there is anything to see. */
  get drawn(): boolean {
    return this.#clip !== null;
  }

  /** Goes on to a view. */
  follow(view: AnyView): void {
    const frame = this.#frameOf(view);
    const last = this.#clip?.bytes.subarray(this.#clip.frame);
    if (last && last.length === frame.length && last.every((byte, i) => byte === frame[i])) return;
    // Frames of another size are those of another grid or world, or of a longer text.
    const from = last?.length === frame.length ? last : frame;
    this.#clip = { bytes: new Uint8Array([...from, ...frame]), frame: frame.length };
    this.seconds = 0;
    if (reducedMotion()) this.draw();
  }

  draw(): void {
    if (!this.#clip) return;
    const { bytes, frame } = this.#clip;
    const { text, turnSeconds } = this.picture;
    if (text) return this.paint({ bytes: bytes.subarray(frame), frame: 1 }, frame - 1, 1);
    const turned = turnSeconds > 0 && !reducedMotion() ? Math.min(1, this.seconds / turnSeconds) : 1;
    this.paint(this.#clip, turned, 1);
  }
}

// Draws a lab's small picture on a canvas: frames of a recording (recording-player.ts), or of a live run.

import { ResponsiveCanvas } from "../../core/canvas";
import type { AnyView } from "../../core/run-events";
import { reducedMotion } from "../../core/theme";
import { readPalette, type Picture } from "./picture";
import { frameAt, type Clip } from "./recording";
import "../../style/small-picture.css";

/** Draws a picture on a canvas, and redraws it when the size or the theme changes. */
export abstract class Painter {
  /** Seconds since the recording started, or since the latest frame of a live run arrived. */
  protected elapsed = 0;
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

  /** Draws what is to be seen at the present time. */
  abstract draw(): void;

  /** Draws the picture after some more seconds. */
  advance(seconds: number): void {
    this.elapsed += seconds;
    this.draw();
  }

  /** Draws a clip at a fractional frame index: between two frames, the picture is between them too. */
  protected drawFrame(clip: Clip, frameIndex: number, opacity = 1): void {
    const { width, height } = this.#canvas;
    if (width === 0) return;
    const context = this.#canvas.clear();
    this.#canvas.element.style.opacity = String(opacity);
    this.picture.paint({ context, width, height, palette: this.#palette }, clip, frameIndex);
  }

  destroy(): void {
    this.#canvas.destroy();
  }
}

/** Draws the views of a live run. */
export class LivePainter extends Painter {
  /** The previous and the current frame, concatenated; the same one twice if there is no transition between them. */
  #clip: Clip | null = null;

  /** Whether a view has been shown already. */
  get hasFrame(): boolean {
    return this.#clip !== null;
  }

  /** Makes a view the current frame, unless it looks the same as the last one. */
  show(view: AnyView): void {
    const current = this.picture.encode(view);
    const last = this.#clip && frameAt(this.#clip, 1);
    if (last && last.length === current.length && last.every((byte, i) => byte === current[i])) return;
    // There is no transition between frames of different sizes: the grid, the world or the length of the text changed.
    const previous = last?.length === current.length ? last : current;
    this.#clip = { bytes: new Uint8Array([...previous, ...current]), frameSize: current.length };
    this.elapsed = 0;
    if (reducedMotion()) this.draw(); // nothing calls `advance` then
  }

  draw(): void {
    if (!this.#clip) return;
    const { text, transitionSeconds } = this.picture;
    if (text) {
      // A text is drawn from a clip with one frame per character, up to the last one.
      const bytes = frameAt(this.#clip, 1);
      this.drawFrame({ bytes, frameSize: 1 }, bytes.length - 1);
      return;
    }
    const isMoving = transitionSeconds > 0 && !reducedMotion();
    this.drawFrame(this.#clip, isMoving ? Math.min(1, this.elapsed / transitionSeconds) : 1);
  }
}

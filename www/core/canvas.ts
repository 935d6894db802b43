// A canvas whose bitmap follows its size on the page, and which is drawn again when the colours of the theme change.

import { onTheme } from "./theme";

interface CanvasOptions {
  class: string;
  /**
   * The element whose size is followed. By default it is the canvas itself, and the bitmap is sized automatically. With
   * another element, the owner sizes the bitmap with `setSize`.
   */
  box?: Element;
  /** Called when the size has changed. */
  resized?: () => void;
  /** Called when the theme has changed, so that the owner reads its colours again. */
  recoloured?: () => void;
}

/** More bitmap pixels than this per CSS pixel cost time and make no visible difference. */
const MAX_SCALE = 2;

export class ResponsiveCanvas {
  readonly element = document.createElement("canvas");
  readonly context = this.element.getContext("2d") as CanvasRenderingContext2D;
  /** Size in CSS pixels; 0 until the element has been laid out. */
  width = 0;
  height = 0;
  /** Bitmap pixels per CSS pixel. */
  scale = 1;
  #observer: ResizeObserver;
  #unsubscribe: () => void;

  constructor({ class: name, box, resized, recoloured }: CanvasOptions) {
    this.element.className = name;
    // Screen readers get a description in words beside the canvas.
    this.element.setAttribute("aria-hidden", "true");
    const watched = box ?? this.element;
    this.#observer = new ResizeObserver(() => {
      const { clientWidth, clientHeight } = watched;
      if (clientWidth === 0) return;
      this.scale = Math.min(MAX_SCALE, devicePixelRatio || 1);
      [this.width, this.height] = [clientWidth, clientHeight];
      if (!box) this.setSize(clientWidth, clientHeight);
      resized?.();
    });
    this.#observer.observe(watched);
    this.#unsubscribe = onTheme(() => recoloured?.());
  }

  /** Sizes the bitmap for a width and height in CSS pixels. A new size clears the canvas. */
  setSize(width: number, height: number): void {
    const [columns, rows] = [Math.round(width * this.scale), Math.round(height * this.scale)];
    if (this.element.width !== columns) this.element.width = columns;
    if (this.element.height !== rows) this.element.height = rows;
  }

  /** Clears the canvas and sets its units to CSS pixels. */
  clear(): CanvasRenderingContext2D {
    const { context, element } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, element.width, element.height);
    context.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    return context;
  }

  destroy(): void {
    this.#observer.disconnect();
    this.#unsubscribe();
  }
}

/** A small bitmap with one pixel for each value, to be drawn enlarged. */
export function bitmap(): { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D } {
  const canvas = document.createElement("canvas");
  return { canvas, context: canvas.getContext("2d") as CanvasRenderingContext2D };
}

// The pictures of the first training worlds, side by side on one canvas.

import { ResponsiveCanvas } from "../../../core/canvas";
import { colour } from "../../../core/theme";
import { drawPicture } from "./drawing";
import { roleColours } from "./role-colours";
import { columnsFor, PICTURE_ASPECT, picturesOf, Trails } from "./shapes";

/** The room between two pictures, in CSS pixels. */
const GAP = 3;

export class TrainingPictures {
  #canvas: ResponsiveCanvas;
  #colours = roleColours();
  /** The background of a picture, which is that of the stage. */
  #ground = colour("--well");
  /** The shapes of all pictures, one picture after the other. */
  #numbers: Float32Array<ArrayBuffer> = new Float32Array();
  /** The texts that the world's rules draw. Shapes name them by their index. */
  #texts: string[] = [];
  /** Training worlds leave no trails: the page sees too few of their steps. */
  #noTrails = new Trails();

  constructor() {
    this.#canvas = new ResponsiveCanvas({
      class: "world-grid-canvas",
      resized: () => this.#draw(),
      recoloured: () => {
        this.#colours = roleColours();
        this.#ground = colour("--well");
        this.#draw();
      },
    });
  }

  get element(): HTMLCanvasElement {
    return this.#canvas.element;
  }

  destroy(): void {
    this.#canvas.destroy();
  }

  draw(numbers: Float32Array<ArrayBuffer>, texts: string[]): void {
    this.#numbers = numbers;
    this.#texts = texts;
    this.#draw();
  }

  #draw(): void {
    const { width, height } = this.#canvas;
    if (width === 0) return;
    const context = this.#canvas.clear();
    const pictures = picturesOf(this.#numbers);
    const columns = columnsFor(pictures.length, width, height);
    const rows = Math.max(1, Math.ceil(pictures.length / columns));
    const [cellWidth, cellHeight] = [width / columns, height / rows];
    // Pictures are wider than high, so that what is taken from the height leaves a gap between columns too.
    const pictureHeight = Math.min(cellHeight, cellWidth / PICTURE_ASPECT) - GAP;
    const size = { width: pictureHeight * PICTURE_ASPECT, height: pictureHeight };
    if (pictureHeight <= 0) return;
    const font = getComputedStyle(this.#canvas.element).fontFamily;
    pictures.forEach((picture, i) => {
      context.save();
      context.translate((i % columns) * (size.width + GAP), Math.floor(i / columns) * (size.height + GAP));
      context.beginPath();
      context.rect(0, 0, size.width, size.height);
      context.clip();
      context.fillStyle = this.#ground;
      context.fillRect(0, 0, size.width, size.height);
      drawPicture(context, size, { numbers: picture, texts: this.#texts }, this.#noTrails, this.#colours, font);
      context.restore();
    });
  }
}

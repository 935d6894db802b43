// Attention weights in the inspector, the figure that looks inside the network (inspector.ts). A text consists of
// pieces (tokens). Each attention head of each layer is drawn as a strip with one cell for each piece up to the chosen
// one; the cell's colour is the weight with which the head looks from the chosen piece at that one. The strips of a
// layer form a block. A head is selected by pointer or by key, and its weights are then shown on the text too. Sizes
// are CSS pixels.

import { bitmap, ResponsiveCanvas } from "../../core/canvas";
import { ramp, type Rgb } from "../../core/colour";
import { el, hasModifier, listen, write } from "../../core/dom";
import { colour, cssVariable } from "../../core/theme";
import { formatProbability } from "./predictions";
import { visibleName } from "./token-text";

/** The number of colours of the scale of weights. */
const SHADES = 64;
/** Height of a strip with the gap below it, of that gap, and of the gap between two layers. */
const STRIP_HEIGHT = 9;
const STRIP_GAP = 1;
const LAYER_GAP = 7;
/** Room for the layer numbers on the left. */
const LABEL_WIDTH = 18;
/** In a short text, cells are no wider than this. */
const MAX_CELL_WIDTH = 22;
/** Opacity of the other strips while one is selected. */
const UNSELECTED_OPACITY = 0.4;

export interface AttentionInput {
  layers: number;
  /** Heads in each layer. */
  heads: number;
  pieces: string[];
  /** The index of the chosen piece. */
  chosen: number;
  /** The weights as an array of shape [layers, heads, chosen + 1]. */
  attention: ArrayLike<number>;
}

export class AttentionHeads {
  readonly element: HTMLElement;
  /** The selected head, counted over all layers: layer × heads + head. */
  #selected: number | null = null;
  #frame = el("div", {
    class: "language-heads-frame",
    tabindex: 0,
    role: "application",
    "aria-label": "Attention of each head. The up and down arrows choose a head, Escape none",
  });
  #canvas = new ResponsiveCanvas({
    class: "language-heads-canvas",
    box: this.#frame,
    recoloured: () => this.#readColours(),
  });
  #text = el("p", { class: "remark" });
  /** Read aloud once per key press, because the visible sentence changes during training. */
  #announcement = el("span", { class: "unseen", "aria-live": "polite" });
  /** One pixel for each weight, to be drawn enlarged. */
  #pixels = bitmap();
  #shades: Rgb[] = [];
  #input: AttentionInput | null = null;

  constructor() {
    this.#frame.append(this.#canvas.element);
    this.element = el("div", { class: "language-heads" }, this.#frame, this.#text, this.#announcement);
    const point = (event: PointerEvent) => this.#point(event);
    listen(this.#frame, { pointermove: point, pointerdown: point });
    // A finger leaves the frame after every tap, which must not undo the selection.
    listen(this.#frame, {
      pointerleave: ({ pointerType }) => pointerType === "touch" || (this.#selected = null),
      blur: () => (this.#selected = null),
      keydown: (event) => this.#handleKey(event),
    });
    this.#readColours();
  }

  destroy(): void {
    this.#canvas.destroy();
  }

  #readColours(): void {
    this.#shades = ramp(
      [0, 1, 2, 3].map((i) => colour(`--ramp-${i}`)),
      SHADES,
    );
  }

  /** Selects the head under the pointer. */
  #point(event: PointerEvent): void {
    const input = this.#input;
    if (!input) return;
    const y = event.clientY - this.#canvas.element.getBoundingClientRect().top;
    const layerPitch = input.heads * STRIP_HEIGHT + LAYER_GAP; // the distance from one layer to the next
    const layer = Math.min(input.layers - 1, Math.floor(y / layerPitch));
    const head = Math.min(input.heads - 1, Math.floor((y - layer * layerPitch) / STRIP_HEIGHT));
    this.#selected = Math.max(0, layer * input.heads + head);
  }

  #handleKey(event: KeyboardEvent): void {
    const input = this.#input;
    if (!input || hasModifier(event)) return;
    const count = input.layers * input.heads;
    const current = this.#selected ?? -1;
    // Up and down go round; without a selection they start at the last or the first head.
    const targets: Record<string, number | null> = {
      ArrowUp: (Math.max(0, current) + count - 1) % count,
      ArrowDown: (current + 1) % count,
      Escape: null,
    };
    const next = targets[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.#selected = next;
    write(this.#announcement, this.#sentence(input));
  }

  /** The attention weights of the selected head, one per piece up to the chosen one; null if no head is selected. */
  weights(): number[] | null {
    const input = this.#input;
    if (this.#selected === null || !input) return null;
    const length = input.chosen + 1;
    return Array.from({ length }, (_, i) => input.attention[(this.#selected as number) * length + i] ?? 0);
  }

  draw(input: AttentionInput): void {
    this.#input = input;
    if (this.#selected !== null && this.#selected >= input.layers * input.heads) this.#selected = null;
    this.#drawStrips(input);
    write(this.#text, this.#sentence(input));
  }

  #drawStrips({ layers, heads, pieces, chosen, attention }: AttentionInput): void {
    const { width } = this.#canvas;
    if (width === 0 || pieces.length === 0) return;
    const layerPitch = heads * STRIP_HEIGHT + LAYER_GAP;
    const height = layers * layerPitch - LAYER_GAP;
    this.#canvas.setSize(width, height);
    this.#canvas.element.style.height = `${height}px`;
    const length = chosen + 1;
    const rows = layers * heads;
    const { canvas, context: pixelContext } = this.#pixels;
    if (canvas.width !== length || canvas.height !== rows) [canvas.width, canvas.height] = [length, rows];
    const image = pixelContext.createImageData(length, rows);
    for (let i = 0; i < length * rows; i++) {
      // Most weights are small; the square root keeps them visible.
      const shade = this.#shades[Math.round(Math.sqrt(Math.min(1, attention[i] ?? 0)) * (SHADES - 1))] as Rgb;
      // A pixel has four bytes: red, green, blue and opacity.
      image.data.set([...shade, 255], 4 * i);
    }
    pixelContext.putImageData(image, 0, 0);

    const context = this.#canvas.clear();
    context.imageSmoothingEnabled = false;
    context.font = `10px ${cssVariable("--font")}`;
    context.textBaseline = "top";
    const stripWidth = Math.min(MAX_CELL_WIDTH * length, width - LABEL_WIDTH);
    for (let row = 0; row < rows; row++) {
      const [layer, head] = [Math.floor(row / heads), row % heads];
      const top = layer * layerPitch + head * STRIP_HEIGHT;
      context.fillStyle = colour("--ink-3");
      if (head === 0) context.fillText(String(layer + 1), 2, top);
      context.globalAlpha = this.#selected === null || this.#selected === row ? 1 : UNSELECTED_OPACITY;
      context.drawImage(canvas, 0, row, length, 1, LABEL_WIDTH, top, stripWidth, STRIP_HEIGHT - STRIP_GAP);
      context.globalAlpha = 1;
    }
  }

  /** A sentence about the selected head. */
  #sentence({ heads, pieces }: AttentionInput): string {
    const weights = this.weights();
    if (!weights || this.#selected === null)
      return "Point at a strip, or press it, to highlight the tokens that this head attends to.";
    const strongest = weights.indexOf(Math.max(...weights));
    const [layer, head] = [Math.floor(this.#selected / heads) + 1, (this.#selected % heads) + 1];
    const weight = formatProbability(weights[strongest] ?? 0);
    const piece = `“${visibleName(pieces[strongest] ?? "")}”, token ${strongest + 1}`;
    return `Layer ${layer}, head ${head} attends most to ${piece}: ${weight}.`;
  }
}

// The attention of each head in each layer at the chosen piece: one strip for each head, one block for each layer. A
// strip that is pointed at or chosen by key is also shown on the text.

import { bitmap, ResponsiveCanvas } from "../../core/canvas";
import { ramp, type Rgb } from "../../core/colour";
import { el, hasModifier, listen, write } from "../../core/dom";
import { colour } from "../../core/theme";
import { formatPercent } from "./predictions";
import { visibleName } from "./token-text";

const SHADES = 64;
/** Height of a strip, and gap between two layers, in CSS pixels. */
const STRIP = 9;
const APART = 7;
/** Room for the layer numbers on the left. */
const LEFT = 18;
/** Largest width of a piece of a short text. */
const WIDEST = 22;

export interface HeadsInput {
  layers: number;
  heads: number;
  pieces: string[];
  chosen: number;
  /** // [layers, heads, chosen + 1] */
  attention: ArrayLike<number>;
}

export class AttentionHeads {
  readonly element: HTMLElement;
  /** The chosen strip: layer × heads + head. */
  chosen: number | null = null;
  #frame = el("div", {
    class: "language-heads-frame",
    tabindex: 0,
    role: "application",
    "aria-label": "Where each head looks. Up and down choose a head, Escape none",
  });
  #canvas = new ResponsiveCanvas({
    class: "language-heads-canvas",
    box: this.#frame,
    recoloured: () => this.#readColours(),
  });
  #text = el("p", { class: "remark" });
  /** Read aloud once per key press, because the visible sentence changes during training. */
  #announcement = el("span", { class: "unseen", "aria-live": "polite" });
  #image = bitmap();
  #shades: Rgb[] = [];
  #input: HeadsInput | null = null;

  constructor() {
    this.#frame.append(this.#canvas.element);
    this.element = el("div", { class: "language-heads" }, this.#frame, this.#text, this.#announcement);
    const point = (event: PointerEvent) => this.#point(event);
    listen(this.#frame, { pointermove: point, pointerdown: point });
    // A finger always leaves after a tap, which must not undo the choice.
    listen(this.#frame, {
      pointerleave: ({ pointerType }) => pointerType === "touch" || (this.chosen = null),
      blur: () => (this.chosen = null),
      keydown: (event) => this.#key(event),
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

  #point(event: PointerEvent): void {
    const looks = this.#input;
    if (!looks) return;
    const y = event.clientY - this.#canvas.element.getBoundingClientRect().top;
    const layer = Math.min(looks.layers - 1, Math.floor(y / (looks.heads * STRIP + APART)));
    const head = Math.min(looks.heads - 1, Math.floor((y - layer * (looks.heads * STRIP + APART)) / STRIP));
    this.chosen = Math.max(0, layer * looks.heads + head);
  }

  #key(event: KeyboardEvent): void {
    const looks = this.#input;
    if (!looks || hasModifier(event)) return;
    const count = looks.layers * looks.heads;
    const from = this.chosen ?? -1;
    const ways = { ArrowUp: (Math.max(0, from) + count - 1) % count, ArrowDown: (from + 1) % count, Escape: null };
    const next = (ways as Record<string, number | null | undefined>)[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.chosen = next;
    write(this.#announcement, this.#sentence(looks));
  }

  /** The attention weights of the chosen head, or null if none is chosen. */
  weights(): number[] | null {
    const looks = this.#input;
    if (this.chosen === null || !looks) return null;
    const length = looks.chosen + 1;
    return Array.from({ length }, (_, i) => looks.attention[(this.chosen as number) * length + i] ?? 0);
  }

  draw(looks: HeadsInput): void {
    this.#input = looks;
    if (this.chosen !== null && this.chosen >= looks.layers * looks.heads) this.chosen = null;
    this.#strips(looks);
    write(this.#text, this.#sentence(looks));
  }

  #strips({ layers, heads, pieces, chosen, attention }: HeadsInput): void {
    const { width } = this.#canvas;
    if (width === 0 || pieces.length === 0) return;
    const height = layers * (heads * STRIP + APART) - APART;
    this.#canvas.setSize(width, height);
    this.#canvas.element.style.height = `${height}px`;
    const length = chosen + 1;
    const rows = layers * heads;
    const { canvas, context: small } = this.#image;
    if (canvas.width !== length || canvas.height !== rows) [canvas.width, canvas.height] = [length, rows];
    const image = small.createImageData(length, rows);
    for (let at = 0; at < length * rows; at++) {
      // Most weights are small; the square root keeps them visible.
      const shade = this.#shades[Math.round(Math.sqrt(Math.min(1, attention[at] ?? 0)) * (SHADES - 1))] as Rgb;
      image.data.set([...shade, 255], 4 * at);
    }
    small.putImageData(image, 0, 0);

    const context = this.#canvas.clear();
    context.imageSmoothingEnabled = false;
    context.font = `10px ${colour("--font")}`;
    context.textBaseline = "top";
    const wide = Math.min(WIDEST * length, width - LEFT);
    for (let row = 0; row < rows; row++) {
      const [layer, head] = [Math.floor(row / heads), row % heads];
      const top = layer * (heads * STRIP + APART) + head * STRIP;
      context.fillStyle = colour("--ink-3");
      if (head === 0) context.fillText(String(layer + 1), 2, top);
      context.globalAlpha = this.chosen === null || this.chosen === row ? 1 : 0.4;
      context.drawImage(canvas, 0, row, length, 1, LEFT, top, wide, STRIP - 1);
      context.globalAlpha = 1;
    }
  }

  #sentence({ heads, pieces }: HeadsInput): string {
    const weights = this.weights();
    if (!weights || this.chosen === null) return "Point at a strip to see on the text where that head looks.";
    const most = weights.indexOf(Math.max(...weights));
    const [layer, head] = [Math.floor(this.chosen / heads) + 1, (this.chosen % heads) + 1];
    const share = formatPercent(weights[most] ?? 0);
    return `Layer ${layer}, head ${head} looks most at “${visibleName(pieces[most] ?? "")}”, piece ${most + 1}: ${share}.`;
  }
}

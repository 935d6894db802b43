// Where each head of each layer looks when the chosen piece was read: a strip a head over the text, one layer's heads
// together. Pointing at a strip, or going to it by key, shows on the text itself where that head looks.

import { ramp, type Rgb } from "../../core/colour";
import { el, write } from "../../core/dom";
import { colour, onTheme } from "../../core/theme";
import { percent } from "./guesses";
import { named } from "./pieces";

const SHADES = 64;
/** Heights of a strip and of what lies between two layers, in pixels of the page. */
const STRIP = 9;
const APART = 7;
/** Room at the left for the layers' numbers. */
const LEFT = 18;
/** A piece of a short text is not drawn wider. */
const WIDEST = 22;

export interface Looks {
  layers: number;
  heads: number;
  pieces: string[];
  chosen: number;
  /** // [layers, heads, chosen + 1] */
  attention: ArrayLike<number>;
}

export class Heads {
  readonly element: HTMLElement;
  /** The strip that is pointed at: its layer times heads, plus its head. */
  chosen: number | null = null;
  #canvas = el("canvas", { class: "language-heads-canvas", "aria-hidden": "true" });
  #frame = el("div", {
    class: "language-heads-frame",
    tabindex: 0,
    role: "application",
    "aria-label": "Where each head looks. Up and down choose a head, Escape none",
  });
  #says = el("p", { class: "language-says" });
  /** What is read out, once for each key: the sentence above changes while it learns. */
  #heard = el("span", { class: "unseen", "aria-live": "polite" });
  #image = document.createElement("canvas");
  #shades: Rgb[] = [];
  #looks: Looks | null = null;
  #width = 0;
  #observer = new ResizeObserver(() => (this.#width = this.#frame.clientWidth));
  #forget: () => void;

  constructor() {
    this.#frame.append(this.#canvas);
    this.element = el("div", { class: "language-heads" }, this.#frame, this.#says, this.#heard);
    for (const name of ["pointermove", "pointerdown"] as const) {
      this.#frame.addEventListener(name, (event) => this.#point(event));
    }
    // A finger leaves wherever it has chosen.
    this.#frame.addEventListener("pointerleave", ({ pointerType }) => pointerType === "touch" || (this.chosen = null));
    this.#frame.addEventListener("blur", () => (this.chosen = null));
    this.#frame.addEventListener("keydown", (event) => this.#key(event));
    this.#observer.observe(this.#frame);
    this.#forget = onTheme(() => this.#paint());
    this.#paint();
  }

  leave(): void {
    this.#observer.disconnect();
    this.#forget();
  }

  #paint(): void {
    this.#shades = ramp(
      [0, 1, 2, 3].map((i) => colour(`--ramp-${i}`)),
      SHADES,
    );
  }

  #point(event: PointerEvent): void {
    const looks = this.#looks;
    if (!looks) return;
    const y = event.clientY - this.#canvas.getBoundingClientRect().top;
    const layer = Math.min(looks.layers - 1, Math.floor(y / (looks.heads * STRIP + APART)));
    const head = Math.min(looks.heads - 1, Math.floor((y - layer * (looks.heads * STRIP + APART)) / STRIP));
    this.chosen = Math.max(0, layer * looks.heads + head);
  }

  #key(event: KeyboardEvent): void {
    const looks = this.#looks;
    if (!looks || event.ctrlKey || event.altKey || event.metaKey) return;
    const count = looks.layers * looks.heads;
    const from = this.chosen ?? -1;
    const ways = { ArrowUp: (Math.max(0, from) + count - 1) % count, ArrowDown: (from + 1) % count, Escape: null };
    const next = (ways as Record<string, number | null | undefined>)[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.chosen = next;
    write(this.#heard, this.#sentence(looks));
  }

  /** What the chosen head looks at, piece by piece; nothing where none is chosen. */
  weights(): number[] | null {
    const looks = this.#looks;
    if (this.chosen === null || !looks) return null;
    const length = looks.chosen + 1;
    return Array.from({ length }, (_, i) => looks.attention[(this.chosen as number) * length + i] ?? 0);
  }

  draw(looks: Looks): void {
    this.#looks = looks;
    if (this.chosen !== null && this.chosen >= looks.layers * looks.heads) this.chosen = null;
    this.#strips(looks);
    write(this.#says, this.#sentence(looks));
  }

  #strips({ layers, heads, pieces, chosen, attention }: Looks): void {
    if (this.#width === 0 || pieces.length === 0) return;
    const scale = Math.min(2, devicePixelRatio || 1);
    const [width, height] = [this.#width, layers * (heads * STRIP + APART) - APART];
    const canvas = this.#canvas;
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
      canvas.style.height = `${height}px`;
    }
    const length = chosen + 1;
    const rows = layers * heads;
    const small = this.#image.getContext("2d") as CanvasRenderingContext2D;
    if (this.#image.width !== length || this.#image.height !== rows) {
      [this.#image.width, this.#image.height] = [length, rows];
    }
    const image = small.createImageData(length, rows);
    for (let at = 0; at < length * rows; at++) {
      // Most looks are faint; the root keeps them visible beside the strong ones.
      const shade = this.#shades[Math.round(Math.sqrt(Math.min(1, attention[at] ?? 0)) * (SHADES - 1))] as Rgb;
      image.data.set([...shade, 255], 4 * at);
    }
    small.putImageData(image, 0, 0);

    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
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
      context.drawImage(this.#image, 0, row, length, 1, LEFT, top, wide, STRIP - 1);
      context.globalAlpha = 1;
    }
  }

  #sentence({ heads, pieces }: Looks): string {
    const weights = this.weights();
    if (!weights || this.chosen === null) return "Point at a strip to see on the text where that head looks.";
    const most = weights.indexOf(Math.max(...weights));
    const [layer, head] = [Math.floor(this.chosen / heads) + 1, (this.chosen % heads) + 1];
    const share = percent(weights[most] ?? 0);
    return `Layer ${layer}, head ${head} looks most at “${named(pieces[most] ?? "")}”, piece ${most + 1}: ${share}.`;
  }
}

// All gates there are, layer by layer, each a small field: pale while it hands on its first input, green as far as it is
// sure to be something else, with a flash when it changes its mind.

import { ramp, type Rgb } from "../../core/colour";
import { el, write } from "../../core/dom";
import { calm, colour, onTheme } from "../../core/theme";
import { feeds } from "./feeds";
import { NAMES, PASS } from "./kinds";
import type { LogicGates, LogicWiring } from "../../generated/protocol";

const SHADES = 64;
/** A change of mind can be seen for about so long. */
const FLASH_SECONDS = 0.5;
/** It is drawn no more often than this, but at once where another gate is looked at: thousands of fields take time. */
const REDRAW_SECONDS = 0.1;
/** Smaller fields, in pixels of the screen, have no lines between them. */
const LINED = 4;
/** Fields between two layers. */
const APART = 1;

export class Chip {
  readonly element: HTMLElement;
  #wanted: number | null = null;
  #canvas = el("canvas", { class: "logic-chip-canvas", "aria-hidden": "true" });
  #says = el("p", { class: "logic-says" });
  #image = document.createElement("canvas");
  #shades: Rgb[] = [];
  #colours = { flash: [0, 0, 0] as Rgb, back: "", ink: "" };
  /** The fields' columns and rows by gate, and which gate is where. */
  #places = new Uint32Array();
  #owners = new Map<number, number>();
  #layers = "";
  #size = { width: 0, height: 0, scale: 1, pitch: 4, columns: 0, rows: 0 };
  #kinds = new Uint8Array();
  #flash = new Float32Array();
  #gates: LogicGates | null = null;
  #wiring: LogicWiring | null = null;
  #pointed: number | null = null;
  #fed: Uint8Array | null = null;
  /** Seconds since it was drawn. */
  #since = REDRAW_SECONDS;
  #observer = new ResizeObserver(() => this.#fit());
  #forget: () => void;

  constructor() {
    this.element = el("div", { class: "logic-chip" }, this.#canvas, this.#says);
    this.#canvas.addEventListener("pointermove", (event) => this.#point(event));
    this.#canvas.addEventListener("pointerleave", () => this.#choose(null));
    this.#observer.observe(this.#canvas);
    this.#forget = onTheme(() => this.#paint());
    this.#paint();
  }

  /** The kind that is looked for, the others being pale. */
  set wanted(kind: number | null) {
    this.#wanted = kind;
    this.#since = REDRAW_SECONDS;
  }

  leave(): void {
    this.#observer.disconnect();
    this.#forget();
  }

  reset(): void {
    this.#kinds = new Uint8Array();
    this.#wiring = null;
    this.#choose(null);
  }

  /** Who is wired to whom, so that one can see what a gate depends on. */
  take(wiring: LogicWiring): void {
    this.#wiring = wiring;
  }

  #paint(): void {
    this.#shades = ramp(
      [0, 1, 2, 3].map((i) => colour(`--ramp-${i}`)),
      SHADES,
    );
    const ink = colour("--ink");
    this.#since = REDRAW_SECONDS;
    this.#colours = { flash: ramp([ink, ink], 2)[0] as Rgb, back: colour("--paper"), ink };
  }

  #fit(): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (width === 0) return;
    const scale = Math.min(2, devicePixelRatio || 1);
    [this.#canvas.width, this.#canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    Object.assign(this.#size, { width: this.#canvas.width, height: this.#canvas.height, scale });
    if (this.#gates) this.#arrange(this.#gates.layers);
  }

  /** The largest fields with which all layers fit, each layer a block as high as there is room. */
  #arrange(layers: number[]): void {
    const { width, height } = this.#size;
    if (width === 0) return;
    this.#layers = layers.join();
    this.#since = REDRAW_SECONDS;
    const across = (rows: number) => layers.reduce((sum, gates) => sum + Math.ceil(gates / rows) + APART, -APART);
    let pitch = Math.floor(height / 8);
    while (pitch > 1 && across(Math.floor(height / pitch)) * pitch > width) pitch--;
    const rows = Math.floor(height / pitch);
    const columns = Math.floor(width / pitch);
    // What is left over is shared out between the layers.
    const spare = (columns - across(rows)) / Math.max(1, layers.length - 1);
    Object.assign(this.#size, { pitch, rows, columns });
    [this.#image.width, this.#image.height] = [columns, rows];
    this.#places = new Uint32Array(layers.reduce((a, b) => a + b, 0));
    this.#owners.clear();
    let [gate, used] = [0, 0];
    for (const [i, gates] of layers.entries()) {
      const left = used + Math.floor(i * spare);
      const wide = Math.ceil(gates / rows);
      const high = Math.ceil(gates / wide);
      const top = (rows - high) >> 1;
      for (let g = 0; g < gates; g++, gate++) {
        const place = (top + (g % high)) * columns + left + Math.floor(g / high);
        this.#places[gate] = place;
        this.#owners.set(place, gate);
      }
      used += wide + APART;
    }
  }

  draw(gates: LogicGates, seconds: number): void {
    this.#gates = gates;
    if (this.#layers !== gates.layers.join() || this.#places.length !== gates.kinds.length) this.#arrange(gates.layers);
    this.#since += seconds;
    if (this.#size.columns === 0 || this.#since < REDRAW_SECONDS) return;
    this.#watch(gates.kinds, this.#since);
    this.#since = 0;
    const { columns, rows, pitch, width, height } = this.#size;
    const small = this.#image.getContext("2d") as CanvasRenderingContext2D;
    const image = small.createImageData(columns, rows);
    const { kinds, sure } = gates;
    for (let gate = 0; gate < kinds.length; gate++) {
      const kind = kinds[gate] as number;
      const p = (sure[gate] as number) / 255;
      const depth = kind === PASS ? 0.18 * (1 - p) : 0.6 + 0.4 * p;
      const shade = this.#shades[Math.round(depth * (SHADES - 1))] as Rgb;
      const at = 4 * (this.#places[gate] as number);
      const flash = this.#flash[gate] as number;
      for (let c = 0; c < 3; c++) {
        image.data[at + c] = (shade[c] as number) + ((this.#colours.flash[c] as number) - (shade[c] as number)) * flash;
      }
      const seen = this.#fed ? this.#fed[gate] === 1 : this.#wanted === null || this.#wanted === kind;
      image.data[at + 3] = seen ? 255 : 60;
    }
    small.putImageData(image, 0, 0);
    const context = this.#canvas.getContext("2d") as CanvasRenderingContext2D;
    context.imageSmoothingEnabled = false;
    context.clearRect(0, 0, width, height);
    context.drawImage(this.#image, 0, 0, columns * pitch, rows * pitch);
    this.#say();
    if (pitch < LINED) return;
    context.fillStyle = this.#colours.back;
    for (let x = 0; x <= columns; x++) context.fillRect(x * pitch - 1, 0, 1, height);
    for (let y = 0; y <= rows; y++) context.fillRect(0, y * pitch - 1, width, 1);
  }

  /** Notes who has changed its mind. */
  #watch(kinds: Uint8Array, seconds: number): void {
    const fade = Math.exp(-seconds / FLASH_SECONDS);
    if (this.#flash.length !== kinds.length) this.#flash = new Float32Array(kinds.length);
    const known = this.#kinds.length === kinds.length;
    for (let gate = 0; gate < kinds.length; gate++) {
      const changed = known && this.#kinds[gate] !== kinds[gate] && !calm();
      this.#flash[gate] = changed ? 0.85 : (this.#flash[gate] as number) * fade;
    }
    this.#kinds = kinds.slice();
  }

  #point({ clientX, clientY }: PointerEvent): void {
    const { left, top } = this.#canvas.getBoundingClientRect();
    const { scale, pitch, columns } = this.#size;
    const [column, row] = [clientX - left, clientY - top].map((at) => Math.floor((at * scale) / pitch)) as [
      number,
      number,
    ];
    this.#choose(this.#owners.get(row * columns + column) ?? null);
  }

  #choose(gate: number | null): void {
    if (gate === this.#pointed) return;
    this.#pointed = gate;
    this.#since = REDRAW_SECONDS;
    this.#fed = gate !== null && this.#gates && this.#wiring ? feeds(this.#gates, this.#wiring, gate) : null;
  }

  #say(): void {
    const gates = this.#gates as LogicGates;
    if (this.#pointed === null || this.#pointed >= gates.kinds.length) {
      return write(this.#says, "Pale gates hand on what they read; green ones have become another kind");
    }
    let [layer, first] = [0, 0];
    while (this.#pointed >= first + (gates.layers[layer] as number)) first += gates.layers[layer++] as number;
    const part = layer < gates.perceptionLayers ? "perception" : "update";
    const sure = Math.round((100 * (gates.sure[this.#pointed] as number)) / 255);
    const name = NAMES[gates.kinds[this.#pointed] as number] ?? "";
    write(this.#says, `Layer ${layer + 1} (${part}), gate ${this.#pointed - first + 1}: ${name}, ${sure}% sure`);
  }
}

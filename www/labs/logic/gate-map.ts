// A map of all gates, layer by layer, one square for each. A gate is pale while it passes its first input on, greener
// the surer it is of another kind, and flashes when its kind changes.

import { bitmap, ResponsiveCanvas } from "../../core/canvas";
import { ramp, type Rgb } from "../../core/colour";
import { el, listen, write } from "../../core/dom";
import { reducedMotion, colour } from "../../core/theme";
import { dependenciesOf } from "./gate-dependencies";
import { NAMES, PASS } from "./gate-kinds";
import type { LogicGates, LogicWiring } from "../../generated/protocol";

const SHADES = 64;
/** Time constant of a flash. */
const FLASH_SECONDS = 0.5;
/**
 * Thousands of squares take time, so the map is redrawn no more often than this, except when another gate is pointed
 * at.
 */
const REDRAW_SECONDS = 0.1;
/** Smaller squares, in bitmap pixels, have no lines between them. */
const LINED = 4;
/** Empty columns between two layers. */
const APART = 1;

export class GateMap {
  readonly element: HTMLElement;
  #highlightedKind: number | null = null;
  #canvas = new ResponsiveCanvas({
    class: "logic-gate-map-canvas",
    resized: () => this.#gates && this.#arrange(this.#gates.layers),
    recoloured: () => this.#readColours(),
  });
  #text = el("p", { class: "remark" });
  #image = bitmap();
  #shades: Rgb[] = [];
  #colours = { flash: [0, 0, 0] as Rgb, back: "", ink: "" };
  /** The square of each gate (row × columns + column), and the gate of each square. */
  #places = new Uint32Array();
  #owners = new Map<number, number>();
  #layers = "";
  #size = { pitch: 4, columns: 0, rows: 0 };
  #kinds = new Uint8Array();
  #flash = new Float32Array();
  #gates: LogicGates | null = null;
  #wiring: LogicWiring | null = null;
  #pointed: number | null = null;
  #dependencies: Uint8Array | null = null;
  #since = REDRAW_SECONDS;

  constructor() {
    this.element = el("div", { class: "logic-gate-map" }, this.#canvas.element, this.#text);
    listen(this.#canvas.element, {
      pointermove: (event) => this.#point(event),
      pointerleave: () => this.#choose(null),
    });
    this.#readColours();
  }

  /** Gates of this kind are highlighted, the others pale. */
  set highlightedKind(kind: number | null) {
    this.#highlightedKind = kind;
    this.#since = REDRAW_SECONDS;
  }

  destroy(): void {
    this.#canvas.destroy();
  }

  reset(): void {
    this.#kinds = new Uint8Array();
    this.#wiring = null;
    this.#choose(null);
  }

  /** The wiring, which shows what a gate depends on. */
  setWiring(wiring: LogicWiring): void {
    this.#wiring = wiring;
  }

  #readColours(): void {
    this.#shades = ramp(
      [0, 1, 2, 3].map((i) => colour(`--ramp-${i}`)),
      SHADES,
    );
    const ink = colour("--ink");
    this.#since = REDRAW_SECONDS;
    this.#colours = { flash: ramp([ink, ink], 2)[0] as Rgb, back: colour("--paper"), ink };
  }

  /** Finds the largest squares with which all layers fit, each layer as a block as high as possible. */
  #arrange(layers: number[]): void {
    const { width, height } = this.#canvas.element;
    if (this.#canvas.width === 0) return;
    this.#layers = layers.join();
    this.#since = REDRAW_SECONDS;
    const across = (rows: number) => layers.reduce((sum, gates) => sum + Math.ceil(gates / rows) + APART, -APART);
    let pitch = Math.floor(height / 8);
    while (pitch > 1 && across(Math.floor(height / pitch)) * pitch > width) pitch--;
    const rows = Math.floor(height / pitch);
    const columns = Math.floor(width / pitch);
    // Free columns are distributed between the layers.
    const spare = (columns - across(rows)) / Math.max(1, layers.length - 1);
    Object.assign(this.#size, { pitch, rows, columns });
    [this.#image.canvas.width, this.#image.canvas.height] = [columns, rows];
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
    this.#updateFlashes(gates.kinds, this.#since);
    this.#since = 0;
    const { columns, rows, pitch } = this.#size;
    const { canvas, context: small } = this.#image;
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
      const seen = this.#dependencies
        ? this.#dependencies[gate] === 1
        : this.#highlightedKind === null || this.#highlightedKind === kind;
      image.data[at + 3] = seen ? 255 : 60;
    }
    small.putImageData(image, 0, 0);
    const { width, height } = this.#canvas.element;
    const context = this.#canvas.clear();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(canvas, 0, 0, columns * pitch, rows * pitch);
    this.#updateText();
    if (pitch < LINED) return;
    context.fillStyle = this.#colours.back;
    for (let x = 0; x <= columns; x++) context.fillRect(x * pitch - 1, 0, 1, height);
    for (let y = 0; y <= rows; y++) context.fillRect(0, y * pitch - 1, width, 1);
  }

  /** Starts the flash of each gate whose kind has changed. */
  #updateFlashes(kinds: Uint8Array, seconds: number): void {
    const fade = Math.exp(-seconds / FLASH_SECONDS);
    if (this.#flash.length !== kinds.length) this.#flash = new Float32Array(kinds.length);
    const known = this.#kinds.length === kinds.length;
    for (let gate = 0; gate < kinds.length; gate++) {
      const changed = known && this.#kinds[gate] !== kinds[gate] && !reducedMotion();
      this.#flash[gate] = changed ? 0.85 : (this.#flash[gate] as number) * fade;
    }
    this.#kinds = kinds.slice();
  }

  #point({ clientX, clientY }: PointerEvent): void {
    const { left, top } = this.#canvas.element.getBoundingClientRect();
    const { pitch, columns } = this.#size;
    const { scale } = this.#canvas;
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
    this.#dependencies =
      gate !== null && this.#gates && this.#wiring ? dependenciesOf(this.#gates, this.#wiring, gate) : null;
  }

  #updateText(): void {
    const gates = this.#gates as LogicGates;
    if (this.#pointed === null || this.#pointed >= gates.kinds.length) {
      return write(this.#text, "Pale gates pass their input on; green ones have become another kind");
    }
    let [layer, first] = [0, 0];
    while (this.#pointed >= first + (gates.layers[layer] as number)) first += gates.layers[layer++] as number;
    const part = layer < gates.perceptionLayers ? "perception" : "update";
    const sure = Math.round((100 * (gates.sure[this.#pointed] as number)) / 255);
    const name = NAMES[gates.kinds[this.#pointed] as number] ?? "";
    write(this.#text, `Layer ${layer + 1} (${part}), gate ${this.#pointed - first + 1}: ${name}, ${sure}% sure`);
  }
}

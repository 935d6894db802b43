// A map of all gates before pruning (the removal of superfluous gates): one square for each gate, one block of squares
// for each layer, from left to right. Each gate is a mixture of kinds, and its most likely kind determines its colour.
// While that is a plain wire, which passes one input on, the gate is pale. Another kind is green, and the more
// probable it is, the greener. A gate flashes when its most likely kind changes. Pointing at a gate highlights what it
// depends on.
//
// Squares are numbered row by row on a grid that covers the canvas. Lengths are in bitmap pixels.

import { bitmap, ResponsiveCanvas } from "../../core/canvas";
import { ramp, type Rgb } from "../../core/colour";
import { el, listen, write } from "../../core/dom";
import { formatShare } from "../../core/format";
import { reducedMotion, colour } from "../../core/theme";
import { dependenciesOf } from "./gate-dependencies";
import { GATE_NAMES, isPlainWire } from "./gate-kinds";
import type { LogicGates, LogicWiring } from "../../generated/protocol";

/** Number of colours on the ramp from pale to green. */
const SHADES = 64;
/** Opacity (0 to 255) of gates that are not highlighted. */
const PALE_ALPHA = 60;
/** Strength of a flash at its start, 0 to 1, and its time constant. */
const FLASH_STRENGTH = 0.85;
const FLASH_SECONDS = 0.5;
/**
 * The map has thousands of squares, so it is redrawn at most this often, except when the pointer moves to another gate.
 */
const REDRAW_SECONDS = 0.1;
/** Smaller squares have no lines between them. */
const MIN_LINED_SQUARE = 4;
/** Empty columns between two layers. */
const LAYER_GAP = 1;
/** Squares are at most this fraction of the canvas's height. */
const MAX_SQUARE_FRACTION = 1 / 8;
/**
 * Where gates lie on the colour ramp, 0 (pale) to 1 (green): a plain wire between 0 and the first value, another kind
 * between the second and 1, so that the two can be told apart.
 */
const [MAX_WIRE_SHADE, MIN_KIND_SHADE] = [0.18, 0.6];

export class GateMap {
  readonly element: HTMLElement;
  /** The kind of gate that is highlighted, if any. */
  #highlightedKind: number | null = null;
  #canvas = new ResponsiveCanvas({
    class: "logic-gate-map-canvas",
    resized: () => this.#gates && this.#arrange(this.#gates.layers),
    recoloured: () => this.#readColours(),
  });
  #remark = el("p", { class: "remark" });
  #image = bitmap();
  #shades: Rgb[] = [];
  #colours = { flash: [0, 0, 0] as Rgb, back: "", ink: "" };
  /** The square of each gate (row × columns + column), and the gate of each square. */
  #squareOf = new Uint32Array();
  #gateAt = new Map<number, number>();
  /** Identifies the layers that are arranged. */
  #layersKey = "";
  /** Side of a square, and number of squares across and down. */
  #size = { pitch: 4, columns: 0, rows: 0 };
  /** The kinds of all gates at the last drawing. */
  #kinds = new Uint8Array();
  /** Strength of each gate's flash, 0 to 1. */
  #flash = new Float32Array();
  #gates: LogicGates | null = null;
  #wiring: LogicWiring | null = null;
  /** The gate under the pointer, and marks (1) on the gates it depends on. */
  #pointed: number | null = null;
  #dependencies: Uint8Array | null = null;
  /** Seconds since the last drawing. Setting it to REDRAW_SECONDS makes the next call draw. */
  #sinceDrawn = REDRAW_SECONDS;

  constructor() {
    this.element = el("div", { class: "logic-gate-map" }, this.#canvas.element, this.#remark);
    listen(this.#canvas.element, {
      pointermove: (event) => this.#findGate(event),
      pointerleave: () => this.#pointAt(null),
    });
    this.#readColours();
  }

  /** Highlights the gates of this kind and shows the others pale; null ends that. */
  set highlightedKind(kind: number | null) {
    this.#highlightedKind = kind;
    this.#sinceDrawn = REDRAW_SECONDS;
  }

  destroy(): void {
    this.#canvas.destroy();
  }

  reset(): void {
    this.#kinds = new Uint8Array();
    this.#wiring = null;
    this.#pointAt(null);
  }

  /** Takes the wiring, from which dependencies are computed. */
  setWiring(wiring: LogicWiring): void {
    this.#wiring = wiring;
  }

  #readColours(): void {
    this.#shades = ramp(
      [0, 1, 2, 3].map((i) => colour(`--ramp-${i}`)),
      SHADES,
    );
    const ink = colour("--ink");
    this.#sinceDrawn = REDRAW_SECONDS;
    this.#colours = { flash: ramp([ink, ink], 2)[0] as Rgb, back: colour("--paper"), ink };
  }

  /** Finds the largest squares with which all layers fit. Each layer is a block of few, high columns. */
  #arrange(layers: number[]): void {
    const { width, height } = this.#canvas.element;
    if (this.#canvas.width === 0) return;
    this.#layersKey = layers.join();
    this.#sinceDrawn = REDRAW_SECONDS;
    const columnsNeeded = (rows: number) =>
      layers.reduce((sum, gates) => sum + Math.ceil(gates / rows) + LAYER_GAP, -LAYER_GAP);
    let pitch = Math.floor(height * MAX_SQUARE_FRACTION);
    while (pitch > 1 && columnsNeeded(Math.floor(height / pitch)) * pitch > width) pitch--;
    const rows = Math.floor(height / pitch);
    const columns = Math.floor(width / pitch);
    // Free columns are distributed between the layers: this many are added to each gap.
    const gapAdded = (columns - columnsNeeded(rows)) / Math.max(1, layers.length - 1);
    Object.assign(this.#size, { pitch, rows, columns });
    [this.#image.canvas.width, this.#image.canvas.height] = [columns, rows];
    this.#squareOf = new Uint32Array(layers.reduce((a, b) => a + b, 0));
    this.#gateAt.clear();
    let [gate, columnsUsed] = [0, 0];
    for (const [i, gates] of layers.entries()) {
      const left = columnsUsed + Math.floor(i * gapAdded);
      const blockWidth = Math.ceil(gates / rows);
      const blockHeight = Math.ceil(gates / blockWidth);
      const top = (rows - blockHeight) >> 1; // in the middle, half a square rounded down
      // The gates of a layer fill its block column by column.
      for (let k = 0; k < gates; k++, gate++) {
        const square = (top + (k % blockHeight)) * columns + left + Math.floor(k / blockHeight);
        this.#squareOf[gate] = square;
        this.#gateAt.set(square, gate);
      }
      columnsUsed += blockWidth + LAYER_GAP;
    }
  }

  draw(gates: LogicGates, seconds: number): void {
    this.#gates = gates;
    if (this.#layersKey !== gates.layers.join() || this.#squareOf.length !== gates.kinds.length)
      this.#arrange(gates.layers);
    this.#sinceDrawn += seconds;
    if (this.#size.columns === 0 || this.#sinceDrawn < REDRAW_SECONDS) return;
    this.#updateFlashes(gates.kinds, this.#sinceDrawn);
    this.#sinceDrawn = 0;
    const { columns, rows, pitch } = this.#size;
    const { canvas, context: small } = this.#image;
    const image = small.createImageData(columns, rows);
    const { kinds, sure: probabilities } = gates;
    for (let gate = 0; gate < kinds.length; gate++) {
      const kind = kinds[gate] as number;
      const probability = (probabilities[gate] as number) / 255;
      const shade = isPlainWire(kind)
        ? MAX_WIRE_SHADE * (1 - probability)
        : MIN_KIND_SHADE + (1 - MIN_KIND_SHADE) * probability;
      const rgb = this.#shades[Math.round(shade * (SHADES - 1))] as Rgb;
      const pixel = 4 * (this.#squareOf[gate] as number);
      const flash = this.#flash[gate] as number;
      for (let c = 0; c < 3; c++) {
        image.data[pixel + c] = (rgb[c] as number) + ((this.#colours.flash[c] as number) - (rgb[c] as number)) * flash;
      }
      const isHighlighted = this.#dependencies
        ? this.#dependencies[gate] === 1
        : this.#highlightedKind === null || this.#highlightedKind === kind;
      image.data[pixel + 3] = isHighlighted ? 255 : PALE_ALPHA;
    }
    small.putImageData(image, 0, 0);
    const { width, height } = this.#canvas.element;
    const context = this.#canvas.clear();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(canvas, 0, 0, columns * pitch, rows * pitch);
    this.#updateRemark();
    if (pitch < MIN_LINED_SQUARE) return;
    context.fillStyle = this.#colours.back;
    for (let x = 0; x <= columns; x++) context.fillRect(x * pitch - 1, 0, 1, height);
    for (let y = 0; y <= rows; y++) context.fillRect(0, y * pitch - 1, width, 1);
  }

  /** Starts the flash of each gate whose kind has changed. */
  #updateFlashes(kinds: Uint8Array, seconds: number): void {
    const fade = Math.exp(-seconds / FLASH_SECONDS);
    if (this.#flash.length !== kinds.length) this.#flash = new Float32Array(kinds.length);
    const isSameMap = this.#kinds.length === kinds.length;
    for (let gate = 0; gate < kinds.length; gate++) {
      const flashes = isSameMap && this.#kinds[gate] !== kinds[gate] && !reducedMotion();
      this.#flash[gate] = flashes ? FLASH_STRENGTH : (this.#flash[gate] as number) * fade;
    }
    this.#kinds = kinds.slice();
  }

  #findGate({ clientX, clientY }: PointerEvent): void {
    const { left, top } = this.#canvas.element.getBoundingClientRect();
    const { pitch, columns } = this.#size;
    const { scale } = this.#canvas;
    const [column, row] = [clientX - left, clientY - top].map((px) => Math.floor((px * scale) / pitch)) as [
      number,
      number,
    ];
    this.#pointAt(this.#gateAt.get(row * columns + column) ?? null);
  }

  #pointAt(gate: number | null): void {
    if (gate === this.#pointed) return;
    this.#pointed = gate;
    this.#sinceDrawn = REDRAW_SECONDS;
    this.#dependencies =
      gate !== null && this.#gates && this.#wiring ? dependenciesOf(this.#gates, this.#wiring, gate) : null;
  }

  #updateRemark(): void {
    const gates = this.#gates as LogicGates;
    if (this.#pointed === null || this.#pointed >= gates.kinds.length) {
      return write(this.#remark, "One square is one gate: pale a plain wire, green a changed gate");
    }
    // Finds the layer by counting the gates of the layers before it.
    let [layer, firstOfLayer] = [0, 0];
    while (this.#pointed >= firstOfLayer + (gates.layers[layer] as number))
      firstOfLayer += gates.layers[layer++] as number;
    const part = layer < gates.perceptionLayers ? "reads the neighbours" : "computes the next state";
    const sure = formatShare((gates.sure[this.#pointed] as number) / 255);
    const name = GATE_NAMES[gates.kinds[this.#pointed] as number] ?? "";
    write(
      this.#remark,
      `Layer ${layer + 1} (${part}), gate ${this.#pointed - firstOfLayer + 1}: ${name}, weight ${sure}`,
    );
  }
}

// Draws a pruned circuit (one without superfluous gates) on a canvas: inputs, wires, gates and outputs, at the
// positions that circuit-layout.ts has computed, in CSS pixels. A node is an input or a gate; inputs are numbered
// first, then gates. An output is a channel of the cell's next state; its value is that of a node, or a constant.

import { colour, cssVariable } from "../../core/theme";
import { GATE_SYMBOLS } from "./gate-kinds";
import type { CircuitLayout } from "./circuit-layout";
import type { LogicCircuit } from "../../generated/protocol";

/** Smaller gates have no room for the symbol of their kind. */
const MIN_GATE_WITH_SYMBOL = 11;
/** With more gates than this, wires become thinner and paler. */
const MAX_STRONG_WIRES = 260;
/** Opacity of what the gate under the pointer does not depend on. */
const [PALE_WIRE, PALE_GATE] = [0.12, 0.2];
/** The two wires of a gate end this share of the gate's side above and below its middle. */
const WIRE_OFFSET_SHARE = 0.2;
/** The control points of a wire's curve lie this share of its width, and at least so many pixels, from its ends. */
const [BEND_SHARE, MIN_BEND] = [0.45, 6];
/** Width of wires that carry a one and of the others in small circuits, and the share of it that large ones have. */
const WIRE_WIDTHS = { on: 1.6, off: 1.1 };
const MIN_WIDTH_SHARE = 0.55;
/** Opacity of wires in the largest circuits, and what is added to it in small ones. */
const WIRE_OPACITY = { on: { min: 0.5, added: 0.45 }, off: { min: 0.35, added: 0.5 } };
/** Opacity of the outline of a cell that no gate reads. */
const UNREAD_CELL_OPACITY = 0.35;
/** Smaller squares have no outline, in CSS pixels. */
const MIN_OUTLINED_SIDE = 4;
/** Index of the cell itself in its 3×3 neighbourhood. */
const CENTRE = 4;

/** The state of the circuit that is drawn. */
export interface CircuitMarks {
  /** Whether a node carries a one: it is on. */
  isOn: (node: number) => boolean;
  /** Whether an output that takes its value from `node` is on. Outputs change last, when the animation has ended. */
  isOutputOn: (node: number) => boolean;
  /** Marks (1) the nodes that the gate under the pointer depends on; null if there is none. */
  dependencies: Uint8Array | null;
  /** The gate under the pointer, as a node. */
  pointed: number | null;
}

export class CircuitDrawing {
  #colours = { wire: "", on: "", gate: "", edge: "", text: "", textOn: "", font: "" };

  constructor() {
    this.readColours();
  }

  /** Reads the palette of the present theme. */
  readColours(): void {
    this.#colours = {
      wire: colour("--line-strong"),
      on: colour("--learn"),
      gate: colour("--surface"),
      edge: colour("--ink-3"),
      text: colour("--ink-2"),
      textOn: colour("--on-learn"),
      font: cssVariable("--font"),
    };
  }

  draw(context: CanvasRenderingContext2D, circuit: LogicCircuit, layout: CircuitLayout, marks: CircuitMarks): void {
    this.#drawWires(context, circuit, layout, marks);
    this.#drawInputs(context, layout, marks);
    this.#drawGates(context, circuit, layout, marks);
    this.#drawOutputs(context, circuit, layout, marks);
  }

  #drawWires(
    context: CanvasRenderingContext2D,
    circuit: LogicCircuit,
    layout: CircuitLayout,
    { isOn, dependencies }: CircuitMarks,
  ): void {
    const firstGate = circuit.inputs.length;
    // From 1 in small circuits down to 0: the weight of the width and opacity that is added to a minimum below.
    const strength = Math.min(1, MAX_STRONG_WIRES / Math.max(1, circuit.kinds.length));
    const wires: { from: number; x: number; y: number; isRelevant: boolean }[] = [];
    circuit.reads.forEach(([a, b], gate) => {
      const node = firstGate + gate;
      const [x, y] = [(layout.x[node] as number) - layout.gateSize / 2, layout.y[node] as number];
      const offset = a === b ? 0 : layout.gateSize * WIRE_OFFSET_SHARE; // both wires of such a gate are the same one
      const isRelevant = !dependencies || dependencies[node] === 1;
      wires.push({ from: a, x, y: y - offset, isRelevant }, { from: b, x, y: y + offset, isRelevant });
    });
    circuit.outputs.forEach(({ node }, i) => {
      const output = layout.outputs[i] as CircuitLayout["outputs"][0];
      const x = output.x - layout.outputSize / 2;
      if (node !== null) wires.push({ from: node, x, y: output.y, isRelevant: !dependencies });
    });
    // One path per style: pale wires first, wires that carry a one last.
    for (const drawsRelevant of dependencies ? [false, true] : [true]) {
      for (const drawsOn of [false, true]) {
        context.beginPath();
        for (const { from, x, y, isRelevant } of wires) {
          if (isRelevant !== drawsRelevant || isOn(from) !== drawsOn) continue;
          const startX = (layout.x[from] as number) + (from < firstGate ? layout.cellSize : layout.gateSize) / 2;
          const startY = layout.y[from] as number;
          const bend = Math.max(MIN_BEND, (x - startX) * BEND_SHARE);
          context.moveTo(startX, startY);
          context.bezierCurveTo(startX + bend, startY, x - bend, y, x, y);
        }
        context.strokeStyle = drawsOn ? this.#colours.on : this.#colours.wire;
        const width = drawsOn ? WIRE_WIDTHS.on : WIRE_WIDTHS.off;
        context.lineWidth = width * (MIN_WIDTH_SHARE + (1 - MIN_WIDTH_SHARE) * strength);
        const opacity = drawsOn ? WIRE_OPACITY.on : WIRE_OPACITY.off;
        context.globalAlpha = drawsRelevant ? opacity.min + opacity.added * strength : PALE_WIRE;
        context.stroke();
      }
    }
    context.globalAlpha = 1;
  }

  /** The inputs as small 3×3 grids. Cells that no gate reads are only outlined. */
  #drawInputs(
    context: CanvasRenderingContext2D,
    { inputGrids, cellSize }: CircuitLayout,
    { isOn }: CircuitMarks,
  ): void {
    const inset = cellSize > 6 ? 1 : 0.5;
    const side = cellSize - 2 * inset;
    context.lineWidth = 1;
    for (const { x, y, nodes } of inputGrids) {
      for (let k = 0; k < nodes.length; k++) {
        const node = nodes[k];
        context.globalAlpha = node === undefined ? UNREAD_CELL_OPACITY : 1;
        context.fillStyle = node !== undefined && isOn(node) ? this.#colours.on : this.#colours.gate;
        context.strokeStyle = k === CENTRE ? this.#colours.text : this.#colours.wire;
        context.beginPath();
        const [left, top] = [x + (k % 3) * cellSize + inset, y + Math.floor(k / 3) * cellSize + inset];
        context.roundRect(left, top, side, side, cellSize > 8 ? 2 : 0.5);
        if (node !== undefined) context.fill();
        if (cellSize > MIN_OUTLINED_SIDE) context.stroke();
      }
    }
    context.globalAlpha = 1;
  }

  #drawGates(
    context: CanvasRenderingContext2D,
    circuit: LogicCircuit,
    layout: CircuitLayout,
    marks: CircuitMarks,
  ): void {
    const colours = this.#colours;
    const side = layout.gateSize;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `600 ${Math.round(side * 0.62)}px ${colours.font}`;
    circuit.kinds.forEach((kind, i) => {
      const node = circuit.inputs.length + i;
      const isOn = marks.isOn(node);
      const [x, y] = [layout.x[node] as number, layout.y[node] as number];
      context.globalAlpha = !marks.dependencies || marks.dependencies[node] === 1 ? 1 : PALE_GATE;
      context.beginPath();
      context.roundRect(x - side / 2, y - side / 2, side, side, side * 0.28);
      context.fillStyle = isOn ? colours.on : colours.gate;
      context.fill();
      context.lineWidth = node === marks.pointed ? 2.5 : 1;
      context.strokeStyle = isOn ? colours.on : colours.edge;
      if (side > MIN_OUTLINED_SIDE) context.stroke();
      if (side < MIN_GATE_WITH_SYMBOL) return;
      context.fillStyle = isOn ? colours.textOn : colours.text;
      context.fillText(GATE_SYMBOLS[kind] ?? "", x, y + side * 0.04);
    });
    context.globalAlpha = 1;
  }

  #drawOutputs(
    context: CanvasRenderingContext2D,
    { outputs }: LogicCircuit,
    layout: CircuitLayout,
    { isOutputOn }: CircuitMarks,
  ): void {
    const colours = this.#colours;
    outputs.forEach(({ channel, node, constant }, i) => {
      const { x, y } = layout.outputs[i] as CircuitLayout["outputs"][0];
      const isOn = node === null ? constant === true : isOutputOn(node);
      context.beginPath();
      context.arc(x, y, layout.outputSize / 2, 0, 2 * Math.PI);
      context.fillStyle = isOn ? colours.on : colours.gate;
      context.fill();
      context.lineWidth = channel === 0 ? 2 : 1; // channel 0 is the one that the grid shows first
      context.strokeStyle = isOn ? colours.on : colours.edge;
      context.stroke();
    });
  }
}

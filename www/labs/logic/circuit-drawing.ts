// Draws a pruned circuit (one without superfluous gates) on a canvas: inputs, wires, gates and outputs, at the
// positions that circuit-layout.ts has computed, in CSS pixels. A node is an input or a gate; inputs are numbered
// first, then gates. An output is a channel of the cell's next state; its value is that of a node, or a constant.

import { colour } from "../../core/theme";
import { GATE_SYMBOLS } from "./gate-kinds";
import type { CircuitLayout } from "./circuit-layout";
import type { LogicCircuit } from "../../generated/protocol";

/** Smaller gates have no room for the symbol of their kind. */
const MIN_GATE_WITH_SYMBOL = 11;
/** With more gates than this, wires become thinner and paler. */
const MAX_STRONG_WIRES = 260;
/** Opacity of what the gate under the pointer does not depend on. */
const [PALE_WIRE, PALE_GATE] = [0.12, 0.2];
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
      font: colour("--font"),
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
    const wires: { from: number; x: number; y: number; relevant: boolean }[] = [];
    circuit.reads.forEach(([a, b], gate) => {
      const node = firstGate + gate;
      const [x, y] = [(layout.x[node] as number) - layout.gateSize / 2, layout.y[node] as number];
      const offset = a === b ? 0 : layout.gateSize * 0.2; // two wires end above and below the middle of the gate
      const relevant = !dependencies || dependencies[node] === 1;
      wires.push({ from: a, x, y: y - offset, relevant }, { from: b, x, y: y + offset, relevant });
    });
    circuit.outputs.forEach(({ node }, i) => {
      const output = layout.outputs[i] as CircuitLayout["outputs"][0];
      const x = output.x - layout.outputSize / 2;
      if (node !== null) wires.push({ from: node, x, y: output.y, relevant: !dependencies });
    });
    // One path per style: pale wires first, wires that carry a one last.
    for (const isRelevant of dependencies ? [false, true] : [true]) {
      for (const on of [false, true]) {
        context.beginPath();
        for (const { from, x, y, relevant } of wires) {
          if (relevant !== isRelevant || isOn(from) !== on) continue;
          const startX = (layout.x[from] as number) + (from < firstGate ? layout.cellSize : layout.gateSize) / 2;
          const startY = layout.y[from] as number;
          const bend = Math.max(6, (x - startX) * 0.45);
          context.moveTo(startX, startY);
          context.bezierCurveTo(startX + bend, startY, x - bend, y, x, y);
        }
        context.strokeStyle = on ? this.#colours.on : this.#colours.wire;
        context.lineWidth = (on ? 1.6 : 1.1) * (0.55 + 0.45 * strength);
        const alpha = on ? 0.5 + 0.45 * strength : 0.35 + 0.5 * strength;
        context.globalAlpha = isRelevant ? alpha : PALE_WIRE;
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
        context.globalAlpha = node === undefined ? 0.35 : 1;
        context.fillStyle = node !== undefined && isOn(node) ? this.#colours.on : this.#colours.gate;
        context.strokeStyle = k === CENTRE ? this.#colours.text : this.#colours.wire;
        context.beginPath();
        const [left, top] = [x + (k % 3) * cellSize + inset, y + Math.floor(k / 3) * cellSize + inset];
        context.roundRect(left, top, side, side, cellSize > 8 ? 2 : 0.5);
        if (node !== undefined) context.fill();
        if (cellSize > 4) context.stroke();
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
      const on = marks.isOn(node);
      const [x, y] = [layout.x[node] as number, layout.y[node] as number];
      context.globalAlpha = !marks.dependencies || marks.dependencies[node] === 1 ? 1 : PALE_GATE;
      context.beginPath();
      context.roundRect(x - side / 2, y - side / 2, side, side, side * 0.28);
      context.fillStyle = on ? colours.on : colours.gate;
      context.fill();
      context.lineWidth = node === marks.pointed ? 2.5 : 1;
      context.strokeStyle = on ? colours.on : colours.edge;
      if (side > 4) context.stroke();
      if (side < MIN_GATE_WITH_SYMBOL) return;
      context.fillStyle = on ? colours.textOn : colours.text;
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
      const on = node === null ? constant === true : isOutputOn(node);
      context.beginPath();
      context.arc(x, y, layout.outputSize / 2, 0, 2 * Math.PI);
      context.fillStyle = on ? colours.on : colours.gate;
      context.fill();
      context.lineWidth = channel === 0 ? 2 : 1; // channel 0 is the one that the grid shows first
      context.strokeStyle = on ? colours.on : colours.edge;
      context.stroke();
    });
  }
}

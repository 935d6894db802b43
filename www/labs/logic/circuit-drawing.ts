// Draws a pruned circuit: neighbourhoods, wires, gates and outputs.

import { colour } from "../../core/theme";
import { SIGNS } from "./gate-kinds";
import type { CircuitLayout } from "./circuit-layout";
import type { LogicCircuit } from "../../generated/protocol";

/** Smaller gates have no room for a sign. */
const SIGNED = 11;
/** With more gates than this, wires are thin and pale. */
const MANY = 260;

/** The state of the circuit that is drawn. */
export interface CircuitMarks {
  /** Whether a node carries a one. */
  lit: (node: number) => boolean;
  /** What an output shows, once the light has arrived there. */
  arrived: (node: number) => boolean;
  /** The nodes in the dependency cone of the pointed gate, if there is one. */
  cone: Uint8Array | null;
  pointed: number | null;
}

export class CircuitDrawing {
  #colours = { wire: "", lit: "", gate: "", edge: "", text: "", onLit: "", font: "" };

  constructor() {
    this.repaint();
  }

  /** Reads the palette of the present theme. */
  repaint(): void {
    this.#colours = {
      wire: colour("--line-strong"),
      lit: colour("--learn"),
      gate: colour("--surface"),
      edge: colour("--ink-3"),
      text: colour("--ink-2"),
      onLit: colour("--on-learn"),
      font: colour("--font"),
    };
  }

  draw(context: CanvasRenderingContext2D, circuit: LogicCircuit, at: CircuitLayout, look: CircuitMarks): void {
    this.#drawWires(context, circuit, at, look);
    this.#drawBlocks(context, at, look);
    this.#drawGates(context, circuit, at, look);
    this.#drawEnds(context, circuit, at, look);
  }

  #drawWires(
    context: CanvasRenderingContext2D,
    circuit: LogicCircuit,
    at: CircuitLayout,
    { lit, cone }: CircuitMarks,
  ): void {
    const first = circuit.inputs.length;
    const dense = Math.min(1, MANY / Math.max(1, circuit.kinds.length));
    /** Node it starts from, end point, and whether it is in the cone. */
    const wires: [number, number, number, boolean][] = [];
    circuit.reads.forEach((reads, g) => {
      const [x, y] = [(at.x[first + g] as number) - at.gate / 2, at.y[first + g] as number];
      const apart = reads[0] === reads[1] ? 0 : at.gate * 0.2;
      const seen = !cone || cone[first + g] === 1;
      wires.push([reads[0], x, y - apart, seen], [reads[1], x, y + apart, seen]);
    });
    circuit.outputs.forEach(({ node }, i) => {
      const end = at.ends[i] as CircuitLayout["ends"][0];
      if (node !== null) wires.push([node, end.x - at.end / 2, end.y, !cone]);
    });
    for (const seen of cone ? [false, true] : [true]) {
      for (const on of [false, true]) {
        context.beginPath();
        for (const [node, x, y, wanted] of wires) {
          if (wanted !== seen || lit(node) !== on) continue;
          const from = (at.x[node] as number) + (node < first ? at.cell : at.gate) / 2;
          const [start, bend] = [at.y[node] as number, Math.max(6, (x - from) * 0.45)];
          context.moveTo(from, start);
          context.bezierCurveTo(from + bend, start, x - bend, y, x, y);
        }
        context.strokeStyle = on ? this.#colours.lit : this.#colours.wire;
        context.lineWidth = (on ? 1.6 : 1.1) * (0.55 + 0.45 * dense);
        context.globalAlpha = !seen ? 0.12 : on ? 0.5 + 0.45 * dense : 0.35 + 0.5 * dense;
        context.stroke();
      }
    }
    context.globalAlpha = 1;
  }

  /** Cells that no gate reads are only outlined. */
  #drawBlocks(context: CanvasRenderingContext2D, { blocks, cell }: CircuitLayout, { lit }: CircuitMarks): void {
    const inset = cell > 6 ? 1 : 0.5;
    context.lineWidth = 1;
    for (const { x, y, nodes } of blocks) {
      for (let k = 0; k < nodes.length; k++) {
        const node = nodes[k];
        context.globalAlpha = node === undefined ? 0.35 : 1;
        context.fillStyle = node !== undefined && lit(node) ? this.#colours.lit : this.#colours.gate;
        context.strokeStyle = k === 4 ? this.#colours.text : this.#colours.wire;
        context.beginPath();
        const [left, top] = [x + (k % 3) * cell + inset, y + Math.floor(k / 3) * cell + inset];
        context.roundRect(left, top, cell - 2 * inset, cell - 2 * inset, cell > 8 ? 2 : 0.5);
        if (node !== undefined) context.fill();
        if (cell > 4) context.stroke();
      }
    }
    context.globalAlpha = 1;
  }

  #drawGates(context: CanvasRenderingContext2D, circuit: LogicCircuit, at: CircuitLayout, look: CircuitMarks): void {
    const { lit, gate, edge, text, onLit, font } = this.#colours;
    const side = at.gate;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `600 ${Math.round(side * 0.62)}px ${font}`;
    circuit.kinds.forEach((kind, g) => {
      const node = circuit.inputs.length + g;
      const on = look.lit(node);
      const [x, y] = [at.x[node] as number, at.y[node] as number];
      context.globalAlpha = !look.cone || look.cone[node] === 1 ? 1 : 0.2;
      context.beginPath();
      context.roundRect(x - side / 2, y - side / 2, side, side, side * 0.28);
      context.fillStyle = on ? lit : gate;
      context.fill();
      context.lineWidth = node === look.pointed ? 2.5 : 1;
      context.strokeStyle = on ? lit : edge;
      if (side > 4) context.stroke();
      if (side < SIGNED) return;
      context.fillStyle = on ? onLit : text;
      context.fillText(SIGNS[kind] ?? "", x, y + side * 0.04);
    });
    context.globalAlpha = 1;
  }

  #drawEnds(
    context: CanvasRenderingContext2D,
    { outputs }: LogicCircuit,
    at: CircuitLayout,
    { arrived }: CircuitMarks,
  ): void {
    const { lit, gate, edge } = this.#colours;
    outputs.forEach(({ channel, node, constant }, i) => {
      const { x, y } = at.ends[i] as CircuitLayout["ends"][0];
      const on = node === null ? constant === true : arrived(node);
      context.beginPath();
      context.arc(x, y, at.end / 2, 0, 2 * Math.PI);
      context.fillStyle = on ? lit : gate;
      context.fill();
      context.lineWidth = channel === 0 ? 2 : 1;
      context.strokeStyle = on ? lit : edge;
      context.stroke();
    });
  }
}

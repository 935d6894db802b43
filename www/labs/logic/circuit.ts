// The pruned circuit of a cell, computing the chosen cell. Wires that carry a one light up, from what the cell sees on
// the left to what it becomes on the right.

import { ResponsiveCanvas } from "../../core/canvas";
import { el, listen, write } from "../../core/dom";
import { formatCount, formatInteger } from "../../core/format";
import { reducedMotion } from "../../core/theme";
import { NAMES } from "./gate-kinds";
import { circuitLayout, type CircuitLayout } from "./circuit-layout";
import type { LogicCircuit, LogicLit, LogicStage } from "../../generated/protocol";
import { CircuitDrawing } from "./circuit-drawing";

/** Longest time the light takes from left to right. */
const SWEEP_SECONDS = 0.5;
/** Circuits with more gates are drawn less often and without the moving light. */
const MANY = 400;
const REDRAW_SECONDS = 0.12;
/** Pixels within which a pointer hits a gate. */
const NEAR = 9;

export class CircuitView {
  readonly element: HTMLElement;
  #canvas = new ResponsiveCanvas({
    class: "logic-circuit-canvas",
    resized: () => this.#arrange(),
    recoloured: () => {
      this.#drawing.repaint();
      this.#stale = true;
    },
  });
  #text = el("p", { class: "remark" });
  #counts = el("span", { class: "num quiet" });
  #drawing = new CircuitDrawing();
  #circuit: LogicCircuit | null = null;
  #layout: CircuitLayout | null = null;
  /** Values of the nodes before and after the last step, and how far the light has come, from 0 to 1. */
  #before = new Uint8Array();
  #now = new Uint8Array();
  #front = 1;
  #pointed: number | null = null;
  #cone: Uint8Array | null = null;
  #stale = true;
  #rest = 0;

  constructor(exports: HTMLElement) {
    const caption = el("figcaption", {}, el("span", {}, "The circuit of a cell ", this.#counts), exports);
    const end = (text: string) => el("span", { class: "quiet", text });
    const ends = el("div", { class: "logic-ends" }, end("it sees"), this.#text, end("it becomes"));
    this.element = el("figure", { class: "logic-circuit" }, caption, this.#canvas.element, ends);
    listen(this.#canvas.element, {
      pointermove: (event) => this.#point(event),
      pointerleave: () => this.#choose(null),
    });
  }

  destroy(): void {
    this.#canvas.destroy();
  }

  reset(): void {
    this.#circuit = this.#layout = null;
    this.#now = this.#before = new Uint8Array();
    this.#choose(null);
    write(this.#counts, "");
  }

  #arrange(): void {
    const { width, height } = this.#canvas;
    this.#layout = this.#circuit && width > 0 ? circuitLayout(this.#circuit, width, height) : null;
    this.#choose(null);
    this.#stale = true;
  }

  /** A new circuit has arrived. */
  setCircuit(circuit: LogicCircuit): void {
    this.#circuit = circuit;
    this.#arrange();
    const { kinds, levels, raw } = circuit;
    const deep = levels.reduce((a, b) => Math.max(a, b), 0);
    write(
      this.#counts,
      `${formatInteger(kinds.length)} of ${formatInteger(raw)} gates left, ${formatInteger(deep)} deep`,
    );
  }

  draw({ version, values }: LogicLit, stage: LogicStage, seconds: number): void {
    const [circuit, at] = [this.#circuit, this.#layout];
    if (!circuit || !at) return;
    if (version === circuit.version && !equal(values, this.#now)) {
      // Values of another circuit cannot be compared.
      this.#before = this.#now.length === values.length ? this.#now : values.slice();
      this.#now = values.slice();
      this.#front = reducedMotion() || circuit.kinds.length > MANY ? 1 : 0;
      this.#stale = true;
    }
    if (this.#front < 1) {
      const sweep = Math.min(SWEEP_SECONDS, stage.playing ? 0.8 / stage.pace : SWEEP_SECONDS);
      this.#front = Math.min(1, this.#front + seconds / sweep);
      this.#stale = true;
    }
    this.#updateText(circuit, stage);
    this.#rest -= seconds;
    if (!this.#stale || this.#rest > 0) return;
    this.#stale = false;
    this.#rest = circuit.kinds.length > MANY ? REDRAW_SECONDS : 0;
    const context = this.#canvas.clear();
    const [before, now, front] = [this.#before, this.#now, this.#front * (at.depth + 1)];
    const reached = (node: number) => (at.level[node] as number) <= front;
    this.#drawing.draw(context, circuit, at, {
      lit: (node) => ((reached(node) ? now : before)[node] ?? 0) > 0,
      arrived: (node) => ((this.#front < 1 ? before : now)[node] ?? 0) > 0,
      cone: this.#cone,
      pointed: this.#pointed,
    });
  }

  #point({ clientX, clientY }: PointerEvent): void {
    const at = this.#layout;
    if (!at || !this.#circuit) return;
    const { left, top } = this.#canvas.element.getBoundingClientRect();
    const [x, y] = [clientX - left, clientY - top];
    let [best, least] = [null as number | null, NEAR + at.gate / 2];
    for (let node = this.#circuit.inputs.length; node < at.x.length; node++) {
      const far = Math.hypot((at.x[node] as number) - x, (at.y[node] as number) - y);
      if (far < least) [best, least] = [node, far];
    }
    this.#choose(best);
  }

  #choose(node: number | null): void {
    if (node === this.#pointed) return;
    this.#pointed = node;
    this.#stale = true;
    this.#cone = node === null || !this.#circuit ? null : cone(this.#circuit, node);
  }

  #updateText(circuit: LogicCircuit, { cell: [x, y], shown }: LogicStage): void {
    const first = circuit.inputs.length;
    if (this.#pointed !== null) {
      const name = NAMES[circuit.kinds[this.#pointed - first] as number] ?? "";
      const others = (this.#cone?.slice(first).reduce((a, b) => a + b, 0) ?? 1) - 1;
      return write(this.#text, `${name}: it depends on ${formatCount(others, "other gate")}`);
    }
    if (circuit.kinds.length === 0) return write(this.#text, "No gate is left: every gate only passes its input on");
    const on = circuit.outputs.some(
      ({ channel, node, constant }) => channel < shown && (node === null ? constant : (this.#now[node] ?? 0) > 0),
    );
    write(this.#text, `The cell in column ${x + 1}, row ${y + 1}: it will be ${on ? "lit" : "dark"}`);
  }
}

/** Marks the nodes a node depends on, itself included. */
function cone({ inputs, reads }: LogicCircuit, node: number): Uint8Array {
  const first = inputs.length;
  const marks = new Uint8Array(first + reads.length);
  marks[node] = 1;
  // Gates read only nodes with smaller numbers.
  for (let at = node; at >= first; at--) {
    if (marks[at] === 1) for (const from of reads[at - first] as [number, number]) marks[from] = 1;
  }
  return marks;
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

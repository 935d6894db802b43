// The pruned circuit (one without superfluous gates) that computes a cell's next state. It is shown at work in the
// chosen cell of the hard grid, in which every gate has its most likely kind. On the left are the cells of the
// neighbourhood that it reads, on the right the next values of the cell's channels. Wires that carry a one are
// coloured; after each step the new values appear from left to right (the sweep). Pointing at a gate shows what it
// depends on.
//
// A node is an input or a gate; inputs are numbered first, then gates. All positions are in CSS pixels.

import { ResponsiveCanvas } from "../../core/canvas";
import { el, listen, write } from "../../core/dom";
import { formatCount, formatInteger } from "../../core/format";
import { reducedMotion } from "../../core/theme";
import { term } from "../../ui/term";
import { GATE_NAMES } from "./gate-kinds";
import { circuitLayout, type CircuitLayout } from "./circuit-layout";
import type { LogicCircuit, LogicLit, LogicStage } from "../../generated/protocol";
import { CircuitDrawing } from "./circuit-drawing";

/** The longest duration of the sweep, and the largest share of a step's time that it takes. */
const MAX_SWEEP_SECONDS = 0.5;
const SWEEP_SHARE_OF_STEP = 0.8;
/** Circuits with more gates are drawn at most every REDRAW_SECONDS and without the sweep. */
const MAX_ANIMATED_GATES = 400;
const REDRAW_SECONDS = 0.12;
/** A pointer at most this far from the edge of a gate, in pixels, points at it. */
const POINTER_REACH = 9;

export class CircuitView {
  readonly element: HTMLElement;
  #canvas = new ResponsiveCanvas({
    class: "logic-circuit-canvas",
    resized: () => this.#updateLayout(),
    recoloured: () => {
      this.#drawing.readColours();
      this.#stale = true;
    },
  });
  #remark = el("p", { class: "remark" });
  #counts = el("span", { class: "num quiet" });
  #drawing = new CircuitDrawing();
  #circuit: LogicCircuit | null = null;
  #layout: CircuitLayout | null = null;
  /** The values of the nodes before and after the last step. */
  #before = new Uint8Array();
  #after = new Uint8Array();
  /** How far the sweep has come, from 0 (left) to 1 (right). */
  #sweep = 1;
  /** The gate under the pointer, as a node, and the nodes it depends on. */
  #pointed: number | null = null;
  #dependencies: Uint8Array | null = null;
  /** Whether the circuit must be drawn again, and the seconds to wait before that. */
  #stale = true;
  #waitSeconds = 0;

  constructor(exports: HTMLElement) {
    const caption = el("figcaption", {}, el("span", {}, "Circuit of a cell ", this.#counts), exports);
    const neighbours = el("span", { class: "quiet", text: "neighbours" });
    const next = el("span", { class: "quiet" }, term("next state", "state of a cell"));
    const labels = el("div", { class: "logic-ends" }, neighbours, this.#remark, next);
    this.element = el("figure", { class: "logic-circuit" }, caption, this.#canvas.element, labels);
    listen(this.#canvas.element, {
      pointermove: (event) => this.#findGate(event),
      pointerleave: () => this.#pointAt(null),
    });
  }

  destroy(): void {
    this.#canvas.destroy();
  }

  reset(): void {
    this.#circuit = this.#layout = null;
    this.#after = this.#before = new Uint8Array();
    this.#pointAt(null);
    write(this.#counts, "");
  }

  #updateLayout(): void {
    const { width, height } = this.#canvas;
    this.#layout = this.#circuit && width > 0 ? circuitLayout(this.#circuit, width, height) : null;
    this.#pointAt(null);
    this.#stale = true;
  }

  /** Shows a new circuit. */
  setCircuit(circuit: LogicCircuit): void {
    this.#circuit = circuit;
    this.#updateLayout();
    const { kinds, levels } = circuit;
    const depth = levels.reduce((a, b) => Math.max(a, b), 0);
    const matter = kinds.length === 1 ? "gate that matters" : `${formatInteger(kinds.length)} gates that matter`;
    write(this.#counts, kinds.length === 0 ? "" : `the ${matter}`);
    this.#counts.title = `Gates that change nothing are left out. The longest path leads through ${formatCount(depth, "gate")}.`;
  }

  /** Draws the node `values` of the chosen cell; `seconds` have passed since the last call. */
  draw({ version, values }: LogicLit, stage: LogicStage, seconds: number): void {
    const [circuit, layout] = [this.#circuit, this.#layout];
    if (!circuit || !layout) return;
    if (version === circuit.version && !equal(values, this.#after)) {
      // Values of another circuit cannot be compared.
      this.#before = this.#after.length === values.length ? this.#after : values.slice();
      this.#after = values.slice();
      this.#sweep = reducedMotion() || circuit.kinds.length > MAX_ANIMATED_GATES ? 1 : 0;
      this.#stale = true;
    }
    if (this.#sweep < 1) {
      const stepSeconds = stage.playing ? 1 / stage.pace : Infinity;
      const duration = Math.min(MAX_SWEEP_SECONDS, SWEEP_SHARE_OF_STEP * stepSeconds);
      this.#sweep = Math.min(1, this.#sweep + seconds / duration);
      this.#stale = true;
    }
    this.#updateRemark(circuit, stage);
    this.#waitSeconds -= seconds;
    if (!this.#stale || this.#waitSeconds > 0) return;
    this.#stale = false;
    this.#waitSeconds = circuit.kinds.length > MAX_ANIMATED_GATES ? REDRAW_SECONDS : 0;
    const context = this.#canvas.clear();
    // The sweep has reached the nodes up to this level. The outputs come one level after the last gates.
    const [before, after, front] = [this.#before, this.#after, this.#sweep * (layout.depth + 1)];
    const isReached = (node: number) => (layout.level[node] as number) <= front;
    this.#drawing.draw(context, circuit, layout, {
      isOn: (node) => ((isReached(node) ? after : before)[node] ?? 0) > 0,
      isOutputOn: (node) => ((this.#sweep < 1 ? before : after)[node] ?? 0) > 0,
      dependencies: this.#dependencies,
      pointed: this.#pointed,
    });
  }

  /** Points at the gate nearest to the pointer. */
  #findGate({ clientX, clientY }: PointerEvent): void {
    const layout = this.#layout;
    if (!layout || !this.#circuit) return;
    const { left, top } = this.#canvas.element.getBoundingClientRect();
    const [x, y] = [clientX - left, clientY - top];
    let [nearest, distance] = [null as number | null, POINTER_REACH + layout.gateSize / 2];
    for (let node = this.#circuit.inputs.length; node < layout.x.length; node++) {
      const d = Math.hypot((layout.x[node] as number) - x, (layout.y[node] as number) - y);
      if (d < distance) [nearest, distance] = [node, d];
    }
    this.#pointAt(nearest);
  }

  #pointAt(node: number | null): void {
    if (node === this.#pointed) return;
    this.#pointed = node;
    this.#stale = true;
    this.#dependencies = node === null || !this.#circuit ? null : dependenciesOf(this.#circuit, node);
  }

  #updateRemark(circuit: LogicCircuit, { cell: [x, y], shown }: LogicStage): void {
    const firstGate = circuit.inputs.length;
    if (this.#pointed !== null) {
      const name = GATE_NAMES[circuit.kinds[this.#pointed - firstGate] as number] ?? "";
      const others = (this.#dependencies?.slice(firstGate).reduce((a, b) => a + b, 0) ?? 1) - 1;
      return write(this.#remark, `${name}: it depends on ${formatCount(others, "other gate")}`);
    }
    if (circuit.kinds.length === 0) return write(this.#remark, "No gate matters yet: values only pass through");
    const isOn = circuit.outputs.some(
      ({ channel, node, constant }) => channel < shown && (node === null ? constant : (this.#after[node] ?? 0) > 0),
    );
    write(this.#remark, `The cell in column ${x + 1}, row ${y + 1}: its next state is ${isOn ? "on" : "off"}`);
  }
}

/** Marks (1) the nodes that a node depends on, itself included. */
function dependenciesOf({ inputs, reads }: LogicCircuit, node: number): Uint8Array {
  const firstGate = inputs.length;
  const marks = new Uint8Array(firstGate + reads.length);
  marks[node] = 1;
  // Gates read only nodes with smaller numbers.
  for (let gate = node; gate >= firstGate; gate--) {
    if (marks[gate] === 1) for (const source of reads[gate - firstGate] as [number, number]) marks[source] = 1;
  }
  return marks;
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

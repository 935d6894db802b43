// What is left of the circuit of a cell once it is pruned, and the chosen cell computing: wires that carry a one light
// up, from what the cell sees on the left to what it becomes on the right.

import { el, write } from "../../core/dom";
import { count, whole } from "../../core/format";
import { calm, colour, onTheme } from "../../core/theme";
import { NAMES, SIGNS } from "./kinds";
import { layout, SEEN, type Layout } from "./layout";
import type { LogicCircuit, LogicStage } from "./types";

/** In so many seconds at most the light runs from the left to the right. */
const SWEEP_SECONDS = 0.5;
/** How near a pointer must come to a gate. */
const NEAR = 9;
/** Gates smaller than this have no room for a sign. */
const SIGNED = 11;

export class CircuitView {
  readonly element: HTMLElement;
  #canvas = el("canvas", { class: "logic-wires", "aria-hidden": "true" });
  #says = el("p", { class: "logic-says" });
  #counts = el("span", { class: "num quiet" });
  #circuit: LogicCircuit | null = null;
  #layout: Layout | null = null;
  #before = new Uint8Array();
  #now = new Uint8Array();
  #front = 1;
  #size = { width: 0, height: 0, scale: 1 };
  #colours = { wire: "", lit: "", gate: "", edge: "", text: "", onLit: "" };
  #pointed: number | null = null;
  /** Wires that the pointed one depends on. */
  #cone: Uint8Array | null = null;
  #stale = true;
  #observer = new ResizeObserver(() => this.#fit());
  #forget: () => void;

  constructor(exports: HTMLElement) {
    const caption = el("figcaption", {}, el("span", {}, "The circuit of a cell ", this.#counts), exports);
    const end = (text: string) => el("span", { class: "quiet", text });
    const ends = el("div", { class: "logic-ends" }, end("it sees"), this.#says, end("it becomes"));
    this.element = el("figure", { class: "logic-circuit" }, caption, this.#canvas, ends);
    this.#canvas.addEventListener("pointermove", (event) => this.#point(event));
    this.#canvas.addEventListener("pointerleave", () => this.#choose(null));
    this.#observer.observe(this.#canvas);
    this.#forget = onTheme(() => this.#paint());
    this.#paint();
  }

  leave(): void {
    this.#observer.disconnect();
    this.#forget();
  }

  reset(): void {
    this.#circuit = this.#layout = null;
    this.#now = this.#before = new Uint8Array();
    this.#choose(null);
  }

  #paint(): void {
    this.#colours = {
      wire: colour("--line-strong"),
      lit: colour("--learn"),
      gate: colour("--surface"),
      edge: colour("--ink-3"),
      text: colour("--ink-2"),
      onLit: colour("--on-learn"),
    };
    this.#stale = true;
  }

  #fit(): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (width === 0) return;
    const scale = Math.min(2, devicePixelRatio || 1);
    this.#size = { width, height, scale };
    [this.#canvas.width, this.#canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    this.#arrange();
  }

  #arrange(): void {
    const { width, height } = this.#size;
    this.#layout = this.#circuit && width > 0 ? layout(this.#circuit, width, height) : null;
    this.#choose(null);
    this.#stale = true;
  }

  /** Another circuit has been learned. */
  take(circuit: LogicCircuit): void {
    this.#circuit = circuit;
    this.#arrange();
    const { kinds, levels, before } = circuit;
    const deep = levels.reduce((a, b) => Math.max(a, b), 0);
    write(this.#counts, `${whole(kinds.length)} of ${whole(before)} gates left, ${whole(deep)} deep`);
  }

  /** `values` of all wires, inputs first; `stage` says how fast it goes. */
  draw(values: Uint8Array, stage: LogicStage, seconds: number): void {
    if (!this.#layout || !this.#circuit) return;
    if (values.length === this.#layout.x.length && !alike(values, this.#now)) {
      this.#before = this.#now.length === values.length ? this.#now : values.slice();
      this.#now = values.slice();
      this.#front = calm() ? 1 : 0;
    }
    if (this.#front < 1) {
      const sweep = Math.min(SWEEP_SECONDS, stage.playing ? 0.8 / stage.pace : SWEEP_SECONDS);
      this.#front = Math.min(1, this.#front + seconds / sweep);
      this.#stale = true;
    }
    this.#say(stage);
    if (!this.#stale) return;
    this.#stale = false;
    this.#render(this.#circuit, this.#layout);
  }

  /** What a wire carries, as far as the light has come. */
  #lit(wire: number, { level, depth }: Layout): boolean {
    const there = (level[wire] as number) / (depth + 1) <= this.#front;
    return ((there ? this.#now : this.#before)[wire] ?? 0) > 0;
  }

  #render({ kinds, wires, outputs, channels }: LogicCircuit, at: Layout): void {
    const { width, height, scale } = this.#size;
    const context = this.#canvas.getContext("2d") as CanvasRenderingContext2D;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    const first = SEEN * channels;
    const dense = Math.min(1, 260 / Math.max(1, kinds.length));
    const ends: [number, number, number][] = wires.flatMap(([a, b], g): [number, number, number][] => {
      const [x, y] = [(at.x[first + g] as number) - at.gate / 2, at.y[first + g] as number];
      const apart = a === b ? 0 : at.gate * 0.2;
      return [
        [a, x, y - apart],
        [b, x, y + apart],
      ];
    });
    const owners = wires.flatMap((_, g) => [first + g, first + g]);
    outputs.forEach((wire, channel) => {
      const end = at.outputs[channel] as Layout["outputs"][0];
      ends.push([wire, end.x - end.side / 2, end.y]);
      owners.push(-1 - channel);
    });
    for (const faint of [true, false]) {
      if (faint && !this.#cone) continue;
      for (const lit of [false, true]) {
        context.beginPath();
        ends.forEach(([wire, x, y], i) => {
          if (this.#lit(wire, at) !== lit || Number.isNaN(at.x[wire])) return;
          if (this.#inCone(owners[i] as number) === faint) return;
          const from = (at.x[wire] as number) + (wire < first ? at.cell : at.gate) / 2;
          const [start, bend] = [at.y[wire] as number, Math.max(6, (x - from) * 0.45)];
          context.moveTo(from, start);
          context.bezierCurveTo(from + bend, start, x - bend, y, x, y);
        });
        context.strokeStyle = lit ? this.#colours.lit : this.#colours.wire;
        context.lineWidth = (lit ? 1.6 : 1.1) * (0.55 + 0.45 * dense);
        context.globalAlpha = faint ? 0.12 : lit ? 0.5 + 0.45 * dense : 0.35 + 0.5 * dense;
        context.stroke();
      }
    }
    context.globalAlpha = 1;
    this.#drawBlocks(context, at);
    this.#drawGates(context, kinds, first, at);
    this.#drawOutputs(context, outputs, at);
  }

  #inCone(owner: number): boolean {
    if (!this.#cone) return true;
    return owner >= 0 && this.#cone[owner] === 1;
  }

  #drawBlocks(context: CanvasRenderingContext2D, { blocks, cell }: Layout): void {
    const { lit, gate, wire, text } = this.#colours;
    for (const { channel, x, y } of blocks) {
      for (let k = 0; k < SEEN; k++) {
        const on = (this.#now[SEEN * channel + k] ?? 0) > 0;
        context.fillStyle = on ? lit : gate;
        context.strokeStyle = k === 4 ? text : wire;
        context.lineWidth = 1;
        const [left, top] = [x + (k % 3) * cell, y + Math.floor(k / 3) * cell];
        const inset = cell > 6 ? 1 : 0.5;
        context.beginPath();
        context.roundRect(left + inset, top + inset, cell - 2 * inset, cell - 2 * inset, cell > 8 ? 2 : 0.5);
        context.fill();
        if (cell > 4) context.stroke();
      }
    }
  }

  #drawGates(context: CanvasRenderingContext2D, kinds: number[], first: number, at: Layout): void {
    const { lit, gate, edge, text, onLit } = this.#colours;
    const side = at.gate;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `600 ${Math.round(side * 0.62)}px ${colour("--font")}`;
    kinds.forEach((kind, g) => {
      const wire = first + g;
      const on = this.#lit(wire, at);
      const [x, y] = [at.x[wire] as number, at.y[wire] as number];
      context.globalAlpha = this.#inCone(wire) ? 1 : 0.2;
      context.beginPath();
      context.roundRect(x - side / 2, y - side / 2, side, side, side * 0.28);
      context.fillStyle = on ? lit : gate;
      context.fill();
      context.lineWidth = wire === this.#pointed ? 2.5 : 1;
      context.strokeStyle = on ? lit : edge;
      if (side > 4) context.stroke();
      if (side < SIGNED) return;
      context.fillStyle = on ? onLit : text;
      context.fillText(SIGNS[kind] ?? "", x, y + side * 0.04);
    });
    context.globalAlpha = 1;
  }

  #drawOutputs(context: CanvasRenderingContext2D, outputs: number[], at: Layout): void {
    const { lit, gate, edge } = this.#colours;
    outputs.forEach((wire, channel) => {
      const { x, y, side } = at.outputs[channel] as Layout["outputs"][0];
      const on = ((this.#front < 1 ? this.#before : this.#now)[wire] ?? 0) > 0;
      context.beginPath();
      context.arc(x, y, side / 2, 0, 2 * Math.PI);
      context.fillStyle = on ? lit : gate;
      context.fill();
      context.lineWidth = channel === 0 ? 2 : 1;
      context.strokeStyle = on ? lit : edge;
      context.stroke();
    });
  }

  #point({ clientX, clientY }: PointerEvent): void {
    const at = this.#layout;
    if (!at || !this.#circuit) return;
    const { left, top } = this.#canvas.getBoundingClientRect();
    const [x, y] = [clientX - left, clientY - top];
    let [best, least] = [null as number | null, NEAR + at.gate / 2];
    for (let wire = SEEN * this.#circuit.channels; wire < at.x.length; wire++) {
      const far = Math.hypot((at.x[wire] as number) - x, (at.y[wire] as number) - y);
      if (far < least) [best, least] = [wire, far];
    }
    this.#choose(best);
  }

  #choose(wire: number | null): void {
    if (wire === this.#pointed) return;
    this.#pointed = wire;
    this.#stale = true;
    this.#cone = wire === null || !this.#circuit ? null : cone(this.#circuit, wire);
  }

  #say({ cell: [x, y], shown }: LogicStage): void {
    const circuit = this.#circuit as LogicCircuit;
    const first = SEEN * circuit.channels;
    if (this.#pointed !== null) {
      const gate = circuit.kinds[this.#pointed - first] as number;
      const feeds = (this.#cone?.reduce((a, b) => a + b, 0) ?? 1) - 1;
      return write(this.#says, `${NAMES[gate]}: it depends on ${count(feeds, "other gate")}`);
    }
    if (circuit.kinds.length === 0) return write(this.#says, "No gate is left: each only hands on what it reads");
    const light = (wire: number | undefined) => (wire === undefined ? false : (this.#now[wire] ?? 0) > 0);
    const next = circuit.outputs.slice(0, shown).some(light) ? "lit" : "dark";
    write(this.#says, `The cell in column ${x + 1}, row ${y + 1} computes: it will be ${next}`);
  }
}

/** What a wire depends on, itself included; gates alone are marked. */
function cone({ channels, wires }: LogicCircuit, wire: number): Uint8Array {
  const first = SEEN * channels;
  const marks = new Uint8Array(first + wires.length);
  marks[wire] = 1;
  // A gate reads wires before its own.
  for (let at = wire; at >= first; at--) {
    if (marks[at] !== 1) continue;
    for (const from of wires[at - first] as [number, number]) if (from >= first) marks[from] = 1;
  }
  return marks;
}

function alike(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}


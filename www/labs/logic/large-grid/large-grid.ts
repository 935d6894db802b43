// The dialog with a large grid of hard gates, computed and drawn by the GPU. A visitor moves over it, enlarges it,
// damages it, and lets it take steps. It starts from the circuit that training has when the dialog opens.

import { ramp, type Rgb } from "../../../core/colour";
import { button, el, listen, write } from "../../../core/dom";
import { formatCount, formatInteger } from "../../../core/format";
import { colour, onTheme, reducedMotion } from "../../../core/theme";
import { Choices } from "../../../ui/choices";
import { createDialog } from "../../../ui/dialog";
import { icon } from "../../../ui/icons";
import { Slider } from "../../../ui/slider";
import { combinationColours } from "../cell-colours";
import { Camera } from "./camera";
import { parseCircuit, type Circuit } from "./circuit";
import { GridDevice, openDevice, type Start } from "./device";
import { GridPointer, type LargeTool } from "./pointer";
import type { Colours } from "./picture";
import "./large-grid.css";

/** The sizes of the grid, as cells in a row. */
const SIZES = [512, 1024, 2048, 4096];
const LARGEST_SIZE = 4096;
/** On a software adapter, grids up to this size move by themselves, and larger ones wait for the visitor. */
const LARGEST_MOVING_IN_SOFTWARE = 512;
/** Positions of the speed slider, in steps per second. */
const PACES = [1, 2, 5, 10, 20, 30, 60, 120, 240];
/** The position of the speed slider at the start. */
const FIRST_PACE_INDEX = 4;
/** The most steps of a frame, however long ago the last frame was. */
const MAX_STEPS_PER_FRAME = 16;
/** The factor of a press of a zoom button or key. */
const ZOOM_FACTOR = 1.5;
/** The part of the picture that an arrow key moves by. */
const PAN_FRACTION = 0.15;
/** The speed is measured over this many seconds. */
const MEASURE_SECONDS = 1;
/** More bitmap pixels than this per CSS pixel cost time and make no visible difference. */
const MAX_SCALE = 2;

const TOOLS: [tool: LargeTool, label: string, title: string][] = [
  ["damage", "Damage", "Drag over the grid to switch cells off; two fingers or the wheel move and enlarge"],
  ["move", "Move", "Drag the grid; two fingers or the wheel enlarge"],
];

export class LargeGrid {
  #dialog: HTMLDialogElement;
  #canvas = el("canvas", { class: "logic-large-canvas", tabindex: 0, role: "application" });
  #body = el("div", { class: "logic-large-body" });
  #status = el("p", { class: "remark num", role: "status" });
  #speed = el("span", { class: "num quiet" });
  #play = el("button", { type: "button", class: "tool", on: { click: () => this.#setPlaying(!this.#playing) } });
  #sizes: Choices<number>;
  #tools: Choices<LargeTool>;
  #pace: Slider;
  #camera = new Camera();
  #pointer: GridPointer;
  #device: GridDevice | null = null;
  #software = false;
  #failed = false;
  #playing = false;
  #stepsPerSecond = PACES[FIRST_PACE_INDEX] as number;
  /** Steps that are due and have not been taken; the fraction is kept for the next frame. */
  #dueSteps = 0;
  #seed = 1;
  #colours: Colours = { cells: [], around: [0, 0, 0] };
  /** Whether the picture must be drawn again. */
  #stale = true;
  /** The requested animation frame. */
  #frame = 0;
  /** The time of the last frame, by `performance.now()`. */
  #lastFrameAt = 0;
  /** When the present measurement of the speed began, and the steps since then. */
  #measure = { since: 0, steps: 0 };
  #cleanups: (() => void)[] = [];

  /** `fetchCircuit` gets the text of the present circuit as JSON from the lab. */
  constructor(readonly fetchCircuit: () => Promise<string>) {
    this.#pointer = new GridPointer(this.#canvas, this.#camera, {
      changed: () => (this.#stale = true),
      damage: (x, y, radius) => {
        this.#device?.erase(x, y, radius);
        this.#stale = true;
      },
    });
    this.#sizes = new Choices({
      class: "segments",
      buttonClass: "button num",
      label: "Cells in a row",
      choices: SIZES.map((size) => ({ value: size, title: `${size} × ${size} cells`, content: [String(size)] })),
      choose: (size) => this.#restart(size),
    });
    this.#tools = new Choices({
      class: "segments",
      buttonClass: "button",
      label: "Tool of the pointer",
      choices: TOOLS.map(([tool, label, title]) => ({ value: tool, title, content: [label] })),
      choose: (tool) => this.#chooseTool(tool),
    });
    this.#pace = new Slider({
      class: "slider logic-slider",
      label: "Speed",
      title: "Steps of the grid per second",
      notches: PACES.length - 1,
      value: (notch) => PACES[notch] as number,
      notch: (pace) => Math.max(0, PACES.indexOf(pace)),
      format: (pace) => `${pace} steps/s`,
      change: (pace) => (this.#stepsPerSecond = pace),
    });
    this.#pace.show(this.#stepsPerSecond);
    this.#dialog = createDialog(
      {
        class: "logic-large",
        titleId: "logic-large-title",
        title: "The circuit on a large grid",
        closed: () => this.#destroy(),
      },
      this.#body,
      this.#status,
      el(
        "div",
        { class: "row dialog-actions" },
        button("Close", () => this.#dialog.close()),
      ),
    );
    write(this.#status, "Opening the graphics processor");
  }

  /** Returns the dialog, to be added to the page at once. It opens itself right after that. */
  open(): HTMLElement {
    queueMicrotask(() => {
      this.#dialog.showModal();
      this.#begin().catch((error: unknown) => this.#fail(error instanceof Error ? error.message : String(error)));
    });
    return this.#dialog;
  }

  async #begin(): Promise<void> {
    const text = await this.fetchCircuit();
    const { device, software } = await openDevice();
    if (!this.#dialog.open) return device.destroy();
    this.#software = software;
    void device.lost.then(({ reason }) => {
      if (reason !== "destroyed") this.#fail("The graphics processor was lost. Close this and open it again.");
    });
    device.addEventListener("uncapturederror", ({ error }) => {
      this.#fail(`The graphics processor reported an error: ${error.message}`);
    });
    this.#device = new GridDevice(device, this.#canvas, parseCircuit(text), software);
    // For the browser tests, which compare its cells with those that the circuit gives.
    Object.assign(this.#dialog, { grid: this.#device });
    if (this.#failed) return;
    this.#layOut();
    this.#readColours();
    this.#cleanups.push(onTheme(() => this.#readColours()));
    const fitting = SIZES.filter((size) => this.#device?.fits(size));
    this.#sizes.element.querySelectorAll("button").forEach((each, i) => {
      each.disabled = !fitting.includes(SIZES[i] as number);
    });
    this.#restart(software ? LARGEST_MOVING_IN_SOFTWARE : (fitting.at(-1) ?? LARGEST_SIZE));
    this.#canvas.focus();
    this.#lastFrameAt = this.#measure.since = performance.now();
    this.#frame = requestAnimationFrame((now) => this.#tick(now));
  }

  /** Ends the grid, and says why. The first reason counts: others follow from it. */
  #fail(reason: string): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#device?.destroy();
    this.#device = null;
    this.#body.replaceChildren();
    write(this.#status, reason);
  }

  #layOut(): void {
    const press = (label: string, title: string, action: () => void) => button(label, action, { title });
    const step = el(
      "button",
      {
        type: "button",
        class: "tool",
        title: "One step",
        "aria-label": "One step",
        on: { click: () => this.#takeOneStep() },
      },
      icon("step"),
    );
    const zoomBy = (factor: number) => () => this.#zoom(factor);
    this.#canvas.setAttribute(
      "aria-label",
      "The large grid. Arrow keys move over it, plus and minus enlarge it, 0 shows all of it, " +
        "Space runs or pauses it, S takes a step, W damages the middle of the picture",
    );
    this.#body.replaceChildren(
      this.#canvas,
      el(
        "div",
        { class: "logic-row" },
        this.#play,
        step,
        this.#pace.element,
        press("Start again", "Set the grid to a new initial state", () =>
          this.#restart(this.#device?.size ?? LARGEST_SIZE),
        ),
        press("Take the present circuit", "Go on with the gates that training has now", () => void this.#renew()),
      ),
      el(
        "div",
        { class: "logic-row" },
        this.#tools.element,
        el(
          "div",
          { class: "segments", role: "group", "aria-label": "Enlarge" },
          press("−", "Make smaller (−)", zoomBy(1 / ZOOM_FACTOR)),
          press("+", "Enlarge (+)", zoomBy(ZOOM_FACTOR)),
          press("All", "Show the whole grid (0)", () => this.#showAll()),
        ),
        this.#sizes.element,
        this.#speed,
      ),
    );
    this.#chooseTool("damage");
    listen(this.#canvas, { keydown: (event) => this.#handleKey(event) });
    const observer = new ResizeObserver(() => this.#fit());
    observer.observe(this.#canvas);
    this.#cleanups.push(() => observer.disconnect());
    this.#fit();
  }

  #fit(): void {
    const { clientWidth, clientHeight } = this.#canvas;
    if (clientWidth === 0) return;
    this.#canvas.width = Math.round(clientWidth * this.#scale);
    this.#canvas.height = Math.round(clientHeight * this.#scale);
    this.#camera.fit(clientWidth, clientHeight);
    this.#stale = true;
  }

  get #scale(): number {
    return Math.min(MAX_SCALE, devicePixelRatio || 1);
  }

  #destroy(): void {
    cancelAnimationFrame(this.#frame);
    this.#cleanups.forEach((cleanup) => cleanup());
    this.#device?.destroy();
    this.#dialog.remove();
  }

  #chooseTool(tool: LargeTool): void {
    this.#pointer.tool = tool;
    this.#tools.show(tool);
  }

  #setPlaying(playing: boolean): void {
    this.#playing = playing;
    const label = playing ? "Pause the large grid" : "Run the large grid";
    this.#play.replaceChildren(icon(playing ? "pause" : "play"));
    this.#play.title = label;
    this.#play.setAttribute("aria-label", label);
    this.#measure = { since: performance.now(), steps: 0 };
    write(this.#speed, "");
  }

  /** Begins again with this many cells in a row. */
  #restart(size: number): void {
    const device = this.#device;
    if (!device) return;
    device.restart(size, startOf(device.circuit), this.#seed++);
    this.#sizes.show(size);
    this.#showAll();
    this.#dueSteps = 0;
    const isTooSlow = this.#software && size > LARGEST_MOVING_IN_SOFTWARE;
    this.#setPlaying(!isTooSlow && !reducedMotion());
    this.#stale = true;
  }

  /** Goes on with the circuit that training has now. */
  async #renew(): Promise<void> {
    const circuit = parseCircuit(await this.fetchCircuit());
    if (!this.#device) return;
    // The cells of this grid have as many channels as the circuit that it began with.
    if (circuit.channels === this.#device.circuit.channels) this.#device.setCircuit(circuit);
  }

  #takeOneStep(): void {
    this.#setPlaying(false);
    this.#device?.step(1);
    this.#stale = true;
  }

  #zoom(factor: number): void {
    this.#camera.zoom(factor);
    this.#stale = true;
  }

  #showAll(): void {
    this.#camera.showAll(this.#device?.size ?? LARGEST_SIZE);
    this.#stale = true;
  }

  #handleKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const pan = (x: number, y: number) => () => this.#camera.pan(-x * PAN_FRACTION * width, -y * PAN_FRACTION * height);
    const actions: Record<string, () => void> = {
      ArrowLeft: pan(-1, 0),
      ArrowRight: pan(1, 0),
      ArrowUp: pan(0, -1),
      ArrowDown: pan(0, 1),
      "+": () => this.#zoom(ZOOM_FACTOR),
      "=": () => this.#zoom(ZOOM_FACTOR),
      "-": () => this.#zoom(1 / ZOOM_FACTOR),
      "0": () => this.#showAll(),
      " ": () => this.#setPlaying(!this.#playing),
      s: () => this.#takeOneStep(),
      w: () => this.#pointer.damageAt(width / 2, height / 2),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
    this.#stale = true;
  }

  #tick(now: number): void {
    this.#frame = requestAnimationFrame((later) => this.#tick(later));
    const device = this.#device;
    if (!device) return;
    const seconds = (now - this.#lastFrameAt) / 1000;
    this.#lastFrameAt = now;
    // A device that is behind gets no more work until it has caught up.
    if (device.busy) return;
    if (this.#playing) {
      this.#dueSteps = Math.min(MAX_STEPS_PER_FRAME, this.#dueSteps + Math.max(0, seconds) * this.#stepsPerSecond);
      const steps = Math.floor(this.#dueSteps);
      if (steps > 0) {
        device.step(steps);
        this.#dueSteps -= steps;
        this.#measure.steps += steps;
        this.#stale = true;
      }
    }
    this.#report(now);
    if (this.#stale && device.draw(this.#camera, this.#colours, this.#scale)) this.#stale = false;
  }

  #report(now: number): void {
    const { size, steps, circuit } = this.#device as GridDevice;
    const cells = `${formatInteger(size)} × ${formatInteger(size)} cells`;
    write(this.#status, `Step ${formatInteger(steps)}: ${cells}, ${formatCount(circuit.gates.length, "gate")} each.`);
    const seconds = (now - this.#measure.since) / 1000;
    if (!this.#playing || seconds < MEASURE_SECONDS) return;
    const rate = (this.#measure.steps * size * size) / seconds;
    write(this.#speed, `${formatInteger(Math.round(rate / 1e6))} million cell updates a second`);
    this.#measure = { since: now, steps: 0 };
  }

  #readColours(): void {
    const rgb = (hex: string): Rgb => ramp([hex, hex], 2)[0] as Rgb; // a ramp between equal stops parses the colour
    const shown = this.#device?.circuit.shown ?? 1;
    const cells = shown === 1 ? [colour("--ramp-0"), colour("--ramp-3")] : combinationColours();
    this.#colours = { cells: cells.map(rgb), around: rgb(colour("--paper")) };
    this.#stale = true;
  }
}

/** What a grid of this circuit begins with, as in training. */
function startOf({ experiment }: Circuit): Start {
  if (experiment === "figure") return "one";
  return experiment === "letter" ? "empty" : "random";
}

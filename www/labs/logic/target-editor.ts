// The dialog in which a visitor draws a target on a large grid, by pointer or by keys, and in colours if it has three
// channels.

import { ARROW_STEPS, button, el, listen } from "../../core/dom";
import { createDialog } from "../../ui/dialog";
import { CellGrid } from "./cell-grid";
import { combinationColours, COMBINATION_NAMES } from "./cell-colours";
import { describeDrawing, type Drawing } from "./drawing";

/** Cells fade into their new state within a fraction of a second; a drawing that reports this many shows it at once. */
const INSTANT_SECONDS = 1;

export class TargetEditor {
  #dialog: HTMLDialogElement;
  #grid = new CellGrid();
  /** Cells in a row and in a column. */
  #size: number;
  /** Number of channels: one, or three for red, green and blue. */
  #shown: number;
  /** The drawn target, 0 or 1: one plane after the other for each channel, row by row. */
  #planes: Uint8Array;
  /** The chosen colour as a combination of active channels (see cell-colours.ts). */
  #colour: number;
  /** Whether the present stroke erases. */
  #erasing = false;
  /** The last position of a stroke, or null between strokes. */
  #last: { x: number; y: number } | null = null;
  /** The cell chosen by keys. */
  #cell: [number, number] | undefined;
  /** The buttons of the colours. */
  #swatches: HTMLElement[] = [];

  constructor(
    drawing: Drawing,
    /**
     * Makes the lab learn the target, written as a `0` or `1` for each channel and cell. An empty text stands for the
     * published target. `fromScratch` starts a new run, with the settings with which drawings are learned.
     */
    readonly learn: (planes: string, fromScratch: boolean) => void,
  ) {
    this.#size = drawing.size;
    this.#shown = drawing.shown;
    this.#planes = drawing.planes;
    this.#colour = 1; // the first channel: red, or simply on
    const { element } = this.#grid;
    element.tabIndex = 0;
    element.setAttribute("role", "application");
    element.setAttribute("aria-label", "The target. Arrow keys move, Enter or Space paints");
    this.#dialog = createDialog(
      {
        class: "logic-editor",
        titleId: "logic-pad-title",
        title: "Draw a target",
        closed: () => this.#destroy(),
      },
      el("p", { class: "quiet", text: describeDrawing(drawing) }),
      element,
      this.#shown > 1 && this.#createPalette(),
      el(
        "div",
        { class: "row dialog-actions" },
        button("Train from scratch", () => this.#finish(this.#planes.join(""), true), { class: "primary" }),
        drawing.canContinue && button("Continue training", () => this.#finish(this.#planes.join(""), false)),
        drawing.isOwn && button("Use the published target", () => this.#finish("", false)),
        button("Clear the grid", () => this.#clear()),
        button("Cancel", () => this.#dialog.close()),
      ),
    );
    this.#listen();
  }

  /** Returns the dialog, to be added to the page at once. It opens itself right after that. */
  open(): HTMLElement {
    queueMicrotask(() => {
      this.#dialog.showModal();
      this.#grid.element.focus();
      requestAnimationFrame(() => this.#draw());
    });
    return this.#dialog;
  }

  #destroy(): void {
    this.#grid.destroy();
    this.#dialog.remove();
  }

  #createPalette(): HTMLElement {
    const row = el("div", { class: "logic-swatches", role: "group", "aria-label": "Colour" });
    combinationColours().forEach((hex, combination) => {
      const name = COMBINATION_NAMES[combination] as string;
      const choose = () => this.#chooseColour(combination);
      const swatch = el("button", { type: "button", title: name, "aria-label": name, on: { click: choose } });
      swatch.style.background = hex;
      this.#swatches.push(swatch);
    });
    row.append(...this.#swatches);
    this.#chooseColour(1);
    return row;
  }

  #chooseColour(combination: number): void {
    this.#colour = combination;
    this.#swatches.forEach((swatch, i) => swatch.setAttribute("aria-pressed", String(i === combination)));
  }

  #listen(): void {
    const { canvas, element } = this.#grid;
    listen(canvas, {
      pointerdown: (event) => {
        if (event.button !== 0) return;
        canvas.setPointerCapture(event.pointerId);
        this.#last = this.#grid.positionOf(event);
        const { x, y } = this.#last;
        this.#startStroke(Math.floor(x), Math.floor(y));
        this.#paint(Math.floor(x), Math.floor(y));
      },
      pointermove: (event) => {
        if (!this.#last) return;
        const to = this.#grid.positionOf(event);
        const from = this.#last;
        // Two points per cell, because a pointer may move fast.
        const steps = Math.ceil(2 * Math.hypot(to.x - from.x, to.y - from.y));
        for (let i = 1; i <= steps; i++) {
          const along = (a: number, b: number) => Math.floor(a + ((b - a) * i) / steps);
          this.#paint(along(from.x, to.x), along(from.y, to.y));
        }
        this.#last = to;
      },
    });
    const endStroke = () => (this.#last = null);
    listen(canvas, { pointerup: endStroke, pointercancel: endStroke, lostpointercapture: endStroke });
    listen(element, { keydown: (event) => this.#handleKey(event) });
  }

  #handleKey(event: KeyboardEvent): void {
    const step = ARROW_STEPS[event.key];
    if (!step && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    const middle = this.#size >> 1; // half, rounded down
    const [x, y] = this.#cell ?? [middle, middle];
    if (step) this.#cell = [this.#clamped(x + step[0]), this.#clamped(y + step[1])];
    else {
      this.#cell = [x, y];
      this.#startStroke(x, y);
      this.#paint(x, y);
    }
    this.#draw();
  }

  #clamped(position: number): number {
    return Math.max(0, Math.min(this.#size - 1, position));
  }

  /** Starts a stroke. On a cell that already has its colour, the stroke erases. */
  #startStroke(x: number, y: number): void {
    const cell = y * this.#size + x;
    // Channel c is bit c of a colour.
    const bits = Array.from({ length: this.#shown }, (_, c) => (this.#planes[c * this.#size ** 2 + cell] ?? 0) << c);
    const present = bits.reduce((a, b) => a + b, 0);
    this.#erasing = this.#colour > 0 && present === this.#colour;
  }

  #paint(x: number, y: number): void {
    if (x < 0 || y < 0 || x >= this.#size || y >= this.#size) return;
    for (let c = 0; c < this.#shown; c++) {
      this.#planes[c * this.#size ** 2 + y * this.#size + x] = this.#erasing ? 0 : (this.#colour >> c) & 1;
    }
    this.#draw();
  }

  #draw(): void {
    const [size, shown] = [this.#size, this.#shown];
    const cells = { width: size, height: size, shown, values: this.#planes, full: 1 };
    this.#grid.draw(cells, { cell: this.#cell }, INSTANT_SECONDS);
  }

  #clear(): void {
    this.#planes.fill(0);
    this.#draw();
  }

  /** Makes the lab learn the target, and closes the dialog. The parameters are those of `learn`. */
  #finish(planes: string, fromScratch: boolean): void {
    this.learn(planes, fromScratch);
    this.#dialog.close();
  }
}

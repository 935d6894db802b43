// The dialog in which a visitor draws a target, on a large grid, by pointer or by keys, in colours if three channels
// are shown.

import { ARROW_STEPS, button, el, listen } from "../../core/dom";
import { createDialog } from "../../ui/dialog";
import { CellGrid } from "./cell-grid";
import { channelColours, CHANNEL_NAMES } from "./cell-colours";
import type { LogicView } from "../../generated/protocol";

export class TargetEditor {
  #dialog: HTMLDialogElement;
  #grid = new CellGrid();
  #size: number;
  #shown: number;
  #planes: Uint8Array;
  /** The channels the pointer lights: red counts 1, green 2, blue 4. */
  #lit: number;
  #erasing = false;
  #last: { x: number; y: number } | null = null;
  #cell: [number, number] | undefined;
  #swatches: HTMLElement[] = [];

  constructor(
    view: LogicView,
    /**
     * Learns the target, given as a `0` or `1` for each cell; an empty text means the published target. `fromScratch` starts a
     * new run.
     */
    readonly learn: (planes: string, fromScratch: boolean) => void,
  ) {
    this.#size = view.size;
    this.#shown = view.stage.shown;
    this.#planes = view.target.slice();
    this.#lit = 1;
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
      element,
      this.#shown > 1 && this.#palette(),
      el(
        "div",
        { class: "row dialog-actions" },
        button("Learn it from scratch", () => this.#finish(this.#planes.join(""), true), { class: "primary" }),
        button("Continue with this", () => this.#finish(this.#planes.join(""), false)),
        button("As published", () => this.#finish("", false)),
        button("Clear", () => this.#clear()),
        button("Cancel", () => this.#dialog.close()),
      ),
    );
    this.#listen();
  }

  /** The dialog, which opens after it has been added to the page. */
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

  #palette(): HTMLElement {
    const row = el("div", { class: "logic-swatches", role: "group", "aria-label": "Colour" });
    channelColours().forEach((hex, lit) => {
      const name = CHANNEL_NAMES[lit] as string;
      const use = () => this.#use(lit);
      const swatch = el("button", { type: "button", title: name, "aria-label": name, on: { click: use } });
      swatch.style.background = hex;
      this.#swatches.push(swatch);
    });
    row.append(...this.#swatches);
    this.#use(1);
    return row;
  }

  #use(lit: number): void {
    this.#lit = lit;
    this.#swatches.forEach((swatch, each) => swatch.setAttribute("aria-pressed", String(each === lit)));
  }

  #listen(): void {
    const { canvas, element } = this.#grid;
    listen(canvas, {
      pointerdown: (event) => {
        if (event.button !== 0) return;
        canvas.setPointerCapture(event.pointerId);
        this.#last = this.#grid.at(event);
        const { x, y } = this.#last;
        this.#startStroke(Math.floor(x), Math.floor(y));
        this.#paint(Math.floor(x), Math.floor(y));
      },
      pointermove: (event) => {
        if (!this.#last) return;
        const to = this.#grid.at(event);
        const from = this.#last;
        const steps = Math.ceil(2 * Math.hypot(to.x - from.x, to.y - from.y));
        for (let i = 1; i <= steps; i++) {
          const along = (a: number, b: number) => Math.floor(a + ((b - a) * i) / steps);
          this.#paint(along(from.x, to.x), along(from.y, to.y));
        }
        this.#last = to;
      },
    });
    const end = () => (this.#last = null);
    listen(canvas, { pointerup: end, pointercancel: end, lostpointercapture: end });
    listen(element, { keydown: (event) => this.#key(event) });
  }

  #key(event: KeyboardEvent): void {
    const way = ARROW_STEPS[event.key];
    if (!way && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    const middle = this.#size >> 1;
    const [x, y] = this.#cell ?? [middle, middle];
    if (way) this.#cell = [this.#clamped(x + way[0]), this.#clamped(y + way[1])];
    else {
      this.#cell = [x, y];
      this.#startStroke(x, y);
      this.#paint(x, y);
    }
    this.#draw();
  }

  #clamped(at: number): number {
    return Math.max(0, Math.min(this.#size - 1, at));
  }

  /** Starts a stroke. On a cell that already has its colour, the stroke erases. */
  #startStroke(x: number, y: number): void {
    const cell = y * this.#size + x;
    const here = Array.from({ length: this.#shown }, (_, c) => (this.#planes[c * this.#size ** 2 + cell] ?? 0) << c);
    this.#erasing = this.#lit > 0 && here.reduce((a, b) => a + b, 0) === this.#lit;
  }

  #paint(x: number, y: number): void {
    if (x < 0 || y < 0 || x >= this.#size || y >= this.#size) return;
    for (let c = 0; c < this.#shown; c++) {
      this.#planes[c * this.#size ** 2 + y * this.#size + x] = this.#erasing ? 0 : (this.#lit >> c) & 1;
    }
    this.#draw();
  }

  #draw(): void {
    const [size, shown] = [this.#size, this.#shown];
    const cells = { width: size, height: size, shown, values: this.#planes, full: 1 };
    // Drawn without fading.
    this.#grid.draw(cells, { cell: this.#cell }, 1);
  }

  #clear(): void {
    this.#planes.fill(0);
    this.#draw();
  }

  #finish(planes: string, fromScratch: boolean): void {
    this.learn(planes, fromScratch);
    this.#dialog.close();
  }
}

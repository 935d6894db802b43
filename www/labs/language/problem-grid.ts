// A grid of problems the network has never seen, one cell for each. A cell changes its colour when the problem is
// solved. Pointing at a cell shows its question and answers, and visitors can ask questions of their own.

import { ResponsiveCanvas } from "../../core/canvas";
import { ramp, type Rgb } from "../../core/colour";
import { ARROW_STEPS, el, hasModifier, listen, write } from "../../core/dom";
import { reducedMotion, colour } from "../../core/theme";
import { formatPercent } from "./predictions";
import type { LanguageCommand, LanguageGrid, LanguageProblem } from "../../generated/protocol";

/** Time constant of a cell's colour. */
const SETTLE_SECONDS = 0.2;
/** How long each problem is shown while nobody points at one. */
const SHOWN_SECONDS = 1.6;
/**
 * The step from one problem shown to the next. It is coprime to the usual numbers of problems, so all have their turn.
 */
const STRIDE = 7;
const RIGHT = 1;
const UNASKED = 2;

export class ProblemGrid {
  readonly element: HTMLElement;
  #frame = el("div", {
    class: "language-grid-frame",
    tabindex: 0,
    role: "application",
    "aria-label": "Problems it was asked. Arrow keys choose one",
  });
  #canvas = new ResponsiveCanvas({
    class: "language-grid-canvas",
    box: this.#frame,
    recoloured: () => (this.#colours = null),
  });
  #share = el("b", { class: "num" });
  #question = el("span", { class: "language-question" });
  #given = el("span", { class: "language-given" });
  #verdict = el("p", { class: "language-verdict" });
  /** Read aloud once per key press, because the shown problem also changes by itself. */
  #announcement = el("span", { class: "unseen", "aria-live": "polite" });
  #box = el("input", {
    type: "text",
    id: "language-own",
    class: "language-prompt mono",
    autocomplete: "off",
    spellcheck: "false",
  });
  #own = el("span", { class: "language-own mono" });
  #ownVerdict = el("span", { class: "quiet" });
  #grid: LanguageGrid | null = null;
  #chosen: number | null = null;
  #showing = 0;
  #rest = SHOWN_SECONDS;
  /** How correct and how answered each cell looks, from 0 to 1. */
  #right = new Float32Array();
  #asked = new Float32Array();
  #colours: { wrong: Rgb; right: Rgb; unasked: Rgb; ink: string } | null = null;

  constructor(send: (command: LanguageCommand) => void) {
    this.#frame.append(this.#canvas.element);
    const point = (event: PointerEvent) => this.#point(event);
    listen(this.#frame, { pointermove: point, pointerdown: point });
    // A finger always leaves after a tap, which must not undo the choice.
    listen(this.#frame, {
      pointerleave: ({ pointerType }) => pointerType === "touch" || (this.#chosen = null),
      blur: () => (this.#chosen = null),
      keydown: (event) => this.#key(event),
    });
    const form = el(
      "form",
      { class: "language-ask" },
      el("label", { for: "language-own", text: "Ask it" }),
      this.#box,
      el("button", { type: "submit", class: "button", text: "Ask" }),
    );
    listen(form, {
      submit: (event) => {
        event.preventDefault();
        const question = this.#box.value.trim();
        if (question !== "") send({ type: "ask", question });
      },
    });
    this.element = el(
      "div",
      { class: "stage language-problems", role: "group", "aria-label": "Problems it has never seen" },
      this.#frame,
      el(
        "div",
        { class: "language-desk" },
        el("p", { class: "language-line" }, "Problems it has never seen", el("span", {}, this.#share, " right")),
        el("p", { class: "language-problem mono" }, this.#question, this.#given),
        this.#verdict,
        this.#announcement,
        form,
        el("p", { class: "language-answer", role: "status" }, this.#own, this.#ownVerdict),
      ),
    );
  }

  destroy(): void {
    this.#canvas.destroy();
  }

  reset(): void {
    this.#right = new Float32Array();
    this.#chosen = null;
    this.#box.value = "";
  }

  #point(event: PointerEvent): void {
    const grid = this.#grid;
    if (!grid) return;
    const box = this.#canvas.element.getBoundingClientRect();
    const place = (at: number) => Math.max(0, Math.min(grid.side - 1, Math.floor((at / box.width) * grid.side)));
    this.#choose(place(event.clientY - box.top) * grid.side + place(event.clientX - box.left));
  }

  #key(event: KeyboardEvent): void {
    const arrow = ARROW_STEPS[event.key];
    const grid = this.#grid;
    if (!arrow || !grid || hasModifier(event)) return;
    event.preventDefault();
    const from = this.#chosen ?? this.#showing;
    const clamp = (at: number) => Math.max(0, Math.min(grid.side - 1, at));
    const [x, y] = [clamp((from % grid.side) + arrow[0]), clamp(Math.floor(from / grid.side) + arrow[1])];
    this.#choose(y * grid.side + x);
    const problem = grid.problems[y * grid.side + x];
    if (problem) write(this.#announcement, `${problem.question}${problem.given}`);
  }

  #choose(index: number): void {
    if (this.#grid && index < this.#grid.problems.length) this.#chosen = index;
  }

  draw(grid: LanguageGrid, seconds: number): void {
    this.#grid = grid;
    const { problems, own } = grid;
    this.#showNext(grid, seconds);
    this.#drawCells(grid, seconds);
    write(this.#share, formatPercent(grid.share));
    const shown = Math.min(this.#chosen ?? this.#showing, problems.length - 1);
    const problem = problems[shown];
    this.#box.placeholder = problems[0]?.question ?? "";
    if (!problem) return;
    const state = grid.right[shown] ?? UNASKED;
    write(this.#question, visible(problem.question));
    write(this.#given, state === UNASKED ? "…" : visible(problem.given));
    this.#given.classList.toggle("wrong", state !== RIGHT && state !== UNASKED);
    write(this.#verdict, verdict(problem, state));
    write(this.#own, own ? `${visible(own.question)}${visible(own.given)}` : "");
    this.#own.classList.toggle("wrong", own !== null && own.given !== own.answer);
    write(this.#ownVerdict, own ? verdict(own, own.given === own.answer ? RIGHT : 0) : "");
  }

  /** While nobody points at a problem, they are shown one after the other. */
  #showNext({ problems }: LanguageGrid, seconds: number): void {
    if (this.#chosen !== null || reducedMotion()) return;
    this.#rest -= seconds;
    if (this.#rest > 0) return;
    this.#rest = SHOWN_SECONDS;
    this.#showing = (this.#showing + STRIDE) % Math.max(1, problems.length);
  }

  #drawCells({ side, right }: LanguageGrid, seconds: number): void {
    if (this.#canvas.width === 0) return;
    this.#colours ??= { wrong: rgb("--worse"), right: rgb("--learn"), unasked: rgb("--line"), ink: colour("--ink") };
    const cells = side * side;
    if (this.#right.length !== cells) {
      this.#right = Float32Array.from({ length: cells }, (_, i) => (right[i] === RIGHT ? 1 : 0));
      this.#asked = Float32Array.from({ length: cells }, (_, i) => (right[i] === UNASKED ? 0 : 1));
    }
    const { width, scale, element } = this.#canvas;
    this.#canvas.setSize(width, width);
    const size = element.width;
    const context = this.#canvas.clear();
    // Cells have their edges on whole bitmap pixels.
    context.setTransform(1, 0, 0, 1, 0, 0);
    const pitch = size / side;
    const gap = pitch > 5 ? Math.max(1, Math.round(pitch * 0.14)) : 0;
    const step = reducedMotion() ? 1 : 1 - Math.exp(-seconds / SETTLE_SECONDS);
    const { wrong, right: good, unasked } = this.#colours;
    for (let i = 0; i < cells; i++) {
      const state = right[i] ?? UNASKED;
      const [r, a] = [this.#right[i] as number, this.#asked[i] as number];
      this.#right[i] = r + ((state === RIGHT ? 1 : 0) - r) * step;
      this.#asked[i] = a + ((state === UNASKED ? 0 : 1) - a) * step;
      const mixed = good.map((c, k) => {
        const judged = (wrong[k] as number) * (1 - r) + c * r;
        return Math.round((unasked[k] as number) * (1 - a) + judged * a);
      });
      // Wrong cells are paler than right ones.
      context.globalAlpha = 1 - 0.62 * a * (1 - r);
      context.fillStyle = `rgb(${mixed.join()})`;
      const [x, y] = [Math.round((i % side) * pitch), Math.round(Math.floor(i / side) * pitch)];
      const [right_, below] = [Math.round(((i % side) + 1) * pitch), Math.round((Math.floor(i / side) + 1) * pitch)];
      context.fillRect(x, y, right_ - x - gap, below - y - gap);
    }
    context.globalAlpha = 1;
    const marked = this.#chosen ?? this.#showing;
    context.strokeStyle = this.#colours.ink;
    context.lineWidth = 1.5 * scale;
    const [x, y] = [(marked % side) * pitch, Math.floor(marked / side) * pitch];
    context.strokeRect(Math.max(1, x - gap / 2), Math.max(1, y - gap / 2), pitch - 1, pitch - 1);
  }

  celebrate(): void {
    this.#right.fill(0);
  }
}

function rgb(name: string): Rgb {
  return ramp([colour(name), colour(name)], 2)[0] as Rgb;
}

function visible(text: string): string {
  return text.replaceAll("\n", "");
}

function verdict({ answer, given }: LanguageProblem, state: number): string {
  if (state === UNASKED) return "It has not been asked yet.";
  return state === RIGHT ? "Right." : `It is ${visible(answer)}${given === "" ? "; it gave no answer" : ""}.`;
}

// The grid of held-out problems of a task, such as additions that the network has never learned from, one cell for
// each. A cell's colour shows whether the network's latest answer is right. Pointing at a cell shows its question and
// answers, and visitors can ask questions of their own.

import { ResponsiveCanvas } from "../../core/canvas";
import { css, ramp, type Rgb } from "../../core/colour";
import { ARROW_STEPS, el, hasModifier, listen, write } from "../../core/dom";
import { reducedMotion, colour } from "../../core/theme";
import { solvedWords } from "./grid-words";
import type { LanguageCommand, LanguageGrid, LanguageProblem } from "../../generated/protocol";

/** Time constant with which a cell's colour changes. */
const SETTLE_SECONDS = 0.2;
/** How long each problem is shown while nobody points at one. */
const SHOWN_SECONDS = 1.6;
/**
 * The step from the index of one shown problem to the next. The number of problems (16 × 16) has no factor 7, so that
 * every problem has its turn, and the shown problems jump over the grid instead of following its rows.
 */
const STRIDE = 7;
/** The states of a problem, as numbered in the lab's data (`LanguageGrid.right`). */
const [WRONG, RIGHT, UNANSWERED] = [0, 1, 2];
/** Opacity of the cell of a wrong answer, which is paler than that of a right one. */
const WRONG_OPACITY = 0.38;
/** The gap between cells as a fraction of their distance. Cells closer than this many bitmap pixels have none. */
const CELL_GAP = 0.14;
const MIN_PITCH_WITH_GAP = 5;

export class ProblemGrid {
  readonly element: HTMLElement;
  #frame = el("div", {
    class: "language-grid-frame",
    tabindex: 0,
    role: "application",
    "aria-label": "Problems that it never practised. Arrow keys choose one",
  });
  #canvas = new ResponsiveCanvas({
    class: "language-grid-canvas",
    box: this.#frame,
    recoloured: () => (this.#colours = null),
  });
  #solvedText = el("b", { class: "num" });
  #solvedOf = el("span", { class: "num" });
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
  /** The visitor's question with the network's answer. */
  #visitorProblem = el("span", { class: "language-own mono" });
  #visitorVerdict = el("span", { class: "quiet" });
  /** How many questions of the visitor have been sent and neither answered nor refused. */
  #waiting = 0;
  /** Why the last question was refused, as a sentence; empty if it was not. */
  #refusal = "";
  /** The problems and their states in the latest view, cell by cell, row by row. */
  #grid: LanguageGrid | null = null;
  /** The index of the problem that the visitor points at or has chosen by key. */
  #chosen: number | null = null;
  /** The index of the problem shown while none is chosen, and seconds until the next one. */
  #showing = 0;
  #untilNext = SHOWN_SECONDS;
  /** How far each cell has faded to the colour of a right answer, and to that of any answer: 0 to 1. */
  #rightness = new Float32Array();
  #answeredness = new Float32Array();
  #colours: { wrong: Rgb; right: Rgb; unanswered: Rgb; ink: string } | null = null;

  /** `ask` sends a question, and resolves or rejects when the lab has taken or refused it. */
  constructor(ask: (command: LanguageCommand) => Promise<unknown>) {
    this.#frame.append(this.#canvas.element);
    const point = (event: PointerEvent) => this.#point(event);
    listen(this.#frame, { pointermove: point, pointerdown: point });
    // A finger leaves the frame after every tap, which must not undo the choice.
    listen(this.#frame, {
      pointerleave: ({ pointerType }) => pointerType === "touch" || (this.#chosen = null),
      blur: () => (this.#chosen = null),
      // In a narrow window the problem is told below the grid.
      click: () => this.#verdict.scrollIntoView({ block: "nearest" }),
      keydown: (event) => this.#handleKey(event),
    });
    const form = el(
      "form",
      { class: "language-ask" },
      el("label", { for: "language-own", text: "Your own problem" }),
      this.#box,
      el("button", { type: "submit", class: "button", text: "Answer" }),
    );
    listen(form, {
      submit: (event) => {
        event.preventDefault();
        const question = this.#box.value.trim();
        if (question === "") return;
        this.#refusal = "";
        this.#waiting++;
        const settled = () => {
          this.#waiting--;
        };
        ask({ type: "ask", question }).then(settled, settled);
      },
    });
    this.element = el(
      "div",
      { class: "stage language-problems", role: "group", "aria-label": "Problems that it never practised" },
      this.#frame,
      el(
        "div",
        { class: "language-desk" },
        el(
          "p",
          { class: "language-line" },
          "Problems that it never practised",
          el("span", {}, this.#solvedText, this.#solvedOf),
        ),
        el("p", { class: "language-problem mono" }, this.#question, this.#given),
        this.#verdict,
        this.#announcement,
        form,
        el("p", { class: "language-answer", role: "status" }, this.#visitorProblem, this.#visitorVerdict),
      ),
    );
  }

  destroy(): void {
    this.#canvas.destroy();
  }

  reset(): void {
    this.#rightness = new Float32Array();
    this.#chosen = null;
    this.#box.value = "";
    this.#refusal = "";
  }

  /**
   * Takes the reason why the lab has refused a question; undefined if none waits, so that it is about something else.
   * Questions are answered in their order: while several wait, it is about one that another has replaced.
   */
  get refused(): ((text: string) => void) | undefined {
    const waiting = this.#waiting;
    if (waiting === 0) return undefined;
    return (text) => {
      if (waiting === 1) this.#refusal = text;
    };
  }

  #point(event: PointerEvent): void {
    const grid = this.#grid;
    if (!grid) return;
    const box = this.#canvas.element.getBoundingClientRect();
    const cellAt = (pixels: number) =>
      Math.max(0, Math.min(grid.side - 1, Math.floor((pixels / box.width) * grid.side)));
    const [column, row] = [cellAt(event.clientX - box.left), cellAt(event.clientY - box.top)];
    this.#choose(row * grid.side + column);
  }

  #handleKey(event: KeyboardEvent): void {
    const arrow = ARROW_STEPS[event.key];
    const grid = this.#grid;
    if (!arrow || !grid || hasModifier(event)) return;
    event.preventDefault();
    const current = this.#chosen ?? this.#showing;
    const clamp = (n: number) => Math.max(0, Math.min(grid.side - 1, n));
    const column = clamp((current % grid.side) + arrow[0]);
    const row = clamp(Math.floor(current / grid.side) + arrow[1]);
    const index = row * grid.side + column;
    this.#choose(index);
    const problem = grid.problems[index];
    if (problem) write(this.#announcement, `${problem.question}${problem.given}`);
  }

  #choose(index: number): void {
    if (this.#grid && index < this.#grid.problems.length) this.#chosen = index;
  }

  draw(grid: LanguageGrid, seconds: number): void {
    this.#grid = grid;
    this.element.classList.toggle("chosen", this.#chosen !== null);
    const { problems, own } = grid; // `own` is the visitor's question, if one was asked
    this.#showNext(grid, seconds);
    this.#drawCells(grid, seconds);
    const [solved, of] = solvedWords(grid);
    write(this.#solvedText, solved);
    write(this.#solvedOf, of);
    const shown = Math.min(this.#chosen ?? this.#showing, problems.length - 1);
    const problem = problems[shown];
    this.#box.placeholder = problems[0]?.question ?? "";
    if (!problem) return;
    const state = grid.right[shown] ?? UNANSWERED;
    write(this.#question, withoutLineBreaks(problem.question));
    write(this.#given, state === UNANSWERED ? "…" : withoutLineBreaks(problem.given));
    this.#given.classList.toggle("wrong", state !== RIGHT && state !== UNANSWERED);
    write(this.#verdict, verdict(problem, state));
    this.#drawOwn(this.#refusal === "" ? own : null);
  }

  /** Shows the visitor's question with its answer, or why it was refused. */
  #drawOwn(own: LanguageProblem | null): void {
    write(this.#visitorProblem, own ? `${withoutLineBreaks(own.question)}${withoutLineBreaks(own.given)}` : "");
    this.#visitorProblem.classList.toggle("wrong", own !== null && own.given !== own.answer);
    write(this.#visitorVerdict, own ? verdict(own, own.given === own.answer ? RIGHT : WRONG) : this.#refusal);
  }

  /** Shows the problems one after the other while none is chosen. */
  #showNext({ problems }: LanguageGrid, seconds: number): void {
    if (this.#chosen !== null || reducedMotion()) return;
    this.#untilNext -= seconds;
    if (this.#untilNext > 0) return;
    this.#untilNext = SHOWN_SECONDS;
    this.#showing = (this.#showing + STRIDE) % Math.max(1, problems.length);
  }

  #drawCells({ side, right }: LanguageGrid, seconds: number): void {
    if (this.#canvas.width === 0) return;
    this.#colours ??= { wrong: rgb("--worse"), right: rgb("--learn"), unanswered: rgb("--line"), ink: colour("--ink") };
    const cells = side * side;
    if (this.#rightness.length !== cells) {
      this.#rightness = Float32Array.from({ length: cells }, (_, i) => (right[i] === RIGHT ? 1 : 0));
      this.#answeredness = Float32Array.from({ length: cells }, (_, i) => (right[i] === UNANSWERED ? 0 : 1));
    }
    const { width, scale, element } = this.#canvas;
    this.#canvas.setSize(width, width);
    const size = element.width;
    const context = this.#canvas.clear();
    // Cells have their edges on whole bitmap pixels, so the drawing below is in bitmap pixels.
    context.setTransform(1, 0, 0, 1, 0, 0);
    const pitch = size / side;
    const gap = pitch > MIN_PITCH_WITH_GAP ? Math.max(1, Math.round(pitch * CELL_GAP)) : 0;
    const edge = (index: number) => Math.round(index * pitch);
    const rate = reducedMotion() ? 1 : 1 - Math.exp(-seconds / SETTLE_SECONDS);
    const { wrong, right: rightColour, unanswered } = this.#colours;
    for (let i = 0; i < cells; i++) {
      const state = right[i] ?? UNANSWERED;
      // The values from before this step: with reduced motion the colour changes with the next drawing.
      const rightness = approach(this.#rightness, i, state === RIGHT ? 1 : 0, rate);
      const answeredness = approach(this.#answeredness, i, state === UNANSWERED ? 0 : 1, rate);
      const fill = mix(unanswered, mix(wrong, rightColour, rightness), answeredness);
      context.globalAlpha = 1 - (1 - WRONG_OPACITY) * answeredness * (1 - rightness);
      context.fillStyle = css(fill.map(Math.round) as Rgb);
      const [column, row] = [i % side, Math.floor(i / side)];
      const [x, y] = [edge(column), edge(row)];
      context.fillRect(x, y, edge(column + 1) - x - gap, edge(row + 1) - y - gap);
    }
    context.globalAlpha = 1;
    const marked = this.#chosen ?? this.#showing;
    context.strokeStyle = this.#colours.ink;
    context.lineWidth = 1.5 * scale;
    const [x, y] = [(marked % side) * pitch, Math.floor(marked / side) * pitch];
    context.strokeRect(Math.max(1, x - gap / 2), Math.max(1, y - gap / 2), pitch - 1, pitch - 1);
  }

  /** Lets all cells turn from wrong to right once more. */
  celebrate(): void {
    this.#rightness.fill(0);
  }
}

/** Moves a value of an array towards its target by a fraction of the way. Returns the value from before. */
function approach(values: Float32Array, i: number, target: number, rate: number): number {
  const value = values[i] as number;
  values[i] = value + (target - value) * rate;
  return value;
}

/** The colour at a fraction of the way between two colours. */
function mix(from: Rgb, to: Rgb, fraction: number): Rgb {
  return from.map((channel, i) => channel * (1 - fraction) + (to[i] as number) * fraction) as Rgb;
}

/** A colour of the theme as three channels. */
function rgb(name: string): Rgb {
  return ramp([colour(name), colour(name)], 2)[0] as Rgb; // a ramp between equal stops parses the colour
}

/** A question or an answer, which ends with a line break in the task's notation. */
function withoutLineBreaks(text: string): string {
  return text.replaceAll("\n", "");
}

/** A sentence about the network's answer. */
function verdict({ answer, given }: LanguageProblem, state: number): string {
  if (state === UNANSWERED) return "Not answered yet.";
  return state === RIGHT
    ? "Correct."
    : `The correct answer is ${withoutLineBreaks(answer)}${given === "" ? "; it gave none" : ""}.`;
}

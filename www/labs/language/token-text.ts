// Shows a text in its pieces (the tokens that the network reads and writes). Each piece is tinted, and one can be
// chosen by pointer or by keys. Elements are reused while their pieces stay the same, so that a growing text costs
// little.

import { el, hasModifier, listen } from "../../core/dom";

export interface Piece {
  text: string;
  /** Strength of the tint, from 0 to 1. */
  tint: number;
  /** True for a piece of the prompt, which the network has not written. */
  given?: boolean;
}

/** Tints are rounded to this many levels above none, for which CSS has the classes tint-0 to tint-8. */
const TINT_LEVELS = 8;

/** Stands for all characters outside of the vocabulary. */
export const UNKNOWN = "\uFFFD";

/** How many pieces the arrow keys move the choice. */
const KEY_STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -10, ArrowDown: 10 };

export class TokenText {
  readonly element: HTMLElement;
  #spans: HTMLElement[] = [];
  /** What each element shows, to be compared with its new piece. */
  #rendered: string[] = [];
  /** The number of pieces. */
  #count = 0;
  /** The index of the chosen piece, or -1. */
  #chosen = -1;

  constructor(
    label: string,
    /** Called when a visitor chooses a piece. */
    readonly choose: (index: number, byKey: boolean) => void,
    /** The tooltip of a piece. */
    tooltip: (index: number) => string,
  ) {
    this.element = el("div", { class: "language-text", role: "group", "aria-label": label, tabindex: 0 });
    listen(this.element, {
      click: ({ target }) => {
        const index = this.#spans.indexOf(target as HTMLElement);
        if (index >= 0) choose(index, false);
      },
      pointerover: ({ target }) => {
        const index = this.#spans.indexOf(target as HTMLElement);
        if (index >= 0) (target as HTMLElement).title = tooltip(index);
      },
      keydown: (event) => this.#handleKey(event),
    });
  }

  #handleKey(event: KeyboardEvent): void {
    if (hasModifier(event) || this.#count === 0) return;
    const step = KEY_STEPS[event.key];
    const ends: Record<string, number> = { Home: 0, End: this.#count - 1 };
    const current = this.#chosen < 0 ? this.#count - 1 : this.#chosen;
    const next = step === undefined ? ends[event.key] : current + step;
    if (next === undefined) return;
    event.preventDefault();
    this.choose(Math.max(0, Math.min(this.#count - 1, next)), true);
  }

  /** Shows the pieces; `chosen` is the index of the chosen one, or -1. */
  draw(pieces: Piece[], chosen = -1): void {
    const hasGrown = pieces.length > this.#count;
    this.#count = pieces.length;
    for (const [i, piece] of pieces.entries()) {
      const level = Math.round(Math.max(0, Math.min(1, piece.tint)) * TINT_LEVELS);
      const span = this.#span(i);
      // Everything that determines the element's appearance, to be compared with the last drawing.
      const rendered = `${level}${piece.given ? "g" : ""}${i === chosen ? "c" : ""} ${piece.text}`;
      if (this.#rendered[i] === rendered) continue;
      this.#rendered[i] = rendered;
      if (span.textContent !== piece.text) span.textContent = piece.text;
      span.className = `piece tint-${level}${piece.given ? " given" : ""}${i === chosen ? " chosen" : ""}`;
    }
    for (const span of this.#spans.splice(pieces.length)) span.remove();
    this.#rendered.length = pieces.length;
    // The view follows the chosen piece, or the end of a growing text.
    if (chosen < 0 ? hasGrown : chosen !== this.#chosen)
      this.#scrollTo(this.#spans[chosen < 0 ? pieces.length - 1 : chosen]);
    this.#chosen = chosen;
  }

  /** Scrolls the text, but not the page, to a piece. */
  #scrollTo(span: HTMLElement | undefined): void {
    if (!span) return;
    const { scrollTop, clientHeight } = this.element;
    const [top, bottom] = [span.offsetTop, span.offsetTop + span.offsetHeight];
    if (bottom > scrollTop + clientHeight) this.element.scrollTop = bottom - clientHeight;
    else if (top < scrollTop) this.element.scrollTop = top;
  }

  /** The element of a piece; creates it if it is new. */
  #span(i: number): HTMLElement {
    const existing = this.#spans[i];
    if (existing) return existing;
    const span = el("span", { class: "piece" });
    this.#spans[i] = span;
    this.element.append(span);
    return span;
  }
}

/** A piece on its own, with symbols for blanks, line breaks and tabs. */
export function visibleName(piece: string): string {
  if (piece === UNKNOWN) return "other";
  return piece.replaceAll(" ", "␣").replaceAll("\n", "↵").replaceAll("\t", "⇥") || "∅";
}

/** A piece within its text, with a symbol for a line break, so that it can be pointed at. */
export function visibleInText(piece: string): string {
  return piece.replaceAll("\n", "↵\n");
}

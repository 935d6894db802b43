// The board for keys and screen readers: a list of the bar, the 24 points and the place of the checkers borne off, over
// the picture. It is one stop of the Tab key, and arrow keys lead from place to place as they lie in the picture.
// Clicks pass through it. Places are numbered as south, the visitor's side, sees them.

import { ARROW_STEPS, hasModifier, listen, svg } from "../../core/dom";
import type { Board } from "./board";
import { neighbourIn, type BoardLayout } from "./board-layout";
import { BAR, OFF, PLACE_COUNT } from "./position";

/** The places as they lie on the board in landscape: the upper row and the lower one, from left to right. */
const ROWS = [
  [13, 14, 15, 16, 17, 18, BAR, 19, 20, 21, 22, 23, 24, OFF],
  [12, 11, 10, 9, 8, 7, BAR, 6, 5, 4, 3, 2, 1, OFF],
];
/** The place that the Tab key leads to at first. */
const FIRST_PLACE = 24;
const LABEL = "The board. Arrow keys go to a point, Enter picks a checker up and puts it down, Escape puts it back";

/** What can be done on a place. */
export interface PlaceState {
  /** What lies there, in words. */
  content: string;
  /** What can be done there, in words; empty for nothing. */
  use: string;
  isPicked: boolean;
}

export class PlaceList {
  readonly #board: Board;
  /** The items, by place. */
  #items: SVGRectElement[];
  /** The row of the point that had the focus last: the bar and the place at the end belong to both rows. */
  #row = 0;
  #layout: BoardLayout | null = null;

  /** `press` is called when Enter or Space is pressed on a place. */
  constructor(board: Board, press: (place: number) => void) {
    this.#board = board;
    const { element } = board;
    // The list says what the picture shows.
    for (const layer of element.children) layer.setAttribute("aria-hidden", "true");
    element.setAttribute("role", "listbox");
    element.setAttribute("aria-label", LABEL);
    this.#items = Array.from({ length: PLACE_COUNT }, (_, place) => {
      const item = svg("rect", { class: "board-place", role: "option", rx: 6 });
      listen(item, {
        focus: () => this.#focused(place),
        // Pointers pass through, so a click comes from a screen reader.
        click: () => press(place),
        keydown: (event) => this.#onKeyDown(event, place, press),
      });
      return item;
    });
    // In the direction in which south plays.
    element.append(...this.#items.toReversed());
    this.#moveStop(FIRST_PLACE);
  }

  /** The place that has the focus; null if none has. */
  get focused(): number | null {
    const place = this.#items.indexOf(document.activeElement as SVGRectElement);
    return place < 0 ? null : place;
  }

  focus(place: number): void {
    this.#items[place]?.focus();
  }

  /** Lets the Tab key lead to a place, unless the focus is in the list already. */
  suggest(place: number): void {
    if (this.focused === null) this.#moveStop(place);
  }

  draw(stateOf: (place: number) => PlaceState): void {
    const { layout } = this.#board;
    this.#items.forEach((item, place) => {
      if (layout !== this.#layout)
        for (const [name, value] of Object.entries(layout.rect(layout.place(place))))
          item.setAttribute(name, `${value}`);
      const { content, use, isPicked } = stateOf(place);
      item.setAttribute("aria-label", use === "" ? content : `${content}, ${use}`);
      item.setAttribute("aria-selected", String(isPicked));
      item.setAttribute("aria-disabled", String(use === ""));
    });
    this.#layout = layout;
  }

  #focused(place: number): void {
    if (place !== BAR && place !== OFF) this.#row = ROWS.findIndex((row) => row.includes(place));
    this.#moveStop(place);
  }

  /** Makes a place the one that the Tab key leads to. */
  #moveStop(place: number): void {
    this.#items.forEach((item, each) => item.setAttribute("tabindex", each === place ? "0" : "-1"));
  }

  #onKeyDown(event: KeyboardEvent, place: number, press: (place: number) => void): void {
    if (hasModifier(event)) return;
    const step = ARROW_STEPS[event.key];
    if (step) this.focus(neighbourIn(ROWS, place, step, this.#board.layout.rotated, this.#row));
    else if (event.key !== "Enter" && event.key !== " ") return;
    else if (!event.repeat) press(place);
    event.preventDefault();
    event.stopPropagation(); // Space also runs and pauses
  }
}

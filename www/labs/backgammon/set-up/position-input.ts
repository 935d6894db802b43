// The board on which a position is set up: clicks and keys choose places, and a line for screen readers says what lies
// on the place that the keys have chosen.

import { ARROW_STEPS, el, hasModifier, listen, write } from "../../../core/dom";
import { Board } from "../board";
import { BAR, NORTH, OFF, opponent, SOUTH } from "../position";
import { barOf, contentOf, describePlace, inNumbersOf, neighbour, NORTH_BAR } from "./places";
import type { SetUp } from "./xgid";

export interface PlaceActions {
  /** Adds a checker of the chosen kind to the place, or removes one, if that is chosen. */
  press: (place: number) => void;
  remove: (place: number) => void;
}

/** Where the cursor of the keyboard begins. */
const FIRST_PLACE = 13;
const LABEL = "The board. Arrow keys choose a place, Enter adds a checker of the chosen kind, Delete removes one.";

export class PositionInput {
  readonly element: HTMLElement;
  #board = new Board(() => this.#draw());
  /** The place chosen by keys. */
  #cursor: number | null = null;
  #cursorText = el("p", { class: "unseen", "aria-live": "assertive" });
  #actions: PlaceActions;
  #shown: SetUp;

  constructor(shown: SetUp, actions: PlaceActions) {
    this.#shown = shown;
    this.#actions = actions;
    const { element } = this.#board;
    element.setAttribute("role", "application");
    element.setAttribute("aria-label", LABEL);
    element.setAttribute("tabindex", "0");
    element.classList.add("playing");
    listen(element, {
      click: (event) => this.#click(event),
      keydown: (event) => this.#onKeyDown(event),
      blur: () => this.#setCursor(null),
    });
    this.element = el("div", { class: "set-up-board" }, element, this.#cursorText);
    this.#board.checkers.set(shown.position, false);
    this.#draw();
  }

  destroy(): void {
    this.#board.destroy();
  }

  show(shown: SetUp): void {
    this.#shown = shown;
    this.#board.checkers.set(shown.position, true);
    this.#draw();
  }

  #draw(): void {
    const { position, side, dice } = this.#shown;
    const { layout } = this.#board;
    this.#board.dice.show(layout, side, dice ?? [0, 0]);
    const cursor = this.#cursor;
    if (cursor === null) this.#board.mark(SOUTH, [], null, [], null);
    else {
      const whose = contentOf(position, cursor)?.side ?? (cursor === NORTH_BAR ? NORTH : SOUTH);
      this.#board.mark(whose, [], null, [], inNumbersOf(whose, cursor));
    }
    write(this.#cursorText, cursor === null ? "" : describePlace(position, cursor));
  }

  #setCursor(place: number | null): void {
    this.#cursor = place;
    this.#draw();
  }

  #click(event: MouseEvent): void {
    const { layout } = this.#board;
    const point = this.#board.pointAt(event);
    const place = layout.placeAt(point, SOUTH);
    this.#setCursor(null);
    if (place === null || place === OFF) return;
    if (place !== BAR) return this.#actions.press(place);
    // South's checkers on the bar lie in the upper half, which is on the right of the rotated board.
    const centre = layout.centre();
    const side = (layout.rotated ? point.x > centre.x : point.y < centre.y) ? SOUTH : NORTH;
    const isEmpty = contentOf(this.#shown.position, barOf(side)) === null;
    this.#actions.press(barOf(isEmpty ? opponent(side) : side));
  }

  #onKeyDown(event: KeyboardEvent): void {
    const { key } = event;
    if (hasModifier(event)) return;
    const step = ARROW_STEPS[key];
    const place = this.#cursor ?? FIRST_PLACE;
    if (step) this.#setCursor(this.#cursor === null ? place : neighbour(place, step, this.#board.layout.rotated));
    else if (key === "Enter" || key === "Delete" || key === "Backspace") {
      this.#setCursor(place);
      if (key === "Enter") this.#actions.press(place);
      else this.#actions.remove(place);
    } else return;
    event.preventDefault();
  }
}

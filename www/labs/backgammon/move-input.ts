// Input of the visitor's turn on the board: checkers are dragged, or picked and placed by clicks or keys. The class
// `Turn` knows which moves are legal. Places are numbered as south, the visitor's side, sees them: 25 is the bar, 24 to
// 1 are the points, 0 is off the board.

import { dialogIsOpen, hasModifier, isLaidOut, listen, takesKeys } from "../../core/dom";
import type { Board } from "./board";
import type { BoardPoint } from "./board-layout";
import { BAR, OFF, SOUTH } from "./position";
import type { Turn } from "./turn";

/** A press that moves farther than this, in units of the drawing, is a drag. */
const MIN_DRAG_DISTANCE = 6;
const VISITOR = SOUTH;

export interface MoveInputActions {
  /** Moves were made, or the keyboard's cursor moved. */
  changed(): void;
  /** Play the turn as it is. */
  finish(): void;
  /** Undo a move, or the turn before if no move was made. */
  undo(): void;
  /** Change which die is offered first. */
  swapDice(): void;
}

export class MoveInput {
  /** The turn to be played, or null if it is not the visitor's turn. */
  #turn: Turn | null = null;
  /** The place whose checker was picked, by a click or a key. */
  #picked: number | null = null;
  /** The keyboard's cursor: the place chosen with the arrow keys. */
  #cursor: number | null = null;
  /** True after an arrow key: Enter then plays on the board, even if a button still has the focus. */
  #usingKeys = false;
  /** The checker being pressed: its place, where the press began, and whether the checker had been picked before. */
  #press: { place: number; start: BoardPoint; dragging: boolean; pickedBefore: boolean } | null = null;

  constructor(
    readonly board: Board,
    readonly actions: MoveInputActions,
  ) {
    const { element } = board;
    listen(element, {
      pointerdown: (event) => this.#down(event),
      pointermove: (event) => this.#move(event),
      click: (event) => this.#click(event),
    });
    listen(element, { pointerup: (event) => this.#up(event, false), pointercancel: (event) => this.#up(event, true) });
    // A finger on a checker drags it; elsewhere on the board it scrolls the page.
    const preventScroll = (event: TouchEvent) => this.#press && event.preventDefault();
    element.addEventListener("touchstart", preventScroll, { passive: false });
    addEventListener("keydown", this.#onKeyDown);
  }

  destroy(): void {
    removeEventListener("keydown", this.#onKeyDown);
  }

  /** Sets the turn to be played, or null if it is not the visitor's turn. */
  setTurn(turn: Turn | null): void {
    if (this.#press?.dragging) this.board.checkers.drop();
    this.#turn = turn;
    this.#picked = this.#cursor = this.#press = null;
    this.show();
  }

  /** The place chosen by keys, in words for a screen reader. */
  get description(): string {
    const turn = this.#turn;
    if (!turn || (this.#cursor === null && this.#picked === null)) return "";
    if (this.#picked === null) return `${placeName(this.#cursor as number)}; Enter picks the checker`;
    const target = this.#cursor === null ? "" : `, to ${placeName(this.#cursor)}`;
    return `from ${placeName(this.#picked)}${target}; Enter moves`;
  }

  /** Marks the legal moves on the board. */
  show(): void {
    const turn = this.#turn;
    this.board.element.classList.toggle("playing", turn !== null && !turn.done);
    this.board.element.classList.toggle("turn-done", turn?.done ?? false);
    if (!turn) this.board.mark(VISITOR, [], null, [], null);
    else {
      const targets = this.#picked === null ? [] : [...turn.targets(this.#picked).keys()];
      this.board.mark(VISITOR, turn.sources(), this.#picked, targets, this.#cursor);
    }
  }

  #down(event: PointerEvent): void {
    const turn = this.#turn;
    if (!turn || event.button !== 0 || isOnDie(event)) return;
    const point = this.board.pointAt(event);
    const place = this.board.layout.placeAt(point, VISITOR);
    this.#cursor = null;
    this.#usingKeys = false;
    if (place === null) return;
    // A press on a target moves the picked checker there.
    if (this.#picked !== null && place !== this.#picked && this.#play(place)) return;
    if (turn.sources().includes(place)) {
      event.preventDefault();
      this.board.element.setPointerCapture(event.pointerId);
      this.#press = { place, start: point, dragging: false, pickedBefore: this.#picked === place };
      this.#picked = place;
    } else this.#picked = null;
    this.show();
  }

  #move(event: PointerEvent): void {
    const press = this.#press;
    if (!press) return;
    const point = this.board.pointAt(event);
    press.dragging ||= Math.hypot(point.x - press.start.x, point.y - press.start.y) > MIN_DRAG_DISTANCE;
    if (press.dragging) this.board.checkers.drag(VISITOR, press.place, point);
  }

  /**
   * A press on the dice finishes a turn that is done, and swaps the dice before. Only a click counts, because a finger
   * may also begin to scroll there.
   */
  #click(event: MouseEvent): void {
    if (!this.#turn || !isOnDie(event)) return;
    if (this.#turn.done) this.actions.finish();
    else this.actions.swapDice();
  }

  /** Ends a press or a drag. A `cancelled` drag plays nothing. */
  #up(event: PointerEvent, cancelled: boolean): void {
    const press = this.#press;
    this.#press = null;
    if (!press) return;
    if (press.dragging) {
      const place = this.board.layout.placeAt(this.board.pointAt(event), VISITOR);
      const played = !cancelled && place !== null && place !== press.place && this.#play(place);
      this.board.checkers.drop();
      if (!played) this.#picked = null;
    } else if (press.pickedBefore) {
      // A second click on a checker plays its first target, which uses the die that is offered first.
      const first = this.#turn?.targets(press.place).keys().next().value;
      if (first !== undefined) this.#play(first);
    }
    this.show();
  }

  /** Moves the picked checker to a place, with one or several dice. Returns false if that is not legal. */
  #play(place: number): boolean {
    const turn = this.#turn;
    const path = this.#picked === null ? undefined : turn?.targets(this.#picked).get(place);
    if (!turn || !path) return false;
    turn.play(path);
    this.#picked = this.#cursor = null;
    this.board.checkers.play(path, VISITOR);
    this.actions.changed();
    this.show();
    return true;
  }

  #onKeyDown = (event: KeyboardEvent): void => {
    const turn = this.#turn;
    const { key, target } = event;
    if (takesKeys(target) || hasModifier(event) || dialogIsOpen() || !isLaidOut(this.board.element)) return;
    if (key === "Tab") this.#usingKeys = false;
    if (key === "Backspace") {
      event.preventDefault();
      this.actions.undo();
      return;
    }
    if (!turn) return;
    const enterPressesButton = target instanceof Element && target.matches("button, a, summary") && !this.#usingKeys;
    if (key === "Escape" && this.#picked !== null) {
      this.#cursor = this.#picked;
      this.#picked = null;
    } else if (key === "ArrowLeft" || key === "ArrowRight") this.#moveCursor(turn, key === "ArrowRight" ? 1 : -1);
    else if (key === "Enter" && !enterPressesButton) this.#enter(turn);
    else return;
    event.preventDefault();
    this.show();
    this.actions.changed();
  };

  /** Moves the cursor to the next (1) or previous (-1) checker that can move, or to a target if a checker is picked. */
  #moveCursor(turn: Turn, direction: 1 | -1): void {
    const places = this.#picked === null ? turn.sources() : [...turn.targets(this.#picked).keys()];
    if (places.length === 0) return;
    this.#usingKeys = true;
    const index = this.#cursor === null ? -1 : places.indexOf(this.#cursor);
    const start = direction > 0 ? 0 : places.length - 1;
    const next = index < 0 ? start : (index + direction + places.length) % places.length;
    this.#cursor = places[next] as number;
  }

  /** What Enter does next: play the turn, choose a place, pick its checker, or move it. */
  #enter(turn: Turn): void {
    if (turn.done) this.actions.finish();
    else if (this.#cursor === null) this.#moveCursor(turn, 1);
    else if (this.#picked === null) {
      this.#picked = this.#cursor;
      this.#cursor = null;
      this.#moveCursor(turn, 1);
    } else if (!this.#play(this.#cursor)) this.#picked = null;
  }
}

/** Whether an event happens on one of the dice. */
function isOnDie({ target }: Event): boolean {
  return target instanceof Element && target.closest(".die") !== null;
}

function placeName(place: number): string {
  return place === BAR ? "the bar" : place === OFF ? "off" : `point ${place}`;
}

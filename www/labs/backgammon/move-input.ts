// Input of a visitor's turn: checkers are dragged, or picked and placed by clicks or keys. The `Turn` knows which steps
// are legal.

import { dialogIsOpen, hasModifier, listen, takesKeys } from "../../core/dom";
import type { Board } from "./board";
import type { BoardPoint } from "./board-layout";
import type { Turn } from "./turn";

/** A press that moves farther than this, in board units, is a drag. */
const DRAG = 6;
const VISITOR = 0;

export interface MoveInputActions {
  changed(): void;
  /** The turn is to be played as it is. */
  finish(): void;
  /** Take back a step, or else the turn before. */
  undo(): void;
}

export class MoveInput {
  #turn: Turn | null = null;
  #picked: number | null = null;
  #cursor: number | null = null;
  /** True while keys are used: then a button clicked before does not get Enter. */
  #keyed = false;
  #press: { place: number; from: BoardPoint; dragging: boolean; again: boolean } | null = null;

  constructor(
    readonly board: Board,
    readonly actions: MoveInputActions,
  ) {
    const { element } = board;
    listen(element, {
      pointerdown: (event) => this.#down(event),
      pointermove: (event) => this.#move(event),
    });
    listen(element, { pointerup: (event) => this.#up(event, true), pointercancel: (event) => this.#up(event, false) });
    // A finger on a checker drags it; elsewhere on the board it scrolls the page.
    const grab = (event: TouchEvent) => this.#press && event.preventDefault();
    element.addEventListener("touchstart", grab, { passive: false });
    addEventListener("keydown", this.#key);
  }

  destroy(): void {
    removeEventListener("keydown", this.#key);
  }

  /** The turn to be played, or null if it is not the visitor's. */
  setTurn(turn: Turn | null): void {
    this.#turn = turn;
    this.#picked = this.#cursor = this.#press = null;
    this.show();
  }

  /** The place chosen by keys, in words for those who do not see the board. */
  get description(): string {
    const turn = this.#turn;
    if (!turn || (this.#cursor === null && this.#picked === null)) return "";
    if (this.#picked === null) return `${placeName(this.#cursor as number)}; Enter picks`;
    const at = this.#cursor === null ? "" : `, to ${placeName(this.#cursor)}`;
    return `from ${placeName(this.#picked)}${at}; Enter plays`;
  }

  show(): void {
    const turn = this.#turn;
    this.board.element.classList.toggle("playing", turn !== null && !turn.done);
    if (!turn) this.board.mark(VISITOR, [], null, [], null);
    else {
      const targets = this.#picked === null ? [] : [...turn.targets(this.#picked).keys()];
      this.board.mark(VISITOR, turn.sources(), this.#picked, targets, this.#cursor);
    }
  }

  #down(event: PointerEvent): void {
    const turn = this.#turn;
    if (!turn || event.button !== 0) return;
    const point = this.board.pointAt(event);
    const place = this.board.layout.placeAt(point, VISITOR);
    this.#cursor = null;
    this.#keyed = false;
    if (place === null) return;
    if (this.#picked !== null && place !== this.#picked && this.#play(place)) return;
    if (turn.sources().includes(place)) {
      event.preventDefault();
      this.board.element.setPointerCapture(event.pointerId);
      this.#press = { place, from: point, dragging: false, again: this.#picked === place };
      this.#picked = place;
    } else this.#picked = null;
    this.show();
  }

  #move(event: PointerEvent): void {
    const press = this.#press;
    if (!press) return;
    const point = this.board.pointAt(event);
    press.dragging ||= Math.hypot(point.x - press.from.x, point.y - press.from.y) > DRAG;
    if (press.dragging) this.board.checkers.carry(VISITOR, press.place, point);
  }

  #up(event: PointerEvent, there: boolean): void {
    const press = this.#press;
    this.#press = null;
    if (!press) return;
    if (press.dragging) {
      const place = this.board.layout.placeAt(this.board.pointAt(event), VISITOR);
      const played = there && place !== null && place !== press.place && this.#play(place);
      this.board.checkers.drop();
      if (!played) this.#picked = null;
    } else if (press.again) {
      // A second click on a checker plays its first target, which uses the larger die.
      const first = this.#turn?.targets(press.place).keys().next().value;
      if (first !== undefined) this.#play(first);
    }
    this.show();
  }

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

  #key = (event: KeyboardEvent): void => {
    const turn = this.#turn;
    const { key, target } = event;
    if (takesKeys(target) || hasModifier(event)) return;
    if (key === "Tab") this.#keyed = false;
    if (key === "Backspace") {
      event.preventDefault();
      this.actions.undo();
      return;
    }
    if (!turn || dialogIsOpen()) return;
    const own = target instanceof Element && target.matches("button, a, summary") && !this.#keyed;
    if (key === "Escape" && this.#picked !== null) {
      this.#cursor = this.#picked;
      this.#picked = null;
    } else if (key === "ArrowLeft" || key === "ArrowRight") this.#step(turn, key === "ArrowRight" ? 1 : -1);
    else if (key === "Enter" && !own) this.#enter(turn);
    else return;
    event.preventDefault();
    this.show();
    this.actions.changed();
  };

  /** To the next place from which or to which one can move. */
  #step(turn: Turn, direction: number): void {
    const places = this.#picked === null ? turn.sources() : [...turn.targets(this.#picked).keys()];
    if (places.length === 0) return;
    this.#keyed = true;
    const at = this.#cursor === null ? -1 : places.indexOf(this.#cursor);
    const next = at < 0 ? (direction > 0 ? 0 : places.length - 1) : (at + direction + places.length) % places.length;
    this.#cursor = places[next] as number;
  }

  #enter(turn: Turn): void {
    if (turn.done) this.actions.finish();
    else if (this.#cursor === null) this.#step(turn, 1);
    else if (this.#picked === null) {
      this.#picked = this.#cursor;
      this.#cursor = null;
      this.#step(turn, 1);
    } else if (!this.#play(this.#cursor)) this.#picked = null;
  }
}

function placeName(place: number): string {
  return place === 25 ? "the bar" : place === 0 ? "off" : `point ${place}`;
}

// Input of the visitor's turn on the board: checkers are dragged, or picked and placed by clicks or by keys on the list
// of places. The class `Turn` knows which moves are legal. Places are numbered as south, the visitor's side, sees them:
// 25 is the bar, 24 to 1 are the points, 0 is off the board.

import { dialogIsOpen, hasModifier, isLaidOut, listen, takesKeys } from "../../core/dom";
import type { Board } from "./board";
import type { BoardPoint } from "./board-layout";
import { PlaceList, type PlaceState } from "./place-list";
import { describeMoved, describePlace, placeName } from "./place-words";
import { SOUTH } from "./position";
import type { Turn } from "./turn";
import type { BackgammonPlayers } from "../../generated/protocol";

/** A press that moves farther than this, in units of the drawing, is a drag. */
const MIN_DRAG_DISTANCE = 6;
const VISITOR = SOUTH;

export interface MoveInputActions {
  /** A checker was moved, picked up or put back. */
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
  /** Who plays, for the words in which places are described (“your”, “the agent's”). */
  players: BackgammonPlayers = "watch";
  /** What the visitor has just done, for screen readers. */
  said = "";
  #places: PlaceList;
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
    this.#places = new PlaceList(board, (place) => this.#pressKey(place));
    this.show();
  }

  destroy(): void {
    removeEventListener("keydown", this.#onKeyDown);
  }

  /** Sets the turn to be played, or null if it is not the visitor's turn. */
  setTurn(turn: Turn | null): void {
    if (this.#press?.dragging) this.board.checkers.drop();
    this.#turn = turn;
    this.#picked = this.#press = null;
    this.said = "";
    this.show();
    const [first] = this.#sources;
    if (first !== undefined) this.#places.suggest(first);
  }

  /** The places from which a checker can move. */
  get #sources(): number[] {
    return this.#turn?.sources() ?? [];
  }

  /** The places to which the picked checker can move. */
  get #targets(): number[] {
    return this.#picked === null ? [] : [...(this.#turn?.targets(this.#picked).keys() ?? [])];
  }

  /** Marks the legal moves on the board, and describes its places. */
  show(): void {
    const turn = this.#turn;
    this.board.element.classList.toggle("playing", turn !== null && !turn.done);
    this.board.element.classList.toggle("turn-done", turn?.done ?? false);
    const [sources, targets] = [this.#sources, this.#targets];
    const cursor = null; // the focus is in the list of places
    this.board.mark(VISITOR, sources, this.#picked, targets, cursor);
    this.#places.draw((place): PlaceState => {
      const content = describePlace(this.players, this.board.checkers.position, place);
      if (place === this.#picked) return { content, use: "picked up", isPicked: true };
      const use = targets.includes(place) ? "possible target" : sources.includes(place) ? "can move" : "";
      return { content, use, isPicked: false };
    });
  }

  #down(event: PointerEvent): void {
    const turn = this.#turn;
    if (!turn || event.button !== 0 || isOnDie(event)) return;
    const point = this.board.pointAt(event);
    const place = this.board.layout.placeAt(point, VISITOR);
    if (place === null) return;
    const pickedBefore = this.#picked === place;
    if (!this.#moveOrPick(place)) return;
    event.preventDefault();
    this.board.element.setPointerCapture(event.pointerId);
    this.#press = { place, start: point, dragging: false, pickedBefore };
  }

  #move(event: PointerEvent): void {
    const press = this.#press;
    if (!press) return;
    const point = this.board.pointAt(event);
    press.dragging ||= Math.hypot(point.x - press.start.x, point.y - press.start.y) > MIN_DRAG_DISTANCE;
    if (press.dragging) this.board.checkers.drag(VISITOR, press.place, point);
  }

  /**
   * A press on the dice finishes a turn that is done, and swaps the dice of one that is not. Only a click counts, because a finger
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
      if (!played) this.#putBack();
    } else if (press.pickedBefore) {
      // A second click on a checker plays its first target, which uses the die that is offered first.
      const first = this.#turn?.targets(press.place).keys().next().value;
      if (first !== undefined) this.#play(first);
    }
    this.show();
  }

  /**
   * Moves the picked checker to a place. If that is not legal, picks up a checker there, or puts the picked one back.
   * Returns whether one was picked up.
   */
  #moveOrPick(place: number): boolean {
    if (this.#picked !== null && place !== this.#picked && this.#play(place)) return false;
    if (!this.#sources.includes(place)) {
      this.#putBack();
      return false;
    }
    this.#picked = place;
    this.said = `Picked up from ${placeName(place)}.`;
    this.show();
    this.actions.changed();
    return true;
  }

  /** Puts the picked checker, if there is one, back on its place. */
  #putBack(): void {
    if (this.#picked === null) return;
    this.said = `Put back on ${placeName(this.#picked)}.`;
    this.#picked = null;
    this.show();
    this.actions.changed();
  }

  /** Moves the picked checker to a place, with one or several dice. Returns false if that is not legal. */
  #play(place: number): boolean {
    const turn = this.#turn;
    const path = this.#picked === null ? undefined : turn?.targets(this.#picked).get(place);
    if (!turn || !path) return false;
    turn.play(path);
    this.#picked = null;
    this.said = describeMoved(path);
    this.board.checkers.play(path, VISITOR);
    this.actions.changed();
    this.show();
    return true;
  }

  /** Keys of the page. The list of places keeps arrows, Enter and Space for itself; Escape and Backspace come here. */
  #onKeyDown = (event: KeyboardEvent): void => {
    const { key, target } = event;
    if (takesKeys(target) || hasModifier(event) || dialogIsOpen() || !isLaidOut(this.board.element)) return;
    const pressesButton = target instanceof Element && target.matches("button, a, summary");
    if (key === "Backspace") this.actions.undo();
    else if (key === "Escape" && this.#picked !== null) this.#escape();
    else if (!this.#turn) return;
    else if (key === "Enter" && !pressesButton && this.#turn.done) this.actions.finish();
    else if ((key === "Enter" && !pressesButton) || key === "ArrowLeft" || key === "ArrowRight") this.#focusNext(null);
    else return;
    event.preventDefault();
  };

  /** Puts the picked checker back. Keys then go on from its place. */
  #escape(): void {
    const place = this.#picked;
    this.#putBack();
    if (place !== null && this.#places.focused !== null) this.#places.focus(place);
  }

  /**
   * Enter or Space on a place, or a screen reader's click: finishes a turn that is done, or moves, picks up or puts back a
   * checker. On a place that can do nothing the focus goes on to one that can.
   */
  #pressKey(place: number): void {
    const turn = this.#turn;
    if (!turn) return;
    if (turn.done) this.actions.finish();
    else if (place === this.#picked) this.#putBack();
    else if (!this.#sources.includes(place) && !this.#targets.includes(place)) this.#focusNext(place);
    else {
      this.#moveOrPick(place);
      this.#focusNext(null);
    }
  }

  /**
   * Moves the focus to a target if a checker is picked, otherwise to a source: to the first after `place` in the direction
   * of play (high numbers first), or else to the first of all.
   */
  #focusNext(place: number | null): void {
    const places = this.#picked === null ? this.#sources : this.#targets;
    const next = place === null ? undefined : places.find((each) => each < place);
    const to = next ?? places[0];
    if (to !== undefined) this.#places.focus(to);
  }
}

/** Whether an event happens on one of the dice. */
function isOnDie({ target }: Event): boolean {
  return target instanceof Element && target.closest(".die") !== null;
}

// The buttons of the game: the tempo of a watched game, or undo, finish, hint and new game in one's own.

import { button, el } from "../../core/dom";
import { Choices } from "../../ui/choices";

/** Seconds that a turn is shown. At 0 the game is paused. */
const TEMPOS: [string, number][] = [
  ["Hold", 0],
  ["Slow", 3.5],
  ["Normal", 1.6],
  ["Fast", 0.5],
];
export const NORMAL_TEMPO = 1.6;

export interface GameActions {
  tempo: (seconds: number) => void;
  next: () => void;
  undo: () => void;
  finish: () => void;
  hint: () => void;
  newGame: () => void;
}

/** Which of the buttons can be used now. */
export interface AvailableActions {
  watching: boolean;
  back: boolean;
  finish: boolean;
  hint: boolean;
  over: boolean;
}

export class GameControls {
  readonly element: HTMLElement;
  #tempos: Choices<number>;
  #watch: HTMLElement;
  #play: HTMLElement;
  #back: HTMLButtonElement;
  #finish: HTMLButtonElement;
  #hint: HTMLButtonElement;
  #newGame: HTMLButtonElement;

  constructor(actions: GameActions) {
    this.#tempos = new Choices({
      class: "segments",
      buttonClass: "button",
      label: "How fast the game is shown",
      choices: TEMPOS.map(([name, seconds]) => ({
        value: seconds,
        title: seconds === 0 ? "Hold the game" : `A turn every ${seconds} seconds`,
        content: [name],
      })),
      choose: actions.tempo,
    });
    const next = button("Next", actions.next, { title: "Play this turn now (N)" });
    this.#watch = el("div", { class: "button-group" }, this.#tempos.element, next);
    this.#back = button("Take back", actions.undo, { title: "Take back a step, or the turn before (Backspace)" });
    this.#finish = button("Done", actions.finish, { title: "Play the turn (Enter)", class: "primary" });
    this.#hint = button("Hint", actions.hint, { title: "Show what it would play (H)" });
    this.#newGame = button("New game", actions.newGame, { title: "Start a new game" });
    this.#play = el("div", { class: "button-group" }, this.#finish, this.#back, this.#hint, this.#newGame);
    this.element = el("div", { class: "game-controls" }, this.#watch, this.#play);
  }

  draw(available: AvailableActions, tempo: number): void {
    this.#watch.hidden = !available.watching;
    this.#play.hidden = available.watching;
    this.#back.disabled = !available.back;
    this.#finish.disabled = !available.finish;
    this.#hint.disabled = !available.hint;
    this.#newGame.classList.toggle("primary", available.over);
    this.#tempos.show(tempo);
  }
}

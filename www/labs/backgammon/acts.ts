// What can be done with the game: how fast one is watched; and in a game of one's own to take back, to finish a turn,
// to ask, to begin anew.

import { el } from "../../core/dom";

const TEMPOS: [string, number][] = [
  ["Hold", 0],
  ["Slow", 3.5],
  ["Normal", 1.6],
  ["Fast", 0.5],
];
export const NORMAL = 1.6;

export interface GameActs {
  tempo(seconds: number): void;
  next(): void;
  back(): void;
  finish(): void;
  hint(): void;
  anew(): void;
}

/** What can be done just now. */
export interface Can {
  watching: boolean;
  back: boolean;
  finish: boolean;
  hint: boolean;
  over: boolean;
}

export class ActBar {
  readonly element: HTMLElement;
  #tempos: HTMLButtonElement[];
  #watch: HTMLElement;
  #play: HTMLElement;
  #back: HTMLButtonElement;
  #finish: HTMLButtonElement;
  #hint: HTMLButtonElement;
  #anew: HTMLButtonElement;

  constructor(acts: GameActs) {
    const button = (text: string, title: string, act: () => void, name = "") => {
      const it = el("button", { type: "button", class: `act ${name}`, text, title });
      it.addEventListener("click", act);
      return it;
    };
    this.#tempos = TEMPOS.map(([name, seconds]) =>
      button(
        name,
        seconds === 0 ? "Hold the game" : `A turn in ${seconds} seconds`,
        () => acts.tempo(seconds),
        "tempo",
      ),
    );
    const next = button("Next", "Play this turn now (N)", acts.next);
    this.#watch = el(
      "div",
      { class: "act-group" },
      el("div", { class: "tempos", role: "group", "aria-label": "How fast the game is shown" }, ...this.#tempos),
      next,
    );
    this.#back = button("Take back", "Take back a step, or the turn before (Backspace)", acts.back);
    this.#finish = button("Done", "Play the turn (Enter)", acts.finish, "finish");
    this.#hint = button("Hint", "Show what it would play (H)", acts.hint);
    this.#anew = button("New game", "Begin a new game", acts.anew);
    this.#play = el("div", { class: "act-group" }, this.#finish, this.#back, this.#hint, this.#anew);
    this.element = el("div", { class: "acts" }, this.#watch, this.#play);
  }

  draw(can: Can, tempo: number): void {
    this.#watch.hidden = !can.watching;
    this.#play.hidden = can.watching;
    this.#back.disabled = !can.back;
    this.#finish.disabled = !can.finish;
    this.#hint.disabled = !can.hint;
    this.#anew.classList.toggle("finish", can.over);
    TEMPOS.forEach(([, seconds], i) => this.#tempos[i]?.setAttribute("aria-pressed", String(seconds === tempo)));
  }
}

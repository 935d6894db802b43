// The solution as a list of turns, and the buttons that make them: one turn, back one turn, or all at a pace.

import { button, el, write } from "../../../core/dom";
import { Choices } from "../../../ui/choices";
import { displayName } from "../space";
import type { Solution } from "./solution";

/** The pause between two turns in seconds, by its name. */
const PACES: [label: string, seconds: number][] = [
  ["Slow", 1],
  ["Normal", 0.35],
  ["Fast", 0],
];
const NORMAL_PAUSE_SECONDS = 0.35;

export class Player {
  readonly element: HTMLElement;
  #list = el("ol", { class: "cube3-turns num", "aria-label": "Turns of the solution" });
  #back = button("Back", () => this.back(), { title: "Take back the last turn (P)" });
  #play = button("Play", () => this.toggle(), { class: "cube3-play", title: "Make all turns of the solution (M)" });
  #next = button("Next", () => this.next(), { title: "Make the next turn (N)" });
  #paces = new Choices<number>({
    class: "segments",
    buttonClass: "button",
    label: "Pace of the turns",
    choices: PACES.map(([label, value]) => ({ value, content: [label] })),
    choose: (pause) => this.#setPause(pause),
  });
  #pause = NORMAL_PAUSE_SECONDS;
  #playing = false;
  /** Seconds since the last turn has ended. */
  #waited = 0;
  /** The turns that are listed. */
  #listed: readonly string[] = [];

  constructor(
    readonly solution: Solution,
    /** Makes a turn by its name. */
    readonly turn: (name: string) => void,
  ) {
    this.element = el(
      "div",
      { class: "cube3-player" },
      this.#list,
      el("div", { class: "cube3-player-buttons" }, this.#back, this.#play, this.#next),
      this.#paces.element,
    );
    this.#paces.show(this.#pause);
  }

  #setPause(pause: number): void {
    this.#pause = pause;
    this.#paces.show(pause);
  }

  /** Plays the solution, or pauses. */
  toggle(): void {
    this.#playing = !this.#playing && this.solution.next !== undefined;
    this.#waited = this.#pause; // the first turn is made at once
    this.draw();
  }

  pause(): void {
    this.#playing = false;
  }

  next(): void {
    this.#step(this.solution.next);
  }

  back(): void {
    this.#step(this.solution.back);
  }

  #step(turn: string | undefined): void {
    this.#playing = false;
    if (turn) this.turn(turn);
    this.draw();
  }

  /** Plays on after `seconds`. `busy` is true while a turn is shown. */
  advance(seconds: number, busy: boolean): void {
    const { next } = this.solution;
    if (!this.#playing || busy) return void (this.#waited = 0);
    if (next === undefined) return this.pause();
    this.#waited += seconds;
    if (this.#waited < this.#pause) return;
    this.#waited = 0;
    this.turn(next);
  }

  draw(): void {
    const { turns, made, next, back } = this.solution;
    this.element.hidden = turns.length === 0;
    this.#back.disabled = back === undefined;
    this.#next.disabled = this.#play.disabled = next === undefined;
    write(this.#play, this.#playing && next !== undefined ? "Pause" : "Play");
    if (turns.join(" ") !== this.#listed.join(" ")) {
      this.#listed = [...turns];
      this.#list.replaceChildren(...turns.map((name) => el("li", { text: displayName(name) })));
    }
    [...this.#list.children].forEach((item, i) => {
      item.classList.toggle("made", i < made);
      if (i === made) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
  }
}

// The solution as a list of turns, and the buttons that make them: one turn, back one turn, or all at a pace.

import { button, el, write } from "../../../core/dom";
import { Choices } from "../../../ui/choices";
import { displayName } from "../space";
import type { Solution } from "./solution";

const NORMAL_PAUSE_SECONDS = 0.35;
/** The pause between two turns in seconds, by the name of the pace. */
const PACES: [label: string, pauseSeconds: number][] = [
  ["Slow", 1],
  ["Normal", NORMAL_PAUSE_SECONDS],
  ["Fast", 0],
];

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
    choose: (pauseSeconds) => this.#setPause(pauseSeconds),
  });
  #pauseSeconds = NORMAL_PAUSE_SECONDS;
  #playing = false;
  /** Seconds since the last turn has ended. */
  #waitedSeconds = 0;
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
    this.#paces.show(this.#pauseSeconds);
  }

  #setPause(pauseSeconds: number): void {
    this.#pauseSeconds = pauseSeconds;
    this.#paces.show(pauseSeconds);
  }

  /** Plays the solution, or pauses. */
  toggle(): void {
    this.#playing = !this.#playing && this.solution.next !== undefined;
    this.#waitedSeconds = this.#pauseSeconds; // the first turn is made at once
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
    if (!this.#playing || busy) return void (this.#waitedSeconds = 0);
    if (next === undefined) return this.pause();
    this.#waitedSeconds += seconds;
    if (this.#waitedSeconds < this.#pauseSeconds) return;
    this.#waitedSeconds = 0;
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

// The solution as a list of turns, and the buttons that make them: one turn, back one turn, or all at a pace. Two
// quarter turns of a face in a row are listed and made as one half turn.

import { button, el, write } from "../../../core/dom";
import { Choices } from "../../../ui/choices";
import { displayName, type Move } from "../space";
import type { Solution } from "./solution";
import { describeTurn } from "./wording";

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
  /** What a half turn counts, if one of the list counts as two turns. */
  #halfTurns = el("p", { class: "remark", text: "A half turn, such as B2, counts as two turns.", hidden: true });
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
    readonly turn: (move: Move) => void,
  ) {
    this.element = el(
      "div",
      { class: "cube3-player" },
      this.#list,
      this.#halfTurns,
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
    this.#playing = !this.#playing && this.solution.nextMove !== undefined;
    this.#waitedSeconds = this.#pauseSeconds; // the first turn is made at once
    this.draw();
  }

  pause(): void {
    this.#playing = false;
  }

  next(): void {
    this.#step(this.solution.nextMove);
  }

  back(): void {
    this.#step(this.solution.backMove);
  }

  #step(move: Move | undefined): void {
    this.#playing = false;
    if (move) this.turn(move);
    this.draw();
  }

  /** Plays on after `seconds`. `busy` is true while a turn is shown. */
  advance(seconds: number, busy: boolean): void {
    const { nextMove } = this.solution;
    if (!this.#playing || busy) return void (this.#waitedSeconds = 0);
    if (nextMove === undefined) return this.pause();
    this.#waitedSeconds += seconds;
    if (this.#waitedSeconds < this.#pauseSeconds) return;
    this.#waitedSeconds = 0;
    this.turn(nextMove);
  }

  draw(): void {
    const { turns, steps, made, next, back } = this.solution;
    this.element.hidden = turns.length === 0;
    this.#back.disabled = back === undefined;
    this.#next.disabled = this.#play.disabled = next === undefined;
    write(this.#play, this.#playing && next !== undefined ? "Pause" : "Play");
    if (turns.join(" ") !== this.#listed.join(" ")) {
      this.#listed = [...turns];
      const items = steps.map(({ name }) => el("li", { text: displayName(name), title: describeTurn(name) }));
      this.#list.replaceChildren(...items);
      this.#halfTurns.hidden = steps.every(({ count }) => count === 1);
    }
    [...this.#list.children].forEach((item, i) => {
      const { before = 0, count = 1 } = steps[i] ?? {};
      item.classList.toggle("made", before + count <= made);
      if (before <= made && made < before + count) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
  }
}

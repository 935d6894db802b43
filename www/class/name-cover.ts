// “Hide names” on the teacher's page, for a projector: a pupil's name then stands nowhere on the page. Rows of tables
// are named by number instead. This tab keeps the choice, so a reload shows no names either.

import { button, write } from "../core/dom";
import { Emitter } from "../core/events";

const KEY = "learnery:class:names";

export class NameCover extends Emitter<{ changed: null }> {
  readonly button = button("", () => this.#toggle(), { class: "small" });
  #hides = isKept();

  constructor() {
    super();
    this.#draw();
  }

  /** Whether names are hidden. */
  get hides(): boolean {
    return this.#hides;
  }

  /** What the page calls a pupil. `number` is the seat, or the place in the table. */
  shown(name: string, number: number): string {
    return this.#hides ? `Pupil ${number}` : name;
  }

  #toggle(): void {
    this.#hides = !this.#hides;
    try {
      if (this.#hides) sessionStorage.setItem(KEY, "hidden");
      else sessionStorage.removeItem(KEY);
    } catch {
      // Then a reload shows them again.
    }
    this.#draw();
    this.emit("changed", null);
  }

  #draw(): void {
    write(this.button, this.#hides ? "Show names" : "Hide names");
    this.button.title = this.#hides
      ? "Names are hidden on this page. Files that you save have them."
      : "Hides the names on this page, for a projector. Files that you save have them all the same.";
  }
}

function isKept(): boolean {
  try {
    return sessionStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

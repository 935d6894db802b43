// The 21 rolls as buttons in a triangle: the larger die chooses the row, the smaller one the column. One stop of the
// Tab key; arrow keys lead from roll to roll and choose, as do the digits of both dice.

import { ARROW_STEPS, el, hasModifier } from "../../../core/dom";
import { ROLLS, type Roll } from "./table";
import { nameOf } from "./words";

/** The triangle has a row and a column for each number of a die. */
const NUMBERS = 6;

export class RollGrid {
  readonly element: HTMLElement;
  #buttons = new Map<string, HTMLButtonElement>();
  #chosen: Roll = [1, 1];
  /** The digit that waits for the second one; 0 without one. */
  #digit = 0;

  constructor(readonly choose: (roll: Roll) => void) {
    this.element = el("div", { class: "roll-grid", role: "radiogroup", "aria-label": "The roll" });
    for (const roll of ROLLS) {
      const node = el("button", {
        type: "button",
        class: "button",
        role: "radio",
        text: nameOf(roll),
        on: { click: () => choose(roll) },
      });
      node.style.gridArea = `${roll[0]} / ${roll[1]}`;
      this.#buttons.set(nameOf(roll), node);
      this.element.append(node);
    }
  }

  show(roll: Roll): void {
    this.#chosen = roll;
    this.#digit = 0;
    for (const [name, node] of this.#buttons) {
      const isChosen = name === nameOf(roll);
      node.setAttribute("aria-checked", String(isChosen));
      node.tabIndex = isChosen ? 0 : -1;
    }
  }

  focus(options: FocusOptions = {}): void {
    this.#buttons.get(nameOf(this.#chosen))?.focus(options);
  }

  /** Takes an arrow key while a roll has the focus, and a digit wherever it is typed. Returns whether it did. */
  press(event: KeyboardEvent): boolean {
    if (hasModifier(event)) return false;
    if (/^[1-6]$/.test(event.key)) {
      const [first, second] = [this.#digit, Number(event.key)];
      if (first === 0) this.#digit = second;
      else this.#choose(Math.max(first, second), Math.min(first, second));
      return true;
    }
    const step = ARROW_STEPS[event.key];
    if (!step || !this.element.contains(document.activeElement)) return false;
    const [high, low] = this.#chosen;
    const [row, column] = [high + step[1], low + step[0]];
    // At the edge of the triangle it stays.
    if (row >= 1 && row <= NUMBERS && column >= 1 && column <= row) this.#choose(row, column);
    return true;
  }

  #choose(high: number, low: number): void {
    const hadFocus = this.element.contains(document.activeElement);
    this.choose([high, low]);
    if (hadFocus) this.focus();
  }
}

// The solution that the agent has found, and how many of its turns have been made. The lab keeps the same; this copy is
// ahead of it by the turns that it has not received yet, so that turns can follow each other quickly.

import { inverseName, moveOf, writtenTurns, type Move, type WrittenTurn } from "../space";

export class Solution {
  /** The turns, from the state in which the search began. */
  turns: readonly string[] = [];
  /** The turns as they are written down, and how many of `turns` come before each. */
  steps: (WrittenTurn & { before: number })[] = [];
  /** The number of these turns that have been made. */
  made = 0;

  /** The next turn; undefined at the end. */
  get next(): string | undefined {
    return this.turns[this.made];
  }

  /** The turn that takes back the last one made; undefined at the start. */
  get back(): string | undefined {
    const last = this.made > 0 ? this.turns[this.made - 1] : undefined;
    return last && inverseName(last);
  }

  /** What is left of the present step, as one move; undefined at the end. */
  get nextMove(): Move | undefined {
    const step = this.steps.find(({ before, count }) => this.made < before + count);
    if (!step) return undefined;
    const move = moveOf(this.turns[this.made] as string);
    return { ...move, quarters: move.quarters * (step.before + step.count - this.made) };
  }

  /** The move that takes back what was made of the last step; undefined at the start. */
  get backMove(): Move | undefined {
    const step = this.steps.findLast(({ before }) => before < this.made);
    if (!step) return undefined;
    const move = moveOf(this.turns[this.made - 1] as string);
    return { ...move, quarters: -move.quarters * (this.made - step.before) };
  }

  /** Takes over what the lab has. */
  sync(turns: readonly string[], made: number): void {
    if (turns.join(" ") !== this.turns.join(" ")) {
      let before = 0;
      this.steps = writtenTurns(turns).map((step) => ({ ...step, before: (before += step.count) - step.count }));
    }
    this.turns = turns;
    this.made = made;
  }

  /** Follows a turn of any face as the lab does. A turn that leads away from the solution ends it. */
  turned(name: string): void {
    if (name === this.next) this.made++;
    else if (name === this.back) this.made--;
    else this.sync([], 0);
  }
}

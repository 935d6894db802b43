// The codes that a teacher's page has collected. What is kept in this browser (store.ts) is the truth: each change is
// made to what is kept at that moment, so codes that were not read yet, or that this version of the page cannot read,
// stay.

import { keepCodes, keptCodes, MAX_CODES } from "./store";
import { NOT_LOADED } from "./text";

/**
 * What `add` has done: the new codes as they were read, how many were known, and what was wrong, each with the numbers
 * of the codes, counted from 1 in their order.
 */
export interface Added<Item> {
  items: Item[];
  known: number;
  problems: Map<string, number[]>;
}

export class Collection<Item extends object> {
  /** The codes that were read. */
  readonly entries = new Map<string, Item>();
  /** The end of the piece of work that was begun last. Pieces of work are done one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  /** `read` reads a code; it may reject. */
  constructor(readonly read: (code: string) => Promise<Item | { problem: string }>) {}

  /** Reads what is kept. Resolves when it is read. */
  load(): Promise<void> {
    return this.#inTurn(async () => {
      for (const code of keptCodes()) if (!this.entries.has(code)) await this.#take(code);
      const kept = new Set(keptCodes());
      for (const code of this.entries.keys()) if (!kept.has(code)) this.entries.delete(code);
    });
  }

  /** Adds codes, after those that are kept have been read. */
  add(codes: readonly string[]): Promise<Added<Item>> {
    return this.#inTurn(async () => {
      const added: Added<Item> = { items: [], known: 0, problems: new Map() };
      for (const [i, code] of codes.entries()) {
        if (this.entries.has(code)) added.known++;
        else {
          const outcome = await this.#addOne(code);
          if ("problem" in outcome)
            added.problems.set(outcome.problem, [...(added.problems.get(outcome.problem) ?? []), i + 1]);
          else added.items.push(outcome);
        }
      }
      return added;
    });
  }

  remove(code: string): void {
    this.entries.delete(code);
    keepCodes(keptCodes().filter((each) => each !== code));
  }

  clear(): void {
    this.entries.clear();
    keepCodes([]);
  }

  async #addOne(code: string): Promise<Item | { problem: string }> {
    const isKept = () => keptCodes().includes(code);
    if (keptCodes().length >= MAX_CODES && !isKept()) return { problem: `A class has at most ${MAX_CODES} codes.` };
    const read = await this.#take(code);
    if (!("problem" in read) && !isKept()) keepCodes([...keptCodes(), code]);
    return read;
  }

  async #take(code: string): Promise<Item | { problem: string }> {
    try {
      const read = await this.read(code);
      if (!("problem" in read)) this.entries.set(code, read);
      return read;
    } catch {
      return { problem: NOT_LOADED };
    }
  }

  #inTurn<Done>(work: () => Promise<Done>): Promise<Done> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}

// The results that a teacher's page has collected. What is kept in this browser (store.ts) is the truth: each change is
// made to what is kept at that moment, so codes that were not read yet, or that this version of the page cannot read, stay.

import type { ReadResult } from "./code";
import { entryOf, type Entry } from "./entries";
import { keepCodes, keptCodes, MAX_CODES } from "./store";
import { NOT_LOADED } from "./text";

/** What `add` has done: the names of the new results, how many were known, and what was wrong, each with its count. */
export interface Added {
  names: string[];
  known: number;
  problems: Map<string, number>;
}

export class Collection {
  /** The results that were read, by their codes. */
  readonly entries = new Map<string, Entry>();
  /** The last of the works, which are done one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  /** `read` reads a code; it may reject. */
  constructor(readonly read: (code: string) => Promise<ReadResult | { problem: string }>) {}

  /** Reads what is kept. Resolves when it is read. */
  load(): Promise<void> {
    return this.#inTurn(async () => {
      for (const code of keptCodes()) if (!this.entries.has(code)) await this.#take(code);
      const kept = new Set(keptCodes());
      for (const code of this.entries.keys()) if (!kept.has(code)) this.entries.delete(code);
    });
  }

  /** Adds codes, after those that are kept have been read. */
  add(codes: readonly string[]): Promise<Added> {
    return this.#inTurn(async () => {
      const added: Added = { names: [], known: 0, problems: new Map() };
      for (const code of codes) {
        if (this.entries.has(code)) added.known++;
        else {
          const outcome = await this.#addOne(code);
          if ("problem" in outcome) added.problems.set(outcome.problem, (added.problems.get(outcome.problem) ?? 0) + 1);
          else added.names.push(outcome.name);
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

  async #addOne(code: string): Promise<ReadResult | { problem: string }> {
    const isKept = () => keptCodes().includes(code);
    if (keptCodes().length >= MAX_CODES && !isKept()) return { problem: `A class has at most ${MAX_CODES} results.` };
    const read = await this.#take(code);
    if (!("problem" in read) && !isKept()) keepCodes([...keptCodes(), code]);
    return read;
  }

  async #take(code: string): Promise<ReadResult | { problem: string }> {
    try {
      const read = await this.read(code);
      if (!("problem" in read)) this.entries.set(code, await entryOf(read));
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

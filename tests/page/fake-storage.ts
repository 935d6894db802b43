// A stand-in for the browser's storage.

import type { TestContext } from "node:test";

export interface FakeStorage extends Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  /** While it is full, nothing can be written. */
  isFull: boolean;
}

/** A storage whose entries have at most so many characters, and in which these stand. */
export function storage(limit = Infinity, entries: Record<string, string> = {}): FakeStorage {
  const items = new Map(Object.entries(entries));
  return {
    isFull: false,
    getItem: (key) => items.get(key) ?? null,
    setItem(key, text) {
      if (this.isFull || text.length > limit) throw new Error("QuotaExceededError");
      items.set(key, text);
    },
    removeItem: (key) => void items.delete(key),
  };
}

/** Puts a storage in the place of the page's own for the length of a test. */
export function replaceStorage(t: TestContext, name: "localStorage" | "sessionStorage"): FakeStorage {
  const fake = storage();
  const before = Object.getOwnPropertyDescriptor(globalThis, name);
  Object.defineProperty(globalThis, name, { value: fake, configurable: true, writable: true });
  t.after(() => {
    if (before) Object.defineProperty(globalThis, name, before);
    else Reflect.deleteProperty(globalThis, name);
  });
  return fake;
}

// The browser's storage, in which small things are kept that have to outlive a visit.

/** The part of it that reads and writes. */
export type KeyValueStore = Pick<globalThis.Storage, "getItem" | "setItem">;

/** Null if the browser forbids it. */
export function browserStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

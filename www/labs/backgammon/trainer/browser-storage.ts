// The browser's storage, where cards and the day's answers are kept.

/** The part of the browser's storage that is used here. */
export type KeyValueStore = Pick<globalThis.Storage, "getItem" | "setItem">;

/** Null if the browser forbids it. */
export function browserStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

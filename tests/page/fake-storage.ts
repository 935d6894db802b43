// A stand-in for the browser's storage, with one entry.

/** A storage that holds at most so many characters. */
export function storage(limit = Infinity) {
  let text: string | null = null;
  return {
    getItem: () => text,
    setItem: (_: string, value: string) => {
      if (value.length > limit) throw new Error("QuotaExceededError");
      text = value;
    },
  };
}

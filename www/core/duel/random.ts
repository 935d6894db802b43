// Random numbers of a duel. They are the same in every browser, so that sender and receiver of a link see the same
// tasks.

/** A generator of numbers from 0 to below 1 with a seed: Mulberry32 (Ettinger 2017). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

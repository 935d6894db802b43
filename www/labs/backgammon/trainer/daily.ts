// Today's ten positions, the same for everybody on one day: by the date in UTC, from a pool of positions of our own
// self-play, which is loaded when it is wanted.

import { readCard, type Card } from "./card";

/** The positions of a day. */
export const DAILY_COUNT = 10;
const DAY_MS = 86_400_000;

/** The cards of a day from a pool. The whole pool is used before a position comes again. */
export function cardsOfDay(pool: readonly Card[], now: number): Card[] {
  if (pool.length === 0) return [];
  const first = Math.floor(now / DAY_MS) * DAILY_COUNT;
  return Array.from({ length: Math.min(DAILY_COUNT, pool.length) }, (_, i) => pool[(first + i) % pool.length] as Card);
}

/** The pool; empty if it could not be loaded. */
export async function loadPool(now: number): Promise<Card[]> {
  const module: { default: unknown[] } | null = await import("./pool.json").catch(() => null);
  const cards = module?.default ?? [];
  return cards.map((card) => readCard({ ...(card as object), box: 0, due: now })).filter((card) => card !== null);
}

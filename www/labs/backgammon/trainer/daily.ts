// Today's ten positions, the same for everybody on one day: by the date in UTC, from a pool of mistakes of the shipped
// network in games against itself, which is loaded when it is wanted. Which of them are answered is kept in this browser.

import { isObject } from "../../../core/unknown";
import { browserStorage, type KeyValueStore } from "../../../core/browser-storage";
import { readCard, type Card } from "./card";

/** The positions of a day. */
export const DAILY_COUNT = 10;
const DAY_MS = 86_400_000;
const STORAGE_KEY = "learnery:backgammon-daily";

/** The number of the day in UTC. */
export const dayOf = (now: number): number => Math.floor(now / DAY_MS);

/** The cards of a day from a pool. The whole pool is used before a position comes again. */
export function cardsOfDay(pool: readonly Card[], now: number): Card[] {
  if (pool.length === 0) return [];
  const first = dayOf(now) * DAILY_COUNT;
  return Array.from({ length: Math.min(DAILY_COUNT, pool.length) }, (_, i) => pool[(first + i) % pool.length] as Card);
}

/** The pool; empty if it could not be loaded. */
export async function loadPool(now: number): Promise<Card[]> {
  const module: { default: unknown[] } | null = await import("./pool.json").catch(() => null);
  const cards = module?.default ?? [];
  return cards.map((card) => readCard({ ...(card as object), box: 0, due: now })).filter((card) => card !== null);
}

/** The answered cards of a day, by their ids. */
interface Answered {
  day: number;
  ids: string[];
}

/** Which cards of the day are answered. */
export class DailyAnswers {
  #answered: Answered | null = null;

  /** Without storage, which a browser may forbid, answers are kept as long as the page is open. */
  constructor(readonly storage: KeyValueStore | null = browserStorage()) {}

  /** The cards of a day that are still to be answered. */
  left(cards: readonly Card[], day: number): Card[] {
    const ids = new Set(this.#read(day));
    return cards.filter(({ id }) => !ids.has(id));
  }

  note(id: string, day: number, now: number): void {
    const ids = this.#read(day);
    if (!ids.includes(id)) ids.push(id);
    this.#answered = { day, ids };
    // The day has ended meanwhile: another tab may have stored answers of the next one, which must stay.
    if (day !== dayOf(now)) return;
    try {
      this.storage?.setItem(STORAGE_KEY, JSON.stringify({ version: 1, day, answered: ids }));
    } catch {
      // The storage may be full.
    }
  }

  /** The answers of a day. Another tab may have added some meanwhile. */
  #read(day: number): string[] {
    const both = [this.#answered, read(this.storage)];
    return [...new Set(both.flatMap((answered) => (answered?.day === day ? answered.ids : [])))];
  }
}

/** Null if the storage holds nothing, or nothing that can be read. */
function read(storage: KeyValueStore | null): Answered | null {
  try {
    const stored: unknown = JSON.parse(storage?.getItem(STORAGE_KEY) ?? "null");
    if (!isObject(stored) || !Number.isInteger(stored["day"]) || !Array.isArray(stored["answered"])) return null;
    return { day: stored["day"] as number, ids: stored["answered"].filter((id) => typeof id === "string") };
  } catch {
    return null;
  }
}

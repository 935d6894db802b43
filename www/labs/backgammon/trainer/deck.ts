// The visitor's cards, kept in this browser.

import { isObject } from "../../../core/unknown";
import { browserStorage, type KeyValueStore } from "../../../core/browser-storage";
import { readCard, type Card } from "./card";
import { answered, isDue, type Schedule } from "./schedule";

const STORAGE_KEY = "learnery:backgammon-cards";
/** A card has about 1 kB, and the storage of a site about 5 MB. */
export const MAX_CARDS = 1500;

/** What became of cards that were added. */
export interface Added {
  /** New cards that are kept. */
  kept: number;
  /** Cards, old or new, that there was no room for. */
  gone: number;
}

export class Deck {
  #cards: Card[];
  #isStored: boolean;

  /** Without storage, which a browser may forbid, cards are kept as long as the page is open. */
  constructor(readonly storage: KeyValueStore | null = browserStorage()) {
    this.#cards = read(storage) ?? [];
    this.#isStored = storage !== null;
  }

  get all(): readonly Card[] {
    return this.#cards;
  }

  /** Whether the cards are still there when the page is opened again. */
  get isStored(): boolean {
    return this.#isStored;
  }

  /**
   * Adds cards. One that is there already keeps its schedule. If there are too many, those that cost least go.
   */
  add(cards: Card[]): Added {
    this.readAgain();
    const known = new Set(this.#cards.map(({ id }) => id));
    const added = cards.filter(({ id }) => !known.has(id) && known.add(id));
    const all = [...this.#cards, ...added];
    const excess = Math.max(0, all.length - MAX_CARDS);
    const gone = new Set([...all].sort((a, b) => a.decision.cost - b.decision.cost).slice(0, excess));
    this.#cards = all.filter((card) => !gone.has(card));
    this.#write();
    return { kept: added.filter((card) => !gone.has(card)).length, gone: excess };
  }

  /** Notes when a card comes back after an answer. Returns null if it is not there any more. */
  answer(id: string, isRight: boolean, now: number): Schedule | null {
    this.readAgain();
    const card = this.#cards.find((each) => each.id === id);
    if (!card) return null;
    const schedule = answered(card, isRight, now);
    this.#cards = this.#cards.map((each) => (each === card ? { ...card, ...schedule } : each));
    this.#write();
    return schedule;
  }

  forget(id: string): void {
    this.readAgain();
    this.#cards = this.#cards.filter((card) => card.id !== id);
    this.#write();
  }

  /** Another tab may have changed the cards meanwhile. */
  readAgain(): void {
    const stored = this.#isStored ? read(this.storage) : null;
    if (stored) this.#cards = stored;
  }

  #write(): void {
    try {
      this.storage?.setItem(STORAGE_KEY, JSON.stringify({ version: 1, cards: this.#cards }));
      this.#isStored = this.storage !== null;
    } catch {
      this.#isStored = false; // The storage may be full.
    }
  }
}

/** The cards that are due, those that cost most first. */
export function dueCards(cards: readonly Card[], now: number): Card[] {
  return cards.filter((card) => isDue(card, now)).sort((a, b) => b.decision.cost - a.decision.cost);
}

/** Null if the storage holds nothing, or nothing that can be read. */
function read(storage: KeyValueStore | null): Card[] | null {
  try {
    const stored: unknown = JSON.parse(storage?.getItem(STORAGE_KEY) ?? "null");
    if (!isObject(stored) || !Array.isArray(stored["cards"])) return null;
    return stored["cards"].map(readCard).filter((card) => card !== null);
  } catch {
    return null;
  }
}

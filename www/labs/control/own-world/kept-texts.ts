// The visitor's own texts, kept in this browser: those that were written or changed, newest first.

import { browserStorage, type KeyValueStore } from "../../../core/browser-storage";

const STORAGE_KEY = "learnery:own-worlds";
/** The oldest texts beyond these are forgotten. The storage of a site has about 5 MB. */
const MAX_TEXTS = 40;
const MAX_CHARACTERS = 1_000_000;

export interface KeptText {
  id: string;
  text: string;
}

export class KeptTexts {
  #texts: KeptText[];
  /** Whether the texts are also in the storage. */
  #isStored: boolean;

  /** Without storage, which a browser may forbid, texts are kept as long as the page is open. */
  constructor(readonly storage: KeyValueStore | null = browserStorage()) {
    this.#texts = read(storage);
    this.#isStored = storage !== null;
  }

  /** Newest first. */
  get all(): readonly KeptText[] {
    return this.#texts;
  }

  /** Keeps a text, in place of the one with this id. Returns whether it is stored. */
  keep(id: string, text: string): boolean {
    this.#readAgain();
    this.#texts = [{ id, text }, ...this.#texts.filter((kept) => kept.id !== id)].slice(0, MAX_TEXTS);
    let characters = 0;
    this.#texts = this.#texts.filter(({ text }, i) => (characters += text.length) <= MAX_CHARACTERS || i === 0);
    return this.#write();
  }

  forget(id: string): void {
    this.#readAgain();
    this.#texts = this.#texts.filter((kept) => kept.id !== id);
    this.#write();
  }

  /** Another tab may have kept or forgotten texts meanwhile. */
  #readAgain(): void {
    if (this.#isStored) this.#texts = read(this.storage);
  }

  #write(): boolean {
    try {
      this.storage?.setItem(STORAGE_KEY, JSON.stringify(this.#texts));
      this.#isStored = this.storage !== null;
    } catch {
      this.#isStored = false; // The storage may be full.
    }
    return this.#isStored;
  }
}

function read(storage: KeyValueStore | null): KeptText[] {
  try {
    const stored: unknown = JSON.parse(storage?.getItem(STORAGE_KEY) ?? "[]");
    if (!Array.isArray(stored)) return [];
    const isText = (each: unknown): each is KeptText =>
      typeof each === "object" &&
      each !== null &&
      typeof (each as KeptText).id === "string" &&
      typeof (each as KeptText).text === "string";
    return stored.filter(isText).slice(0, MAX_TEXTS);
  } catch {
    return [];
  }
}

/** The title of a text, as its line `world` says. The text need not be a world. */
export const titleOf = (text: string): string => /^[ \t]*world[ \t]+"([^"\n]+)"/m.exec(text)?.[1] ?? "No title";

/** The name of the file of a text, from its title. */
export function fileNameOf(text: string): string {
  const name = titleOf(text)
    .replace(/[^\p{L}\p{Nd}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .toLowerCase();
  return `${name || "my"}.world`;
}

/** The sentence of a text, as its line `about` says. */
export const aboutOf = (text: string): string => /^[ \t]*about[ \t]+"([^"\n]+)"/m.exec(text)?.[1] ?? "";

// Finds the words of the glossary in a text, so that the page can explain them where they stand.

import type { Words } from "../../scripts/glossary.mjs";

/** A piece of a text; with `term` it is a word that the glossary explains under that name. */
export interface Piece {
  text: string;
  term?: string;
}

/** Divides texts of one lab at the words of the glossary. */
export class TermFinder {
  #names = new Map<string, string>();
  #pattern: RegExp;

  constructor(words: readonly Words[], lab: string) {
    for (const { name, forms, labs } of words) {
      if (labs.length > 0 && !labs.includes(lab)) continue;
      for (const form of forms) if (!this.#names.has(form.toLowerCase())) this.#names.set(form.toLowerCase(), name);
    }
    // Longer forms first, so that "learning rate" is not found as "rate".
    const forms = [...this.#names.keys()].sort((a, b) => b.length - a.length).map(escapeForPattern);
    this.#pattern = new RegExp(`(?<![\\w-])(?:${forms.join("|")})(?![\\w-])`, "gi");
  }

  /** The name under which the glossary explains this text as a whole, if it does. */
  name(text: string): string | undefined {
    return this.#names.get(text.toLowerCase());
  }

  /** The pieces of a text. Only the first occurrence of each term is marked, and none of those in `known`. */
  split(text: string, known = new Set<string>()): Piece[] {
    const pieces: Piece[] = [];
    let end = 0;
    for (const match of text.matchAll(this.#pattern)) {
      const term = this.name(match[0]);
      if (!term || known.has(term)) continue;
      known.add(term);
      if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
      pieces.push({ text: match[0], term });
      end = match.index + match[0].length;
    }
    if (end < text.length) pieces.push({ text: text.slice(end) });
    return pieces;
  }
}

/** The text with a backslash before each character that has a meaning in regular expressions. */
function escapeForPattern(text: string): string {
  return text.replace(/[()[\]{}.*+?^$|\\/]/g, "\\$&");
}

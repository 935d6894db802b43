/** An entry of the glossary. The lists are empty where the entry does not name the fact. */
export interface Term {
  name: string;
  /** A sentence or two. */
  text: string;
  formula?: string;
  /** What turning it up and down does. */
  up?: string;
  down?: string;
  /** Other forms of the word. */
  also: string[];
  /** The labs whose texts mean this term; empty for all. */
  in: string[];
  /** Settings and metrics of these labs whose explanations show the formula too. */
  settings: string[];
  metrics: string[];
}

/** The words that lead to a term. */
export interface Words {
  name: string;
  forms: string[];
  labs: string[];
}

/** The entries of docs/glossary.md that the page explains. Throws where one is not as that file says. */
export function parseGlossary(markdown: string): Term[];
/** What a page needs to find the terms in its texts. */
export function wordsOf(terms: readonly Term[]): Words[];

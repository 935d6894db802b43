// Which browser tests use a file of the page. Every visit loads the files that index.html imports statically, so a
// change of these reaches all tests. All others are loaded through an entry: the file of an `import()`, another page,
// or the script for foreign pages. A test uses an entry if it names a selector or a text that the entry's files have
// and few others, if its file has the entry's name, or if it uses an entry that only this one leads to. Nothing has to
// be kept up to date for that: a test hardly uses a part of the page without naming something in it. Where a part has
// nothing that a test could name, the test's file names the entry in a line `// Uses: www/move-run.ts`. A change of an
// entry that no test uses reaches all tests.

import { basename, dirname } from "node:path";
import ts from "typescript";
import { ELEMENT_SOURCE, PAGES } from "./headers.mjs";
import { loadedWith, piecesOf, walk } from "./page-graph.mjs";
import { KEY_PATTERN, hasOnlyTypes } from "./page-texts.mjs";

/** A term that occurs in more files than this does not tell which part a test uses. */
const MAX_FILES = 3;
/** A term of a file that is loaded through more entries than this tells nothing. */
const MAX_ENTRIES = 4;
/** Names of files, such as `page.css`, look like classes in a selector. */
const FILE_EXTENSIONS = new Set("css csv html js json mat mjs onnx png safetensors svg ts txt wasm".split(" "));
/** The settings of the labs, which are generated. */
const SETTINGS_PATTERN = /^www\/generated\/labs\//;

const wordsOf = (text) => text.match(/[\p{L}\p{N}_-]+/gu) ?? [];
const isLong = (word) => /\p{L}{4}/u.test(word);

/** Only the words of a text, in lower case. */
const plain = (text) => wordsOf(text.toLowerCase()).join(" ");

/** All groups of three successive words of a text that has nothing but words. */
function trigramsOf(text) {
  const words = text.split(" ");
  return words.slice(2).map((_, i) => words.slice(i, i + 3).join(" "));
}

/** The parts of a text by which it can be recognised: three words in a row, or the whole if it has one or two. */
function phrasesOf(text) {
  const words = wordsOf(text);
  if (words.length === 1) return /^\p{Lu}\p{L}{3}|^\p{L}{7}/u.test(text.trim()) && !KEY_PATTERN.test(text) ? words : [];
  if (words.length === 2) return words.some(isLong) ? [words.join(" ")] : [];
  return trigramsOf(words.join(" ")).filter((trigram) => trigram.split(" ").filter(isLong).length > 1);
}

/** The classes in selectors. */
const classesIn = (text) =>
  Array.from(text.matchAll(/\.([a-z][\w-]*)/g), ([, name]) => name).filter((name) => !FILE_EXTENSIONS.has(name));
/** Names with a hyphen or an underscore, which attributes and settings have. */
const namesIn = (text) => wordsOf(text).filter((word) => /[a-z][_-][a-z]/.test(word));

/** The search terms of a test: classes, names with a hyphen or an underscore, and phrases. */
function termsOfTest(pieces) {
  return new Set(
    pieces.flatMap((piece) => [...classesIn(piece).map((name) => `.${name}`), ...namesIn(piece), ...phrasesOf(piece)]),
  );
}

/** The pieces of all strings of a script, but for those in imports and types. */
function piecesOfScript(tree) {
  const pieces = [];
  walk(tree, (node) => {
    if (node.moduleSpecifier || ts.isTypeNode(node)) return false;
    pieces.push(...piecesOf(node));
    return true;
  });
  return pieces;
}

/** The search terms by which a test can name a file of the page. */
function termsOfFile({ text, tree }, file) {
  if (file.endsWith(".css")) return new Set(classesIn(text).map((name) => `.${name}`));
  const pieces = tree ? piecesOfScript(tree) : file.endsWith(".html") ? [text] : [];
  const names = pieces.filter((piece) => /^[a-z][\w-]*( [a-z][\w-]*)*$/.test(piece)).flatMap(wordsOf);
  return new Set([
    ...names.map((name) => `.${name}`),
    ...pieces.flatMap((piece) => [...namesIn(piece), ...phrasesOf(piece)]),
  ]);
}

/** Adds a value to the set of a key. */
const addTo = (map, key, value) => (map.get(key) ?? map.set(key, new Set()).get(key)).add(value);

/** The lab whose part of the page a file belongs to; undefined for other files. */
export const labOf = (file) => /^www\/(?:labs|generated\/labs)\/(\w+)(?:\/|\.ts$)/.exec(file)?.[1];

export class PageUse {
  /** The files that every visit loads. */
  #always;
  /** The entries through which each of the other files is loaded. */
  #entriesOf = new Map();
  /** Those of the other files that import an entry. */
  #importersOf = new Map();
  /** The entries that files import which every visit loads. */
  #firstEntries = new Set();
  /** The tests that use each entry, and those that name something that only a lab's part has. */
  #testsOfEntry = new Map();
  #testsOfLab = new Map();

  /** `graph` is that of page-graph.mjs, `tests` those of browser-test-uses.mjs. */
  constructor(graph, tests) {
    this.graph = graph;
    this.tests = tests;
    this.#always = loadedWith(graph, ["index.html"]);
    const entries = new Set([...PAGES.slice(1), ELEMENT_SOURCE].filter((file) => graph.has(file)));
    const others = [...graph.keys()].filter((file) => !this.#always.has(file));
    for (const [file, { dynamicImports }] of graph) {
      for (const entry of dynamicImports) entries.add(entry);
      for (const entry of dynamicImports)
        if (this.#always.has(file)) this.#firstEntries.add(entry);
        else addTo(this.#importersOf, entry, file);
    }
    for (const entry of entries)
      for (const file of loadedWith(graph, [entry])) if (!this.#always.has(file)) addTo(this.#entriesOf, file, entry);
    this.entries = [...entries].filter((entry) => !this.#always.has(entry));
    this.#read(others);
  }

  /** Finds which tests use which entries. */
  #read(others) {
    const { graph, tests } = this;
    const termsOf = (file) => termsOfFile(graph.get(file), file);
    const common = new Set([...this.#always].flatMap((file) => (labOf(file) ? [] : [...termsOf(file)])));
    // Many tests set a lab's settings in links to shorten runs, which does not mean that they use its part of the page.
    for (const file of graph.keys())
      if (SETTINGS_PATTERN.test(file)) for (const term of termsOf(file)) common.add(term);
    const filesWith = new Map();
    for (const file of others) for (const term of termsOf(file)) if (!common.has(term)) addTo(filesWith, term, file);
    for (const test of tests) {
      for (const file of test.uses) this.#addUse(test, file, Infinity);
      for (const term of termsOfTest(test.pieces)) {
        const all = [...(filesWith.get(term) ?? [])];
        // Scripts count, because a style sheet only styles what they create.
        const scripts = all.filter((file) => !file.endsWith(".css"));
        const files = scripts.length > 0 ? scripts : all;
        const labs = new Set(files.map(labOf));
        const [lab] = labs;
        if (labs.size === 1 && lab) addTo(this.#testsOfLab, lab, test);
        if (files.length <= MAX_FILES) for (const file of files) this.#addUse(test, file, MAX_ENTRIES);
      }
      const [about] = test.file.split(".");
      for (const entry of this.entries) {
        const names = [basename(entry), basename(dirname(entry))].map((name) => name.split(".")[0]);
        if (names.includes(about) || test.pieces.some((piece) => PAGES.includes(entry) && piece.includes(entry)))
          addTo(this.#testsOfEntry, entry, test);
      }
    }
  }

  /**
   * Notes that a test uses the entries of a file, and those that lead there. With more than `most` entries it does not.
   */
  #addUse(test, file, most) {
    const entries = this.#entriesOf.get(file) ?? [];
    if (entries.size > most) return;
    for (const entry of entries) {
      const known = this.#testsOfEntry.get(entry);
      if (known?.has(test)) continue;
      addTo(this.#testsOfEntry, entry, test);
      if (!this.#firstEntries.has(entry))
        for (const each of this.#importersOf.get(entry) ?? []) this.#addUse(test, each, MAX_ENTRIES);
    }
  }

  /** The tests that use an entry. */
  testsOfEntry(entry) {
    return this.#testsOfEntry.get(entry) ?? new Set();
  }

  /** The tests that name something that only the part of this lab has. */
  testsOfLab(lab) {
    return this.#testsOfLab.get(lab) ?? new Set();
  }

  /**
   * The browser tests that a change of a file's code reaches: `tests`; or, if all of them must run, or all of its lab,
   * `why`.
   */
  reachOf(file) {
    const { graph } = this;
    if (this.#always.has(file)) return { why: "every visit loads it" };
    const entries = this.#entriesOf.get(file);
    if (entries) {
      const tests = new Set([...entries].flatMap((entry) => [...this.testsOfEntry(entry)]));
      return tests.size > 0 ? { tests } : { why: `no browser test names anything of it` };
    }
    const node = graph.get(file);
    if (!node) return { why: "it is new or was removed" };
    if (node.tree) return hasOnlyTypes(node.text, file) ? { tests: new Set() } : { why: "nothing imports it" };
    // Data that tests read.
    const tests = this.tests.filter(({ pieces }) => pieces.some((piece) => piece.endsWith(basename(file))));
    return tests.length > 0 ? { tests: new Set(tests) } : { why: "nothing imports it" };
  }

  /**
   * The tests that a change of texts reaches: those with a string that contains one of the texts, is contained in one,
   * or shares three successive words with one.
   */
  testsThatSay(texts) {
    const said = texts.map((text) => ({
      text: plain(text),
      words: wordsOf(text),
      trigrams: new Set(trigramsOf(plain(text))),
    }));
    const isSaid = (piece, isPattern) => {
      const own = plain(piece);
      if (own === "") return false;
      const [trigrams, isOne] = [trigramsOf(own), !own.includes(" ")];
      // One word of a test may be a role, an attribute or a part of the code, unless it is in a regular expression.
      const isText = isLong(own) && (!isOne || isPattern || /^\P{Ll}/u.test(piece));
      return said.some(
        ({ text, words, trigrams: others }) =>
          text === own ||
          (isText && (isOne && !isPattern ? words.includes(piece.trim()) : text.includes(own))) ||
          (isLong(text) && own.includes(text)) ||
          trigrams.some((trigram) => others.has(trigram)),
      );
    };
    return new Set(
      this.tests.filter(({ pieces, patterns }) => pieces.some((piece) => isSaid(piece, patterns.has(piece)))),
    );
  }
}

// Which browser tests use a file of the page. Every visit loads the files that index.html imports at once, so these
// reach all tests. All others are loaded on demand, through the file of an `import()`, which is called a door here. A
// test goes through a door if it names a selector or a text that only files behind that door have, and then through a
// door that leads there. Nothing has to be kept up to date for that: a test cannot use a part of the page without
// naming something in it. Where a part has nothing that a test could name, the test's file names the door in a line
// `// Uses: www/move-run.ts`. A door that no test goes through reaches all tests.

import { basename, dirname } from "node:path";
import ts from "typescript";
import { ELEMENT_SOURCE, PAGES } from "./headers.mjs";
import { loadedWith, piecesOf, walk } from "./page-graph.mjs";
import { KEY_PATTERN, hasOnlyTypes } from "./page-texts.mjs";

/** In how many files of the page a selector or text may occur that says which part a test uses. */
const MOST_FILES = 3;
/** Through how many doors a file may be loaded of which a test says something. */
const MOST_DOORS = 4;
/** Endings of names of files, which look like classes in a selector. */
const ENDINGS = new Set("css csv html js json mat mjs onnx png safetensors svg ts txt wasm".split(" "));
/** The settings of the labs, which are generated. */
const SETTINGS_PATTERN = /^www\/generated\/labs\//;

const wordsOf = (text) => text.match(/[\p{L}\p{N}_-]+/gu) ?? [];
const isLong = (word) => /\p{L}{4}/u.test(word);

/** Only the words of a text, in small letters. */
const plain = (text) => wordsOf(text.toLowerCase()).join(" ");

/** Each three words in a row of a text that has nothing but words. */
function runsOf(text) {
  const words = text.split(" ");
  return words.slice(2).map((_, i) => words.slice(i, i + 3).join(" "));
}

/** The parts of a text by which it can be recognised: three words in a row, or the whole if it has one or two. */
function phrasesOf(text) {
  const words = wordsOf(text);
  if (words.length === 1) return /^\p{Lu}\p{L}{3}|^\p{L}{7}/u.test(text.trim()) && !KEY_PATTERN.test(text) ? words : [];
  if (words.length === 2) return words.some(isLong) ? [words.join(" ")] : [];
  return runsOf(words.join(" ")).filter((run) => run.split(" ").filter(isLong).length > 1);
}

/** The classes in selectors, and names with a hyphen or an underscore, of attributes and settings. */
const classesIn = (text) =>
  Array.from(text.matchAll(/\.([a-z][\w-]*)/g), ([, name]) => name).filter((name) => !ENDINGS.has(name));
const namesIn = (text) => wordsOf(text).filter((word) => /[a-z][_-][a-z]/.test(word));

/** What a test says of which something may be found in the page. */
function marksOfTest(pieces) {
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

/** What of a file of the page a test may name. */
function marksOfFile({ text, tree }, file) {
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
  /** The doors through which each of the other files is loaded, and those files that lead to a door. */
  #doorsOf = new Map();
  #leadingTo = new Map();
  /** The doors to which files lead that every visit loads. */
  #isFirst = new Set();
  /** The tests that go through each door, and those that say something that only a lab's part has. */
  #testsOfDoor = new Map();
  #testsOfLab = new Map();

  /** `graph` is that of page-graph.mjs, `tests` those of browser-test-uses.mjs. */
  constructor(graph, tests) {
    this.graph = graph;
    this.tests = tests;
    this.#always = loadedWith(graph, ["index.html"]);
    const doors = new Set([...PAGES.slice(1), ELEMENT_SOURCE].filter((file) => graph.has(file)));
    const others = [...graph.keys()].filter((file) => !this.#always.has(file));
    for (const [file, { later }] of graph) {
      for (const door of later) doors.add(door);
      for (const door of later)
        if (this.#always.has(file)) this.#isFirst.add(door);
        else addTo(this.#leadingTo, door, file);
    }
    for (const door of doors)
      for (const file of loadedWith(graph, [door])) if (!this.#always.has(file)) addTo(this.#doorsOf, file, door);
    this.doors = [...doors].filter((door) => !this.#always.has(door));
    this.#read(others);
  }

  /** Finds which tests go through which doors. */
  #read(others) {
    const { graph, tests } = this;
    const marksOf = (file) => marksOfFile(graph.get(file), file);
    const common = new Set([...this.#always].flatMap((file) => (labOf(file) ? [] : [...marksOf(file)])));
    // Links of many tests have settings of a lab, to make its runs short.
    for (const file of graph.keys())
      if (SETTINGS_PATTERN.test(file)) for (const mark of marksOf(file)) common.add(mark);
    const filesWith = new Map();
    for (const file of others) for (const mark of marksOf(file)) if (!common.has(mark)) addTo(filesWith, mark, file);
    for (const test of tests) {
      for (const file of test.uses) this.#goThrough(test, file, Infinity);
      for (const mark of marksOfTest(test.pieces)) {
        const all = [...(filesWith.get(mark) ?? [])];
        // Scripts create what style sheets name.
        const scripts = all.filter((file) => !file.endsWith(".css"));
        const files = scripts.length > 0 ? scripts : all;
        const labs = new Set(files.map(labOf));
        const [lab] = labs;
        if (labs.size === 1 && lab) addTo(this.#testsOfLab, lab, test);
        if (files.length <= MOST_FILES) for (const file of files) this.#goThrough(test, file, MOST_DOORS);
      }
      const [about] = test.file.split(".");
      for (const door of this.doors) {
        const names = [basename(door), basename(dirname(door))].map((name) => name.split(".")[0]);
        if (names.includes(about) || test.pieces.some((piece) => PAGES.includes(door) && piece.includes(door)))
          addTo(this.#testsOfDoor, door, test);
      }
    }
  }

  /** Notes that a test goes through the doors to a file, and through those that lead there. */
  #goThrough(test, file, most) {
    const doors = this.#doorsOf.get(file) ?? [];
    if (doors.size > most) return;
    for (const door of doors) {
      const known = this.#testsOfDoor.get(door);
      if (known?.has(test)) continue;
      addTo(this.#testsOfDoor, door, test);
      if (!this.#isFirst.has(door))
        for (const each of this.#leadingTo.get(door) ?? []) this.#goThrough(test, each, MOST_DOORS);
    }
  }

  /** The tests that go through a door. */
  testsOfDoor(door) {
    return this.#testsOfDoor.get(door) ?? new Set();
  }

  /** The tests that say something that only the page of this lab has. */
  testsOfLab(lab) {
    return this.#testsOfLab.get(lab) ?? new Set();
  }

  /**
   * The browser tests that a change of a file's code reaches: `tests`, or `why` it reaches all of them, or all of its
   * lab.
   */
  reachOf(file) {
    const { graph } = this;
    if (this.#always.has(file)) return { why: "every visit loads it" };
    const doors = this.#doorsOf.get(file);
    if (doors) {
      const tests = new Set([...doors].flatMap((door) => [...this.testsOfDoor(door)]));
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
   * The tests that a change of texts reaches: those of which a string is in one of the texts, or has one, or has three
   * words in a row of it.
   */
  testsThatSay(texts) {
    const said = texts.map((text) => ({ text: plain(text), words: wordsOf(text), runs: new Set(runsOf(plain(text))) }));
    const isSaid = (piece, isPattern) => {
      const own = plain(piece);
      if (own === "") return false;
      const [runs, isOne] = [runsOf(own), !own.includes(" ")];
      // One word of a test may be a role, an attribute or a part of the code, unless it is in a regular expression.
      const isText = isLong(own) && (!isOne || isPattern || /^\P{Ll}/u.test(piece));
      return said.some(
        ({ text, words, runs: itsRuns }) =>
          text === own ||
          (isText && (isOne && !isPattern ? words.includes(piece.trim()) : text.includes(own))) ||
          (isLong(text) && own.includes(text)) ||
          runs.some((run) => itsRuns.has(run)),
      );
    };
    return new Set(
      this.tests.filter(({ pieces, patterns }) => pieces.some((piece) => isSaid(piece, patterns.has(piece)))),
    );
  }
}

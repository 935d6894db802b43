// `npm test -- changed [BASE]`: what a change can reach. Files belong to crates, the page, test files and so on. A
// crate reaches the crates that depend on it; a lab's crate also reaches that lab's browser tests. A file of the page
// reaches the browser tests that use it (page-use.mjs), and a change of nothing but texts those that have one of the
// texts. A file that belongs to none of these reaches everything.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { browserTests } from "./browser-test-uses.mjs";
import { Missing, capture, root } from "./commands.mjs";
import { pageGraph, readPage } from "./page-graph.mjs";
import { changedTexts } from "./page-texts.mjs";
import { PageUse, labOf } from "./page-use.mjs";

/** The commit where the present branch left `main`. On `main` itself it is the last commit. */
export async function usualBase() {
  return (await capture("git", ["merge-base", "HEAD", "main"])) ?? "HEAD";
}

/** The files that differ from the revision `base`, and new ones that git does not ignore. */
export async function changedFiles(base) {
  const lines = async (...args) => {
    const text = await capture("git", args);
    if (text === undefined) {
      throw new Missing(
        `\`git ${args.join(" ")}\` failed.`,
        "Name a revision that git knows: npm test -- changed HEAD~1",
      );
    }
    return text.split("\n").filter(Boolean);
  };
  const tracked = await lines("diff", "--name-only", "--no-renames", base, "--");
  return [...tracked, ...(await lines("ls-files", "--others", "--exclude-standard"))];
}

/** What the browser tests use of the page as it is now. */
export const presentPage = () => new PageUse(pageGraph(readPage(root)), browserTests(join(root, "tests/browser")));

/**
 * The texts that differ between the scripts of the page among these files and their versions in the revision `base`, by
 * path, if nothing else differs; comments and types do not count.
 */
export async function changedTextsOf(files, base) {
  const texts = new Map();
  for (const file of files.filter((name) => /^www\/.*\.ts$/.test(name))) {
    const before = await capture("git", ["show", `${base}:${file}`]);
    const after = readText(file);
    const changed = before !== undefined && after !== undefined ? changedTexts(before, after, file) : null;
    if (changed) texts.set(file, changed);
  }
  return texts;
}

/** The text of a file; undefined if there is none. */
function readText(file) {
  try {
    return readFileSync(join(root, file), "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Files that change how every crate or bundle is compiled, or that tests of several crates read. */
const EVERYTHING_PATTERN =
  /^(Cargo\.(toml|lock)|rust-toolchain\.toml|clippy\.toml|\.cargo\/|tests\/golden\/|models\/|xtask\/(?!template\/))/;
/** Files that nothing is built from and no test reads. */
const IGNORED_PATTERN = /^(LICENSE|\.gitignore$|rustfmt\.toml$|docs\/.*\.(png|jpg)$)/;
/**
 * Documents and workflows, which the page's unit tests read. The page is built from one of them, the glossary, but no
 * browser test depends on its words. Documents in a crate's `tests` belong to that crate.
 */
const DOCUMENT_PATTERN = /^((?!crates\/.*\/tests\/).*\.md$|\.github\/)/;
/** Sources of the page. */
const PAGE_PATTERN = /^(www\/|[\w-]+\.html$)/;
/** What decides how they are built. */
const BUILD_PATTERN = /^(vite\.config\.ts|tsconfig\.json)$/;
/** The files with browser tests of the command-line program, without `.test.mjs`. */
const WITH_COMMAND_LINE = ["class-server", "fleet", "links", "onnx", "protocol"];
/** What runs after every change of the page: each lab is opened as by a first visitor, and learns. */
const SMOKE_TESTS = "first-visit\\.test\\.mjs";

/** The checks that a change can affect. */
export class Reach {
  everything = false;
  /** Names of crates: those that changed, and those that depend on them. */
  crates = new Set();
  /** Whether bundles are compiled from one of these crates. */
  bundles = false;
  /** Whether sources of the page changed. */
  page = false;
  /** Whether tests of the page or scripts changed. */
  tests = false;
  /** Whether documents changed that the page's unit tests read. */
  documents = false;
  /** Whether nothing changed of the page but texts, comments and types. */
  onlyTexts = true;
  /** Files of the page that changed. */
  pageFiles = [];
  /** Patterns of the files and titles of the browser tests to run; `null` among them stands for all tests. */
  browser = new Set();
  /** One line for each reason why browser tests run. */
  reasons = [];
  /** The browser tests that were selected one by one, and not by a pattern of files and titles. */
  found = new Set();

  /** A pattern of the files and titles of the browser tests to run; undefined for all of them. */
  get browserTests() {
    if (this.everything || this.browser.has(null)) return undefined;
    return [...this.browser].join("|");
  }

  /** Which browser tests run, in a sentence; undefined if all run, or none. */
  get aboutBrowserTests() {
    if (!this.browserTests) return undefined;
    const counts = new Map();
    for (const { file } of this.found) counts.set(file, (counts.get(file) ?? 0) + 1);
    const parts = [...counts].map(([file, count]) => `${count} of ${file}`);
    // Patterns of single tests have a space after the file (`patternOf`).
    const words = [...this.browser]
      .filter((pattern) => !pattern.includes(" "))
      .map((each) => each.replaceAll("\\b", ""));
    const named = words.length > 0 ? `those with ${words.join(" or ").replaceAll("\\", "")} in file or title` : [];
    return `Browser tests that run: ${parts.concat(named).join(", ")}. All others are left out.`;
  }

  /** The files to lint, if no other file can have become wrong. */
  get lintedFiles() {
    const { everything, documents, tests, onlyTexts, pageFiles } = this;
    return !everything && !documents && !tests && onlyTexts && pageFiles.length > 0 ? pageFiles : undefined;
  }

  /** The names of the stages to run. */
  get stages() {
    const { crates } = this;
    const has = (...names) => names.some((name) => crates.has(`learnery-${name}`));
    const beyondPython = crates.size > (has("python") ? 1 : 0);
    const ofPage = this.page || this.tests;
    const stages = {
      formatting: true,
      "direction of dependencies": crates.size > 0,
      lints: crates.size > 0,
      "page types": ofPage,
      "page lints": ofPage || this.documents,
      "page units": ofPage || this.documents,
      "rust tests": beyondPython,
      "fleet tests": has("fleet", "cli"),
      "gpu tests": has("gpu", "labs", "cli"),
      "wasm bundles": this.bundles || this.browser.size > 0,
      site: this.bundles || this.browser.size > 0,
      "python tests": has("python"),
      "wasm tests": has("web"),
      "browser tests": this.browser.size > 0,
    };
    return Object.keys(stages).filter((name) => this.everything || stages[name]);
  }
}

/**
 * What the change of these files reaches. `packages` are the workspace's (`crates.mjs`), `scripts` the files that `npm
 * test` itself consists of, `page` what browser tests use of the page (`PageUse`), and `texts` the changed texts of
 * each file of the page in which nothing else changed; a file with other changes is not in it.
 */
export function reach(files, { packages, scripts, page, texts = new Map() }) {
  const result = new Reach();
  const labs = packages.filter(({ isLab }) => isLab).map(labName);
  /** Adds tests. Given a lab, tests that are made for every lab are added only if they name no other lab. */
  const addTests = (tests, lab) => {
    const others = lab ? labs.filter((each) => each !== lab) : [];
    const not = others.length > 0 ? `(?!.*\\b(${others.join("|")})\\b)` : "";
    for (const test of tests) {
      result.found.add(test);
      result.browser.add(patternOf(test, test.title.includes(".*") ? not : ""));
    }
  };
  /** Adds the browser tests that have the lab in their file or title, and those that name what only its page has. */
  const addTestsOf = (lab) => {
    result.browser.add(`\\b${lab}\\b`);
    addTests(page.testsOfLab(lab), lab);
  };
  const addAll = (file, why) => {
    result.browser.add(null);
    result.reasons.push(`${file}: all browser tests, because ${why}.`);
  };
  const addPageFile = (file) => {
    result.page = true;
    result.pageFiles.push(file);
    result.browser.add(SMOKE_TESTS);
    const changed = texts.get(file);
    if (changed) {
      const tests = page.testsThatSay(changed);
      addTests(tests);
      const what = changed.length > 0 ? "texts" : "comments and types";
      result.reasons.push(
        `${file}: nothing but ${what} changed, so ${countOf(tests)} that name them, and first visits.`,
      );
      return;
    }
    result.onlyTexts = false;
    const lab = labs.find((each) => each === labOf(file));
    const { tests, why } = page.reachOf(file);
    if (!lab && why) return addAll(file, why);
    if (tests) addTests(tests, lab);
    if (lab && why) addTestsOf(lab);
    else if (lab) result.browser.add(`\\b${lab}\\b`);
    const ofLab = lab ? `, and those of the lab ${lab}` : "";
    result.reasons.push(
      `${file}: ${countOf(tests ?? page.testsOfLab(lab))} that use an entry that loads it${ofLab}, and first visits.`,
    );
  };
  for (const file of files) {
    const crate = ownerOf(file, packages);
    if (IGNORED_PATTERN.test(file)) continue;
    else if (DOCUMENT_PATTERN.test(file)) result.documents = true;
    else if (EVERYTHING_PATTERN.test(file)) result.everything = true;
    else if (crate) {
      const reached = dependents(crate.name, packages);
      for (const name of reached) result.crates.add(name);
      result.bundles ||= reached.has("learnery-web");
      // Unit tests of the page read the template of labs.
      result.tests ||= file.startsWith("xtask/template/");
      if (labs.includes(labName(crate))) addTestsOf(labName(crate));
      else if (reached.has("learnery-web")) addAll(file, "bundles are made of it");
      else if (reached.has("learnery-cli"))
        for (const name of WITH_COMMAND_LINE) result.browser.add(`\\b${name}\\.test`);
    } else if (PAGE_PATTERN.test(file)) {
      addPageFile(file);
    } else if (BUILD_PATTERN.test(file)) {
      result.page = true;
      result.onlyTexts = false;
      addAll(file, "the page is built with it");
    } else if (/^tests\/browser\//.test(file)) {
      result.tests = true;
      const [, name] = /^tests\/browser\/([\w.-]+\.mjs)$/.exec(file) ?? [];
      const tests = page.tests.filter(({ helpers }) => helpers.has(name));
      if (page.tests.some((test) => test.file === name)) result.browser.add(literally(name));
      // A file that was removed has no tests to run.
      else if (name?.endsWith(".test.mjs")) continue;
      else if (tests.length > 0) addTests(tests);
      else addAll(file, "every browser test may use it");
    } else if (/^tests\/page\//.test(file)) result.tests = true;
    else if (/^scripts\//.test(file) && !scripts.has(file)) result.tests = true;
    else result.everything = true;
  }
  return result;
}

const literally = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** Matches the test in the name that the runner makes of its project, file, group and title. */
const patternOf = ({ file, title }, not = "") => `\\b${literally(file)} ${not}(.* )?${title}$`;

const countOf = ({ size }) => `${size} browser test${size === 1 ? "" : "s"}`;

/** The package in whose folder a file is. */
function ownerOf(file, packages) {
  const around = packages.filter(({ folder }) => file.startsWith(`${folder}/`));
  return around.sort((a, b) => b.folder.length - a.folder.length)[0];
}

/** The name of a lab's crate without the prefix that all crates have. */
const labName = ({ name }) => name.replace(/^learnery-/, "");

/**
 * The crate and those that it can change: the crates that depend on it, directly or through others, and the crates
 * whose tests use one of these.
 */
function dependents(name, packages) {
  const reached = new Set([name]);
  for (let size = 0; size < reached.size;) {
    size = reached.size;
    for (const each of packages) if (each.uses.some((other) => reached.has(other))) reached.add(each.name);
  }
  const tests = packages.filter((each) => each.testsUse.some((other) => reached.has(other)));
  for (const each of tests) reached.add(each.name);
  return reached;
}

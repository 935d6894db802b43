// `npm test -- changed [BASE]`: what a change can reach. Files belong to crates, labs of the page, test files and so
// on. A crate reaches the crates that depend on it. The crate or page of a lab reaches the browser tests of that lab. A
// file that belongs to none of these reaches everything.

import { Missing, capture } from "./commands.mjs";

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

/** Files that change how every crate or bundle is compiled, or that tests of several crates read. */
const EVERYTHING_PATTERN =
  /^(Cargo\.(toml|lock)|rust-toolchain\.toml|clippy\.toml|\.cargo\/|tests\/golden\/|models\/|xtask\/(?!template\/))/;
/** Files that nothing is built from and no test reads. */
const IGNORED_PATTERN = /^(\.github\/|LICENSE|\.gitignore$|rustfmt\.toml$|docs\/.*\.(png|jpg)$)/;
/**
 * Texts, which the page's unit tests read. The page is built from one of them, the glossary, but no browser test depends
 * on its words. Texts in a crate's `tests` belong to that crate.
 */
const TEXT_PATTERN = /^(?!crates\/.*\/tests\/).*\.md$/;
/** Sources of the page that belong to no lab. */
const PAGE_PATTERN = /^(www\/|[\w-]+\.html$|vite\.config\.ts$|tsconfig\.json$)/;
/** Browser tests of the command-line program, by parts of their names. */
const WITH_COMMAND_LINE = ["fleet.test", "links.test", "onnx.test", "protocol.test"];

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
  /** Whether texts changed that the page's unit tests read. */
  texts = false;
  /** Words that occur in the files or titles of browser tests to run; `null` among them stands for all tests. */
  browser = new Set();

  /** A pattern of the files and titles of the browser tests to run; undefined for all of them. */
  get browserTests() {
    if (this.everything || this.browser.has(null)) return undefined;
    return [...this.browser].map((word) => word.replaceAll(".", "\\.")).join("|");
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
      "page lints": ofPage || this.texts,
      "page units": ofPage || this.texts,
      "rust tests": beyondPython,
      "fleet tests": has("fleet", "cli"),
      "gpu tests": has("gpu", "labs"),
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
 * test` itself consists of, and `browserFiles` the files of the browser tests with the labs that each names.
 */
export function reach(files, { packages, scripts, browserFiles }) {
  const result = new Reach();
  const labs = packages.filter(({ isLab }) => isLab);
  /** Adds the browser tests that have the lab in their title, and the test files that are about this lab alone. */
  const addTestsOf = (lab) => {
    result.browser.add(lab);
    for (const { name, labs } of browserFiles) if (labs.length === 1 && labs[0] === lab) result.browser.add(name);
  };
  for (const file of files) {
    const [, lab] = /^www\/(?:labs|generated\/labs)\/(\w+)(?:\/|\.ts$)/.exec(file) ?? [];
    const crate = ownerOf(file, packages);
    if (IGNORED_PATTERN.test(file)) continue;
    else if (TEXT_PATTERN.test(file)) result.texts = true;
    else if (EVERYTHING_PATTERN.test(file)) result.everything = true;
    else if (crate) {
      const reached = dependents(crate.name, packages);
      for (const name of reached) result.crates.add(name);
      result.bundles ||= reached.has("learnery-web");
      // Unit tests of the page read the template of labs.
      result.tests ||= file.startsWith("xtask/template/");
      if (labs.includes(crate)) addTestsOf(labName(crate));
      else if (reached.has("learnery-web")) result.browser.add(null);
      else if (reached.has("learnery-cli")) for (const word of WITH_COMMAND_LINE) result.browser.add(word);
    } else if (labs.some((each) => labName(each) === lab)) {
      result.page = true;
      addTestsOf(lab);
    } else if (PAGE_PATTERN.test(file)) {
      result.page = true;
      result.browser.add(null);
    } else if (/^tests\/browser\//.test(file)) {
      result.tests = true;
      const [, test = null] = /^tests\/browser\/([\w-]+\.test\.mjs)$/.exec(file) ?? [];
      // A file that was removed has no tests to run.
      if (test === null || browserFiles.some(({ name }) => name === test)) result.browser.add(test);
    } else if (/^tests\/page\//.test(file)) result.tests = true;
    else if (/^scripts\//.test(file) && !scripts.has(file)) result.tests = true;
    else result.everything = true;
  }
  return result;
}

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

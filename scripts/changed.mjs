// `npm test -- changed [BASE]`: what a change can reach. Files belong to crates, labs of the page, test files and so on; a crate
// reaches the crates that depend on it, and a lab's crate or page reaches the browser tests that name the lab. Where a file
// belongs to none of these, everything is reached.

import { capture } from "./commands.mjs";

/** Where the present branch began, seen from the branch that it will be merged into; on `main`, what is not committed has changed. */
export async function usualBase() {
  const upstream = await capture("git", ["rev-parse", "--abbrev-ref", "@{upstream}"]);
  return (await capture("git", ["merge-base", "HEAD", upstream ?? "main"])) ?? "HEAD";
}

/** The files that differ from the revision `base`, and new ones that git does not ignore. */
export async function changedFiles(base) {
  const lines = async (...args) => {
    const text = await capture("git", args);
    if (text === undefined) throw new Error(`git knows no revision ${base} to compare with (1)`);
    return text.split("\n").filter(Boolean);
  };
  const tracked = await lines("diff", "--name-only", "--no-renames", base, "--");
  return [...tracked, ...(await lines("ls-files", "--others", "--exclude-standard"))];
}

/** Files that change how every crate is compiled, or that tests of several crates read. */
const EVERY_CRATE = /^(Cargo\.(toml|lock)|rust-toolchain\.toml|clippy\.toml|\.cargo\/|tests\/golden\/|models\/)/;
/** Files that nothing is built from and no test reads. */
const NOTHING = /^(\.github\/|LICENSE|\.gitignore$|rustfmt\.toml$|docs\/.*\.(png|jpg)$)/;
/** Texts, which the page's unit tests read: the glossary, the guide for labs. */
const TEXT = /\.md$/;
/** Sources of the page that are no lab's. */
const PAGE = /^(www\/|[\w-]+\.html$|vite\.config\.ts$|tsconfig\.json$)/;

/** What a change reaches. */
export class Reach {
  everything = false;
  /** Names of crates: those that changed, and those that depend on them. */
  crates = new Set();
  /** Labs whose bundles are built anew; `null` stands for all of them. */
  bundles = new Set();
  /** Labs that the browser tests are about, and names of changed files of browser tests. */
  browser = new Set();
  /** Whether sources of the page changed, those of its tests or scripts, or texts. */
  page = false;
  tests = false;
  texts = false;

  /** The labs whose bundles are built anew; none stands for all of them. */
  get bundlesToBuild() {
    return this.everything || this.bundles.has(null) ? [] : [...this.bundles];
  }

  /** Matches files and titles of the browser tests to run; undefined for all of them. One page is always opened. */
  get browserTests() {
    if (this.everything || this.browser.has(null)) return undefined;
    return [...this.browser, "start.test.mjs"].map((word) => word.replaceAll(".", "\\.")).join("|");
  }

  get stages() {
    const { crates } = this;
    const has = (name) => crates.has(`learnery-${name}`);
    const isPythonAlone = crates.size === 1 && has("python");
    const builds = this.bundles.size > 0 || this.page;
    const stages = {
      formatting: true,
      "direction of dependencies": crates.size > 0,
      lints: crates.size > 0 && !isPythonAlone,
      "page types": this.page || this.tests,
      "page lints": this.page || this.tests || this.texts,
      "page units": this.page || this.tests || this.texts,
      "rust tests": crates.size > 0 && !isPythonAlone,
      "fleet tests": has("fleet"),
      "gpu tests": has("gpu") || has("lab") || this.bundles.size > 0,
      "wasm bundles": builds,
      site: builds,
      "python tests": has("python"),
      "wasm tests": has("web"),
      "browser tests": builds || this.browser.size > 0,
    };
    return Object.keys(stages).filter((name) => this.everything || stages[name]);
  }
}

/**
 * What the change of these files reaches. `packages` are the workspace's (`crates.mjs`). `scripts` are the files that `npm test`
 * itself consists of.
 */
export function reach(files, { packages, scripts }) {
  const result = new Reach();
  const labs = packages.filter(({ isLab }) => isLab);
  const owner = (file) => {
    const inside = packages.filter(({ folder }) => file.startsWith(`${folder}/`));
    return inside.sort((a, b) => b.folder.length - a.folder.length)[0];
  };
  for (const file of files) {
    const [, lab] = /^www\/(?:labs|generated\/labs)\/(\w+)(?:\/|\.ts$)/.exec(file) ?? [];
    const crate = owner(file);
    if (NOTHING.test(file)) continue;
    else if (TEXT.test(file)) result.texts = true;
    else if (EVERY_CRATE.test(file)) result.everything = true;
    else if (crate) {
      const reached = dependents(crate.name, packages);
      for (const name of reached) result.crates.add(name);
      const isLab = labs.includes(crate);
      const inBundles = isLab || reached.has("learnery-web");
      if (inBundles) result.bundles.add(isLab ? labName(crate) : null);
      if (inBundles) result.browser.add(isLab ? labName(crate) : null);
    } else if (labs.some((each) => labName(each) === lab)) {
      result.page = true;
      result.browser.add(lab);
    } else if (PAGE.test(file)) {
      result.page = true;
      result.browser.add(null);
    } else if (/^tests\/browser\/[\w-]+\.test\.mjs$/.test(file)) {
      result.tests = true;
      result.browser.add(file.split("/").at(-1));
    } else if (/^tests\/browser\//.test(file)) {
      result.tests = true;
      result.browser.add(null);
    } else if (/^tests\/page\//.test(file)) result.tests = true;
    else if (/^scripts\//.test(file) && !scripts.has(file)) result.tests = true;
    else result.everything = true;
  }
  return result;
}

/** The name of a lab's crate without the prefix that all crates have. */
const labName = ({ name }) => name.replace(/^learnery-/, "");

/**
 * The crate and those that it can change: the crates that depend on it, through any number of others, and those whose tests use
 * one of these.
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

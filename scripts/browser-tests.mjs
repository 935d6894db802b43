// Runs the browser tests in Playwright's runner, which tests/browser/playwright.config.mjs configures: all tests or
// those that words select, once or repeatedly, to find tests that fail sometimes.

import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./commands.mjs";
import { counted } from "./count.mjs";

const FOLDER = join(root, "tests/browser");
const RUNNER = join(root, "node_modules/@playwright/test/cli.js");
const CONFIGURATION = join(FOLDER, "playwright.config.mjs");

/** Projects of the configuration: all but `kernels`, which needs what the Rust tests of the GPU write. */
const PROJECTS = ["page", "command line"];

/** Matches a text literally. */
const literally = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/**
 * The runner's arguments for words. A word that occurs in names of files selects these files; any other word selects
 * tests by their titles.
 */
function selection(words) {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".test.mjs"));
  const titles = words.filter((word) => !files.some((name) => name.includes(word)));
  const selected = files.filter((name) => words.some((word) => name.includes(word)));
  return [
    ...selected.map((name) => literally(join(FOLDER, name))),
    ...(titles.length ? ["--grep", titles.map(literally).join("|")] : []),
  ];
}

/** Starts a program that keeps one core busy until it is killed, or until this one has ended. */
const startLoad = () =>
  spawn(process.execPath, ["-e", `while (process.ppid === ${process.pid});`], { stdio: "ignore" });

/**
 * Runs the tests that `words` or the pattern `grep` select, and resolves to their count. With `repeat`, each test runs
 * that many times, beside a program that keeps one core busy. With `output`, an array, the runner's output is collected
 * there.
 */
export async function runBrowserTests({ projects = PROJECTS, words = [], grep, repeat, output } = {}) {
  // The runner empties its folder when it begins, and another one may run meanwhile: the kernels' beside the page's.
  const artifacts = join(root, "target/browser-tests", projects[0]);
  const args = [RUNNER, "test", "--config", CONFIGURATION, "--output", artifacts];
  args.push(...projects.map((name) => `--project=${name}`));
  if (repeat) args.push(`--repeat-each=${repeat}`);
  if (grep) args.push("--grep", grep);
  const load = repeat && startLoad();
  try {
    return await counted(process.execPath, [...args, ...selection(words)], { output });
  } finally {
    load?.kill();
  }
}

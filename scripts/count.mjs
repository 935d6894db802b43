// Runs a test program, passes its output on, and counts the tests that it reports as passed and failed, with the names
// of those that have failed. A program that reports none has failed: its tests were not found.

import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { root } from "./commands.mjs";
import { asStageProgram } from "./processor-time.mjs";

/** Numbers of tests. The text leaves skipped ones out, because each has printed its reason. */
export class Counter {
  passed = 0;
  failed = 0;
  skipped = 0;
  /** Lines for the summary: the names of failed tests, and what their programs say about the reason. */
  failures = new Set();

  add({ passed, failed, skipped = 0, failures = [] }) {
    this.passed += passed;
    this.failed += failed;
    this.skipped += skipped;
    for (const line of failures) this.failures.add(line);
  }

  /** Whether no test was found. */
  get isEmpty() {
    return this.passed + this.failed + this.skipped === 0;
  }

  toString() {
    return `${this.passed} passed, ${this.failed} failed`;
  }
}

// The summary lines of cargo test, which the wasm tests print too, of Node's spec reporter, of Playwright's list, and
// of pytest.
const CARGO_SUMMARY = /^test result: .*?(\d+) passed; (\d+) failed/;
const NODE_PASSED = /^ℹ pass (\d+)$/;
const NODE_FAILED = /^ℹ (?:fail|cancelled) (\d+)$/;
const NODE_SKIPPED = /^ℹ (?:skipped|todo) (\d+)$/;
/** Node reports a file without any test as one passed test with the name of the file. */
const NODE_FILE = /^✔ (.+) \([\d.]+ms\)$/;
const PLAYWRIGHT_SUMMARY = /^ {2}(\d+) (passed|failed|interrupted|did not run|skipped)\b/;
const PYTEST_SUMMARY = /^=* ?((?:\d+ \w+(?:, )?)+) in [\d.]+s/;

/**
 * Lines with the name of a failed test: of cargo test, of Node's reporter, of pytest, and of Playwright, which also
 * prints what went wrong, and in our browser tests what the page says (`printAlerts` in tests/browser/harness.mjs).
 */
const FAILURES = [
  /^test (.+) \.\.\. FAILED$/,
  /^ *✖ (.+) \([\d.]+ms\)$/,
  /^FAILED (.+)$/,
  /^ {2}\d+\) (\[.+?)[ ─]*$/,
  /^ {4}((?:\w*Error:|Test timeout).+)$/,
  /^(\S+ says: .+)$/,
];

/** Adds the numbers in a summary line, or the name of a failed test, to the count. */
function addLine(line, count) {
  for (const pattern of FAILURES) {
    const [, failure] = pattern.exec(line) ?? [];
    if (failure) count.failures.add(failure);
  }
  const cargo = CARGO_SUMMARY.exec(line);
  if (cargo) count.add({ passed: Number(cargo[1]), failed: Number(cargo[2]) });
  for (const [, number, what] of PYTEST_SUMMARY.exec(line)?.[1].matchAll(/(\d+) (\w+)/g) ?? []) {
    if (what === "passed") count.passed += Number(number);
    if (/^(failed|errors?)$/.test(what)) count.failed += Number(number);
    if (what === "skipped") count.skipped += Number(number);
  }
  const [, tests, outcome] = PLAYWRIGHT_SUMMARY.exec(line) ?? [];
  if (outcome) count[outcome in count ? outcome : "failed"] += Number(tests);
  count.passed += Number(NODE_PASSED.exec(line)?.[1] ?? 0);
  count.failed += Number(NODE_FAILED.exec(line)?.[1] ?? 0);
  count.skipped += Number(NODE_SKIPPED.exec(line)?.[1] ?? 0);
}

/**
 * Runs a test program and resolves to its count. If it fails or has no test, the error has the count so far as `count`.
 * With `output`, an array, what the program writes is collected there and not passed on.
 */
export async function counted(program, args, options) {
  const count = await countedOrNone(program, args, options);
  if (count.isEmpty) throw Object.assign(new Error(`\`${[program, ...args].join(" ")}\` ran no test`), { count });
  return count;
}

/** Like `counted`, but a program may have no test: for one of several whose sum the caller checks. */
export async function countedOrNone(program, args, options) {
  const count = new Counter();
  const files = [];
  await runLines(program, args, options, count, (line) => {
    addLine(line, count);
    const file = NODE_FILE.exec(line)?.[1];
    if (file && args.includes(file)) files.push(file);
  });
  count.passed -= files.length;
  if (files.length) throw Object.assign(new Error(`these files have no test:\n${files.join("\n")}`), { count });
  return count;
}

/**
 * Runs a program that is a check and has no tests, such as a lint. Resolves to the count of one test that has passed.
 * `output` is as above.
 */
export async function checked(program, args, options) {
  const count = new Counter();
  await runLines(program, args, options, count, () => {});
  count.passed = 1;
  return count;
}

/** Runs a program and calls `onLine` with each line that it writes. If it fails, the error has `count`. */
function runLines(program, args, { cwd = root, env = process.env, output } = {}, count, onLine) {
  // A program that writes into a pipe would leave out colours, although they end up in the terminal.
  const color = process.stdout.isTTY ? { CARGO_TERM_COLOR: "always", FORCE_COLOR: "1" } : {};
  return new Promise((resolve, reject) => {
    // Wrapped so that its processor time is counted for the stage.
    const child = spawn(...asStageProgram(program, args), {
      cwd,
      env: { ...env, ...color },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      // Output arrives in pieces: this is the beginning of a line whose end has not arrived.
      let rest = "";
      const take = (line) => onLine(stripVTControlCharacters(line));
      from.setEncoding("utf8").on("data", (text) => {
        if (output) output.push(text);
        else to.write(text);
        const lines = (rest + text).split("\n");
        rest = lines.pop();
        lines.forEach(take);
      });
      from.on("end", () => take(rest));
    }
    child.on("error", (error) => reject(Object.assign(error, { count })));
    child.on("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(Object.assign(new Error(`\`${program} ${args[0] ?? ""}\` failed (${signal ?? code})`), { count }));
    });
  });
}

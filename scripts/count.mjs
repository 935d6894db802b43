// Runs a test program, passes its output on, and counts the tests that it reports as passed and failed.

import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { root } from "./commands.mjs";
import { inGroup } from "./processor-time.mjs";

/** Numbers of passed and failed tests. */
export class Counter {
  passed = 0;
  failed = 0;

  add({ passed, failed }) {
    this.passed += passed;
    this.failed += failed;
  }

  toString() {
    return `${this.passed} passed, ${this.failed} failed`;
  }
}

// The summary lines of cargo test, which the wasm tests print too, of Node's spec reporter, and of pytest.
const CARGO = /^test result: .*?(\d+) passed; (\d+) failed/;
const NODE_PASSED = /^ℹ pass (\d+)$/;
const NODE_FAILED = /^ℹ (?:fail|cancelled) (\d+)$/;

const PYTEST = /^=* ?((?:\d+ \w+(?:, )?)+) in [\d.]+s/;

/** Adds the numbers in a summary line to the count. */
function addLine(line, count) {
  const cargo = CARGO.exec(line);
  if (cargo) count.add({ passed: Number(cargo[1]), failed: Number(cargo[2]) });
  for (const [, number, what] of PYTEST.exec(line)?.[1].matchAll(/(\d+) (\w+)/g) ?? []) {
    if (what === "passed") count.passed += Number(number);
    if (/^(failed|errors?)$/.test(what)) count.failed += Number(number);
  }
  count.passed += Number(NODE_PASSED.exec(line)?.[1] ?? 0);
  count.failed += Number(NODE_FAILED.exec(line)?.[1] ?? 0);
}

/**
 * Runs a program and resolves to its count. If it fails, the error has the count so far as `count`. With `output`, an array, what the
 * program writes is collected there and not passed on.
 */
export function counted(program, args, { cwd = root, env = process.env, output } = {}) {
  // A program that writes into a pipe would leave out colours, although they end up in the terminal.
  const color = process.stdout.isTTY ? { CARGO_TERM_COLOR: "always", FORCE_COLOR: "1" } : {};
  return new Promise((resolve, reject) => {
    const child = spawn(...inGroup(program, args), {
      cwd,
      env: { ...env, ...color },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const count = new Counter();
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      // Output arrives in pieces: this is the beginning of a line whose end has not arrived.
      let rest = "";
      from.setEncoding("utf8").on("data", (text) => {
        if (output) output.push(text);
        else to.write(text);
        const lines = (rest + text).split("\n");
        rest = lines.pop();
        for (const line of lines) addLine(stripVTControlCharacters(line), count);
      });
    }
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) resolve(count);
      else reject(Object.assign(new Error(`\`${program} ${args[0] ?? ""}\` failed (${signal ?? code})`), { count }));
    });
  });
}

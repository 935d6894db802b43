// What the drivers of this folder have in common. Each engine is a file that exports `start(options)`, which resolves
// to an object with `version`, `open(address)` and `close()`. `open` resolves to a page of a new visitor with
//
//   evaluate(code)   the value of a JavaScript expression in the page; if it is a promise, what that resolves to
//   screenshot()     a PNG file as bytes
//   errors()         the errors on the console so far, as texts
//   close()
//
// The drivers speak the browsers' own protocols, because Playwright's Firefox and WebKit are builds of its own, not the
// browsers of visitors.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A browser must answer within this time. It is long, because a machine may be busy. */
export const ANSWER_MS = 240_000;

/** Wraps an expression so that its value arrives as JSON text, which every protocol carries unchanged. */
export const asJson = (code) =>
  `Promise.resolve((() => (${code}))()).then((value) => JSON.stringify(value === undefined ? null : value))`;

/** Rejects if a promise is not settled in time. The error quotes `what`. */
export async function inTime(what, promise, milliseconds = ANSWER_MS) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${milliseconds / 1000} s: ${what}`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A folder that is removed when the process ends. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "learnery-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * A program that runs until `stop()`, with the processes that it starts. `lines` are those of its output so far, and
 * `line(pattern)` resolves to the first match of a pattern in them.
 */
export function start(program, args, { env = {}, ...options } = {}) {
  // A group of its own, so that stopping it also stops the processes that it has started.
  const child = spawn(program, args, { stdio: "pipe", detached: true, env: { ...process.env, ...env }, ...options });
  const lines = [];
  const waiting = new Set();
  let failure = null;
  const wake = () => waiting.forEach((check) => check());
  for (const stream of [child.stdout, child.stderr]) {
    let rest = "";
    stream.setEncoding("utf8").on("data", (text) => {
      const parts = (rest + text).split("\n");
      rest = parts.pop();
      lines.push(...parts);
      wake();
    });
  }
  const ended = new Promise((resolve) => {
    const end = (reason) => {
      failure ??= new Error(`${program} has ended (${reason}):\n${lines.slice(-20).join("\n")}`);
      wake();
      resolve();
    };
    child.on("error", (error) => end(error.message));
    child.on("close", (code, signal) => end(signal ?? code));
  });
  const kill = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has ended already.
    }
  };
  process.on("exit", () => kill("SIGKILL"));
  return {
    lines,
    line: (pattern) =>
      inTime(
        `${pattern} in the output of ${program}`,
        new Promise((resolve, reject) => {
          const check = () => {
            const found = lines.map((line) => pattern.exec(line)).find(Boolean);
            if (!found && !failure) return;
            waiting.delete(check);
            if (found) resolve(found);
            else reject(failure);
          };
          waiting.add(check);
          check();
        }),
      ),
    async stop() {
      kill("SIGTERM");
      await inTime("the end", ended, 5000).catch(() => kill("SIGKILL"));
      await ended;
    },
  };
}

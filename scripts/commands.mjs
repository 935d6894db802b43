// Functions shared by the scripts: they run programs and report errors.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { asStageProgram } from "./processor-time.mjs";

/** The root of the repository. */
export const root = fileURLToPath(new URL("../", import.meta.url));

/** The error for something that a person has to install, with how to do it. */
export class Missing extends Error {
  constructor(what, how) {
    super(`${what}\n${how}`);
  }
}

/** True for the user root, who may install system packages. */
export const isRoot = () => process.getuid?.() === 0;

const windows = process.platform === "win32";

/** Runs a program in the root of the repository and inherits its output. */
export function run(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(...asStageProgram(program, args), { cwd: root, stdio: "inherit", ...options });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`\`${[program, ...args].join(" ")}\` failed (${signal ?? code})`));
    });
  });
}

/** Runs a program and resolves to its standard output, or to undefined if it is missing or fails. */
export function capture(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(...asStageProgram(program, args), {
      cwd: root,
      stdio: ["ignore", "pipe", "ignore"],
      ...options,
    });
    let text = "";
    child.stdout.on("data", (data) => (text += data));
    child.on("error", () => resolve(undefined));
    child.on("close", (code) => resolve(code === 0 ? text.trim() : undefined));
  });
}

/** Runs npm, which on Windows is a script and needs a shell. */
export const npm = (args) => run("npm", args, { shell: windows });

/** Runs a script's main function. A failure becomes a sentence and an exit code. */
export function main(body) {
  body().catch((error) => {
    // Errors of the scripts themselves, such as "`cargo test` failed (101)", are clear without the stack.
    const needsNoStack = error instanceof Missing || /failed \(/.test(error.message);
    console.error(`\n${needsNoStack ? error.message : error.stack}`);
    process.exitCode = 1;
  });
}

/** A duration in words: 1.5 s. */
export const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

// Functions that the scripts share: running programs and reporting errors.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const root = fileURLToPath(new URL("../", import.meta.url));

/** Something that a person has to install, and how. */
export class Missing extends Error {
  constructor(what, how) {
    super(`${what}\n${how}`);
  }
}

/** True where system packages may be installed. */
export const isRoot = () => process.getuid?.() === 0;

const windows = process.platform === "win32";

/** Runs a program in the root of the repository and inherits its output. */
export function run(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: "inherit", ...options });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`\`${[program, ...args].join(" ")}\` failed (${signal ?? code})`));
    });
  });
}

/** What a program prints to standard output, or undefined if it is missing or fails. */
export function capture(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "ignore"], ...options });
    let text = "";
    child.stdout.on("data", (data) => (text += data));
    child.on("error", () => resolve(undefined));
    child.on("close", (code) => resolve(code === 0 ? text.trim() : undefined));
  });
}

/** Runs npm, which on Windows is a script and needs a shell. */
export const npm = (args) => run("npm", args, { shell: windows });

/** Runs the JavaScript program of an npm package with this version of Node. */
export const runPackage = (file, args, options) =>
  run(process.execPath, [`${root}node_modules/${file}`, ...args], options);

/** Runs a script's main function. A failure becomes a sentence and an exit code. */
export function main(body) {
  body().catch((error) => {
    const plain = error instanceof Missing || /failed \(/.test(error.message);
    console.error(`\n${plain ? error.message : error.stack}`);
    process.exitCode = 1;
  });
}

export const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

// Speaking plainly and running programs: what the other scripts share.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const root = fileURLToPath(new URL("../", import.meta.url));

/** Something a person has to install: what is missing, and how to get it. */
export class Missing extends Error {
  constructor(what, how) {
    super(`${what}\n${how}`);
  }
}

/** True where packages of the system may be installed. */
export const isRoot = () => process.getuid?.() === 0;

const windows = process.platform === "win32";

/** Runs a program in the root of the repository, its output going where this one's goes. */
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

/** What a program writes to standard output, or undefined where it is missing or fails. */
export function ask(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "ignore"], ...options });
    let text = "";
    child.stdout.on("data", (data) => (text += data));
    child.on("error", () => resolve(undefined));
    child.on("close", (code) => resolve(code === 0 ? text.trim() : undefined));
  });
}

/** npm, which on Windows is a script that only a shell starts. */
export const npm = (args) => run("npm", args, { shell: windows });

/** The JavaScript program of an npm package, run by this Node. */
export const tool = (file, args, options) => run(process.execPath, [`${root}node_modules/${file}`, ...args], options);

/** Runs a script's main function; a failure is a sentence and an exit code. */
export function main(body) {
  body().catch((error) => {
    const plain = error instanceof Missing || /failed \(/.test(error.message);
    console.error(`\n${plain ? error.message : error.stack}`);
    process.exitCode = 1;
  });
}

/** A duration for people. */
export const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

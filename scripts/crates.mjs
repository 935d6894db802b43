// What cargo knows of the crates of the workspace, what it tests, and the command-line program that belongs to the tests.

import { execFile, execFileSync } from "node:child_process";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { root } from "./commands.mjs";

/** All crates but the Python package, whose libraries nobody should compile who does not use it. */
export const WITHOUT_PYTHON = ["--workspace", "--exclude=learnery-python"];

/**
 * What the tests of the crates, of fleets and of the GPU select. All have the same packages and features, so that everything is
 * compiled once.
 */
export function testedCrates() {
  const features = ["learnery-web/bindings", "learnery-cli/fleet", "learnery-cli/watch", "learnery-web/gpu"];
  return [
    ...WITHOUT_PYTHON,
    ...["xtask", "xtask-bindgen"].map((name) => `--exclude=${name}`),
    "--no-default-features",
    `--features=${[...features, ...labsOnGpu().map((name) => `${name}/gpu`)].join()}`,
  ];
}

/** The names of the crates in `crates/labs/` that compute on a GPU as well: those with a feature `gpu`. */
function labsOnGpu() {
  const metadata = execFileSync("cargo", ["metadata", "--no-deps", "--format-version=1"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(metadata)
    .packages.filter(({ manifest_path: manifest, features }) => isLab(manifest) && "gpu" in features)
    .map(({ name }) => name);
}

/** True for the manifest of a lab's crate. */
const isLab = (manifest) => relative(join(root, "crates/labs"), dirname(manifest)).match(/^\w+$/) !== null;

/**
 * Builds the command-line program as the Rust tests do, unless they have, and resolves to its path. If they are being compiled
 * at this moment, cargo waits for that.
 */
export async function buildCommandLine() {
  // cargo builds a package's programs for its integration tests.
  const args = ["test", "--quiet", ...testedCrates(), "--test=fleet", "--no-run"];
  await promisify(execFile)("cargo", args, { cwd: root, maxBuffer: Infinity });
  return join(root, "target/debug", process.platform === "win32" ? "learnery.exe" : "learnery");
}

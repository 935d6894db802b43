// The crates of the workspace as cargo knows them, which of them it tests with which features, and the command-line
// program that browser tests use.

import { execFile, execFileSync } from "node:child_process";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { capture, root } from "./commands.mjs";

/** All crates but the Python package. Only those who use that package should have to compile its libraries. */
export const WITHOUT_PYTHON = ["--workspace", "--exclude=learnery-python"];

/**
 * Cargo's arguments with which the tests of the crates, of fleets and of the GPU are compiled. All have the same
 * packages and features, so that everything is compiled once.
 */
export function testedCrates() {
  // No crate depends on the template of labs, the bandit, so its features are not those that other crates choose.
  const bindings = ["learnery-web/bindings", "learnery-bandit/bindings"];
  const features = [...bindings, "learnery-cli/fleet", "learnery-cli/gpu", "learnery-cli/watch", "learnery-web/gpu"];
  return [
    ...WITHOUT_PYTHON,
    ...["xtask", "xtask-bindgen"].map((name) => `--exclude=${name}`),
    "--no-default-features",
    `--features=${[...features, ...labsOnGpu().map((name) => `${name}/gpu`)].join()}`,
  ];
}

/**
 * The packages of the workspace: name, folder in the repository, whether it is a lab's, its features, whether `gpu` is
 * one of them, and the names of the packages that it uses, and that only its tests use.
 */
export function workspace() {
  const metadata = execFileSync("cargo", ["metadata", "--no-deps", "--format-version=1"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(metadata).packages.map(({ name, manifest_path: manifest, features, dependencies }) => {
    const names = (isOfTests) =>
      dependencies.filter(({ kind }) => (kind === "dev") === isOfTests).map((each) => each.name);
    return {
      name,
      folder: relative(root, dirname(manifest)).replaceAll("\\", "/"),
      isLab: isLab(manifest),
      features: Object.keys(features),
      usesGpu: "gpu" in features,
      uses: names(false),
      testsUse: names(true),
    };
  });
}

/** The names of the crates in `crates/labs/` that compute on a GPU as well: those with a feature `gpu`. */
const labsOnGpu = () =>
  workspace()
    .filter(({ isLab, usesGpu }) => isLab && usesGpu)
    .map(({ name }) => name);

/** True for the manifest of a lab's crate. */
const isLab = (manifest) => relative(join(root, "crates/labs"), dirname(manifest)).match(/^\w+$/) !== null;

/**
 * Compiles the tests as `cargo test` with these targets does. Resolves to the test programs of the crates that are
 * named, each with the folder in which cargo would run it.
 */
export async function testPrograms(names, targets) {
  const args = ["test", ...testedCrates(), ...targets, "--no-run", "--message-format=json-render-diagnostics"];
  const output = await capture("cargo", args, { stdio: ["ignore", "pipe", "inherit"] });
  if (output === undefined) throw new Error("`cargo test --no-run` failed (see above)");
  const folders = new Map(workspace().map(({ name, folder }) => [join(root, folder, "Cargo.toml"), { name, folder }]));
  return output
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter(({ profile, executable }) => profile?.test && executable)
    .map(({ executable, manifest_path: manifest }) => ({ program: executable, ...folders.get(manifest) }))
    .filter(({ name }) => names.has(name))
    .map(({ program, folder }) => ({ program, folder: join(root, folder) }));
}

/**
 * Builds the command-line program as the Rust tests do, unless they have, and resolves to its path. If they are being
 * compiled at this moment, cargo waits for that.
 */
export async function buildCommandLine() {
  // cargo builds a package's programs for its integration tests.
  const args = ["test", "--quiet", ...testedCrates(), "--test=fleet", "--no-run"];
  await promisify(execFile)("cargo", args, { cwd: root, maxBuffer: Infinity });
  return join(root, "target/debug", process.platform === "win32" ? "learnery.exe" : "learnery");
}

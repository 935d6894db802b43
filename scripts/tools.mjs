// The programs of the Rust world that the tests need and that npm does not have. They are built from
// source into target/tools, once.

import { existsSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ask, root, run } from "./tell.mjs";

const HOME = join(root, "target/tools");

// Both share many crates, so they are built in one place.
const BUILD = join(HOME, "build");

/** The environment in which they are found. */
export const withTools = () => ({ ...process.env, PATH: `${join(HOME, "bin")}${delimiter}${process.env.PATH}` });

/** wasm-pack, and the test runner of exactly the wasm-bindgen in Cargo.lock. */
export async function ensureTools() {
  const lock = readFileSync(join(root, "Cargo.lock"), "utf8");
  const wasmBindgen = /name = "wasm-bindgen"\nversion = "(.+)"/.exec(lock)[1];
  await ensure("wasm-pack", "wasm-pack", "0.15.1", ["--locked"]);
  // Not `--locked`: its lock file asks for a version of a crate that was taken back.
  await ensure("wasm-bindgen-cli", "wasm-bindgen-test-runner", wasmBindgen, []);
  rmSync(BUILD, { recursive: true, force: true });
}

// They run for seconds and are compiled for minutes.
const QUICKLY = { CARGO_PROFILE_RELEASE_OPT_LEVEL: "1", CARGO_PROFILE_RELEASE_LTO: "off", CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16" };

async function ensure(name, program, version, options) {
  const file = join(HOME, "bin", program);
  if (existsSync(file) && (await ask(file, ["--version"]))?.split(" ")[1] === version) return;
  const args = ["install", ...options, "--root", HOME, "--target-dir", BUILD, "--version", version, name];
  await run("cargo", args, { env: { ...process.env, ...QUICKLY } });
}

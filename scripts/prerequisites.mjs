// Checks that everything needed to build and test is there. Installs the Rust toolchain and the npm packages; for the
// rest it says what a person has to install and how.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Missing, capture, npm, root, run } from "./commands.mjs";
import { which } from "./packages.mjs";

/** Node, a C compiler, Rust with its target for the browser, and the npm packages. */
export async function prerequisites() {
  await ensureCompilers();
  await ensurePackages();
}

/** What compiling the Rust crates needs: everything but the npm packages. */
export async function ensureCompilers() {
  checkNode();
  checkCompiler();
  await ensureRust();
}

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Missing(
    `Node ${process.versions.node} is too old; 20.19 is the oldest that works.`,
    "Get it from https://nodejs.org.",
  );
}

function checkCompiler() {
  if (process.platform === "win32" || which("cc", "gcc", "clang")) return;
  const how =
    process.platform === "darwin" ? "Run `xcode-select --install`." : "On Debian: `apt-get install build-essential`.";
  throw new Missing("A C compiler is missing; Rust links programs with it.", how);
}

/** The pinned toolchain with its components and targets, as listed in rust-toolchain.toml. */
export async function ensureRust() {
  if (!(await capture("rustup", ["--version"]))) {
    throw new Missing(
      (await capture("cargo", ["--version"]))
        ? "Rust was not installed by rustup, and the build for the browser needs a part that only rustup installs."
        : "Rust is missing.",
      "Install it as https://rustup.rs says, open a new terminal, and try again.",
    );
  }
  const pinned = readFileSync(join(root, "rust-toolchain.toml"), "utf8");
  const channel = /^channel = "(.+)"/m.exec(pinned)[1];
  /** The texts in the array of a key of the file, such as `targets = ["wasm32-unknown-unknown"]`. */
  const list = (key) =>
    [...new RegExp(`^${key} = \\[(.*)\\]`, "m").exec(pinned)[1].matchAll(/"([^"]+)"/g)].map((m) => m[1]);
  const [components, targets] = [list("components"), list("targets")];

  // Inside the repository rustup would start to install the toolchain by itself, so it is asked in another folder.
  const installed = async (what) =>
    ((await capture("rustup", [what, "list", "--installed", "--toolchain", channel], { cwd: "/" })) ?? "").split("\n");
  const [haveComponents, haveTargets] = [await installed("component"), await installed("target")];
  // rustup lists a component with the platform in its name: "clippy-x86_64-unknown-linux-gnu".
  const complete =
    components.every((name) => haveComponents.some((have) => have === name || have.startsWith(`${name}-`))) &&
    targets.every((name) => haveTargets.includes(name));
  if (complete) return;
  const parts = [...components.flatMap((name) => ["-c", name]), ...targets.flatMap((name) => ["-t", name])];
  await run("rustup", ["toolchain", "install", channel, "--profile", "minimal", "--no-self-update", ...parts], {
    cwd: "/",
  });
}

/** A file that holds the hash of the lock file that the npm packages were installed from. */
const INSTALLED_FROM = join(root, "node_modules/.installed-from");

const lockHash = () =>
  createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");

/** True if exactly the npm packages of the lock file are installed. */
export const packagesInstalled = () =>
  existsSync(INSTALLED_FROM) && readFileSync(INSTALLED_FROM, "utf8") === lockHash();

/** Installs exactly the npm packages of the lock file, unless they are installed already. */
export async function ensurePackages() {
  if (packagesInstalled()) return;
  await npm(["ci", "--no-audit", "--no-fund"]);
  writeFileSync(INSTALLED_FROM, lockHash());
}

// The Python package is tested with crates that the Rust tests have compiled (scripts/python.mjs). Cargo compiles a
// crate again if anything below it is compiled otherwise, so its plans for both are compared.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import process from "node:process";
import test from "node:test";
import { root } from "../../scripts/commands.mjs";
import { testedCrates } from "../../scripts/crates.mjs";
import { PACKAGE_OPTIONS, SHARED_CRATES, exportArguments, packageEnvironment } from "../../scripts/python.mjs";

/** The libraries that a cargo command would compile: their names, each with a hash of it and all that it depends on. */
function plan(env, ...args) {
  const text = execFileSync("cargo", [...args, "-Z", "unstable-options", "--unit-graph"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    env: { ...env, RUSTC_BOOTSTRAP: "1" }, // the graph is an unstable option
  });
  const { units } = JSON.parse(text);
  const hashes = [];
  const hashOf = (index) => (hashes[index] ??= compute(units[index]));
  function compute({ pkg_id, target, profile, platform, mode, features, dependencies }) {
    const settings = { ...profile, name: undefined };
    const below = dependencies.map(({ index, extern_crate_name: name }) => [name, hashOf(index)]);
    const all = [pkg_id, target.name, target.kind, settings, platform, mode, features, below];
    return createHash("sha256").update(JSON.stringify(all)).digest("hex");
  }
  return units.flatMap(({ target, mode }, index) =>
    mode === "build" && target.kind.includes("lib") ? [[target.name, hashOf(index)]] : [],
  );
}

const tests = plan(process.env, "test", "--no-run", ...testedCrates());

test("Python package shares crates with the Rust tests", () => {
  const args = ["rustc", "--manifest-path=python/Cargo.toml", "--lib", ...PACKAGE_OPTIONS];
  const shared = new Map(plan(packageEnvironment(process.env), ...args));
  const compiled = new Map(tests);
  for (const name of SHARED_CRATES.map((name) => name.replaceAll("-", "_"))) {
    assert.ok(shared.has(name), name);
    assert.equal(shared.get(name), compiled.get(name), `${name} would be compiled again`);
  }
});

test("program that writes classes of worlds needs no library that the Rust tests have not compiled", () => {
  const hashes = new Set(tests.map(([, hash]) => hash));
  const libraries = plan(process.env, ...exportArguments());
  assert.ok(libraries.some(([name]) => name === "learnery_world_rules"));
  for (const [name, hash] of libraries) assert.ok(hashes.has(hash), `${name} would be compiled again`);
});

// What a change reaches (scripts/changed.mjs), in a workspace of a few crates.

import assert from "node:assert/strict";
import { test } from "node:test";
import { reach } from "../../scripts/changed.mjs";

const crate = (name, folder, uses, testsUse = []) => ({
  name: `learnery-${name}`,
  folder,
  isLab: folder.startsWith("crates/labs/"),
  uses: uses.map((other) => `learnery-${other}`),
  testsUse: testsUse.map((other) => `learnery-${other}`),
});
const packages = [
  crate("kernels", "crates/kernels", []),
  crate("lab", "crates/lab", ["kernels"]),
  crate("cube", "crates/labs/cube", ["lab"]),
  crate("logic", "crates/labs/logic", ["lab"]),
  crate("labs", "crates/labs", ["cube", "logic"]),
  crate("web", "crates/web", ["labs"]),
  crate("cli", "crates/cli", ["labs"]),
  crate("python", "python", ["labs"]),
  crate("fuzz", "fuzz", [], ["cube"]),
];
const browserFiles = [
  { name: "turns.test.mjs", labs: ["cube"] },
  { name: "looks.test.mjs", labs: ["cube", "logic"] },
];
const of = (...files) => reach(files, { packages, scripts: new Set(["scripts/test.mjs"]), browserFiles });
const names = (crates) => [...crates].map((name) => name.replace("learnery-", "")).sort();

test("lab reaches what depends on it, and neither other labs nor what it uses", () => {
  const result = of("crates/labs/cube/src/lib.rs");
  assert.deepEqual(names(result.crates), ["cli", "cube", "fuzz", "labs", "python", "web"]);
  for (const file of ["cube-large.test.mjs", "turns.test.mjs"]) assert.match(file, new RegExp(result.browserTests));
  for (const file of ["logic.test.mjs", "looks.test.mjs"]) assert.doesNotMatch(file, new RegExp(result.browserTests));
  assert.ok(!result.stages.includes("page units"));
});

test("crate below all labs reaches all of them", () => {
  const result = of("crates/kernels/src/lib.rs", "crates/labs/cube/src/lib.rs");
  assert.equal(result.crates.size, packages.length);
  assert.equal(result.browserTests, undefined);
});

test("page of a lab reaches its browser tests and no crate", () => {
  const result = of("www/labs/cube/story.ts", "www/generated/labs/logic.ts");
  assert.equal(result.crates.size, 0);
  assert.deepEqual(result.browserTests.split("|"), ["cube", "turns\\.test\\.mjs", "logic"]);
  assert.deepEqual(
    result.stages.filter((name) => /tests|lints/.test(name)),
    ["page lints", "browser tests"],
  );
});

test("command line reaches fleets and the browser tests that use it", () => {
  const { stages, browserTests } = of("crates/cli/src/main.rs");
  assert.ok(stages.includes("fleet tests") && stages.includes("site"));
  assert.match("fleet.test.mjs", new RegExp(browserTests));
  assert.doesNotMatch("cube.test.mjs", new RegExp(browserTests));
});

test("what all labs share reaches every browser test", () => {
  for (const file of ["www/ui/dials.ts", "www/labs/manifests.ts", "index.html", "tests/browser/harness.mjs"]) {
    const result = of(file, "www/labs/cube/story.ts");
    assert.ok(result.stages.includes("browser tests"), file);
    assert.equal(result.browserTests, undefined, file);
  }
});

test("tests and texts reach themselves", () => {
  assert.equal(of("tests/browser/turns.test.mjs").browserTests, "turns\\.test\\.mjs");
  assert.equal(of("tests/browser/removed.test.mjs").browserTests, "");
  assert.deepEqual(of("docs/glossary.md").stages, ["formatting", "page lints", "page units"]);
  assert.deepEqual(of("tests/page/link.test.ts").stages, ["formatting", "page types", "page lints", "page units"]);
  assert.deepEqual(of("crates/cli/README.md").stages, of("docs/glossary.md").stages);
  assert.ok(of("crates/cli/tests/commands/cube.md").stages.includes("rust tests"));
  assert.ok(of("python/learnery/_agents.py").stages.includes("python tests"));
  assert.ok(!of("python/learnery/_agents.py").stages.includes("rust tests"));
});

test("what belongs nowhere, and what decides how tests run, reaches everything", () => {
  for (const file of [
    "Cargo.lock",
    "package-lock.json",
    "tests/golden/runs/runs.json",
    "scripts/test.mjs",
    "new-file",
  ]) {
    assert.equal(of(file).stages.length, 14, file);
  }
  assert.deepEqual(of("LICENSE-MIT", ".github/workflows/ci.yml").stages, ["formatting"]);
});

// What a change reaches (scripts/changed.mjs), in a workspace of a few crates and a page of a few files.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { presentPage, reach } from "../../scripts/changed.mjs";
import { root } from "../../scripts/commands.mjs";
import { pageGraph } from "../../scripts/page-graph.mjs";
import { changedTexts } from "../../scripts/page-texts.mjs";
import { PageUse } from "../../scripts/page-use.mjs";

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

const graph = pageGraph(
  new Map(
    Object.entries({
      "index.html": `<script type="module" src="/www/main.ts"></script>`,
      "embed.html": `<script type="module" src="/www/embed/embed.ts"></script>`,
      "www/main.ts": `import "./ui/always"; const front = () => import("./front/front");
        const share = () => import("./ui/share"); const silent = () => import("./ui/silent");
        const LABS = import.meta.glob("./labs/*/manifest.ts", { eager: true });`,
      "www/ui/always.ts": `import type { Shape } from "./shapes"; export const text = "Restart the whole run";`,
      "www/ui/shapes.ts": `export interface Shape { side: number }`,
      "www/ui/share.ts": `import "./dialog"; import("./clip"); el("div", { class: "share-box" });`,
      "www/ui/clip.ts": `import "./clip.css"; el("p", { text: "Record a clip of it" });`,
      "www/ui/clip.css": `.clip-frame { color: red }`,
      "www/ui/dialog.ts": `export const close = () => 1;`,
      "www/ui/silent.ts": `export const quiet = () => 1;`,
      "www/ui/odd.ts": `export const odd = 1;`,
      "www/front/front.ts": `import "../ui/dialog"; el("a", { class: "front-card", text: "Start with the first lab" });`,
      "www/embed/embed.ts": `el("p", { text: "An embedded lab learns" });`,
      "www/labs/cube/manifest.ts": `export const view = () => import("./view");`,
      "www/labs/cube/view.ts": `import "./turns"; el("svg", { class: "cube-svg" });`,
      "www/labs/cube/turns.ts": `import("./race");`,
      "www/labs/cube/race.ts": `el("p", { text: "Race the agent" });`,
      "www/labs/logic/manifest.ts": `export const view = () => import("./view");`,
      "www/labs/logic/view.ts": `el("p", { text: "Damage the middle" });`,
      "www/labs/logic/limits.json": `{}`,
    }),
  ),
);
const browserTest = (file, title, pieces, uses = []) => ({
  file,
  title,
  pieces,
  uses,
  patterns: new Set(),
  helpers: new Set(["lab.mjs"]),
});
const tests = [
  browserTest("share.test.mjs", "link is shared", [".share-box"]),
  browserTest("share.test.mjs", "clip is recorded", ["Record a clip"]),
  browserTest("front.test.mjs", "front leads to a lab", [".front-card", "Start with the first lab"]),
  browserTest("small.test.mjs", "frame learns", ["embedded lab learns"]),
  browserTest("turns.test.mjs", "faces turn", [".cube-svg"]),
  browserTest("turns.test.mjs", "race is won", ["Race the agent"]),
  browserTest("dials.test.mjs", "dial restarts", ["Restart"]),
];
const page = new PageUse(graph, tests);
const scripts = new Set(["scripts/test.mjs"]);
const of = (...files) => reach(files, { packages, scripts, page });
const names = (crates) => [...crates].map((name) => name.replace("learnery-", "")).sort();
/** The tests that a result selects, as file and title: of those above, and of `more`, which are given so. */
const selected = ({ browserTests, stages }, more = []) =>
  [...tests.map(({ file, title }) => `page ${file} ${title}`), ...more.map((each) => `page ${each}`)]
    .filter((name) => stages.includes("browser tests") && new RegExp(browserTests ?? "", "i").test(name))
    .map((name) => name.slice("page ".length));

test("lab reaches what depends on it, and neither other labs nor what it uses", () => {
  const result = of("crates/labs/cube/src/lib.rs");
  assert.deepEqual(names(result.crates), ["cli", "cube", "fuzz", "labs", "python", "web"]);
  const more = ["cube-large.test.mjs opens", "any.test.mjs guide: cube", "any.test.mjs guide: logic", "any.test.mjs x"];
  assert.deepEqual(selected(result, more), [
    "turns.test.mjs faces turn",
    "turns.test.mjs race is won",
    "cube-large.test.mjs opens",
    "any.test.mjs guide: cube",
  ]);
  assert.ok(!result.stages.includes("page units"));
});

test("crate below all labs reaches all of them", () => {
  const result = of("crates/kernels/src/lib.rs", "crates/labs/cube/src/lib.rs");
  assert.equal(result.crates.size, packages.length);
  assert.equal(result.browserTests, undefined);
});

test("page of a lab reaches its browser tests and no crate", () => {
  const more = ["first-visit.test.mjs any", "any.test.mjs guide: cube", "any.test.mjs guide: logic"];
  const result = of("www/labs/cube/turns.ts");
  assert.equal(result.crates.size, 0);
  const turns = ["turns.test.mjs faces turn", "turns.test.mjs race is won"];
  assert.deepEqual(selected(result, more), [...turns, ...more.slice(0, 2)]);
  assert.deepEqual(
    result.stages.filter((name) => /tests|lints/.test(name)),
    ["page lints", "browser tests"],
  );
  // Every visit loads the manifests of all labs, but one reaches the tests of its lab only.
  assert.deepEqual(selected(of("www/labs/cube/manifest.ts"), more), [...turns, ...more.slice(0, 2)]);
  assert.deepEqual(selected(of("www/generated/labs/logic.ts"), more), [more[0], more[2]]);
  // Of tests that there are for each lab, those of the others are left out.
  const guides = new PageUse(graph, [browserTest("guide.test.mjs", "guide: .*, .* host", ["Race the agent"])]);
  const pattern = new RegExp(reach(["www/labs/cube/race.ts"], { packages, scripts, page: guides }).browserTests);
  assert.match("page guide.test.mjs guide: one, plain host", pattern);
  assert.doesNotMatch("page guide.test.mjs guide: logic, plain host", pattern);
  // Data that only a test reads.
  const reads = new PageUse(graph, [browserTest("any.test.mjs", "limits", ["limits.json"])]);
  assert.deepEqual([...reads.reachOf("www/labs/logic/limits.json").tests], reads.tests);
  // What a part of a lab loads does not reach it.
  assert.deepEqual(selected(of("www/labs/cube/race.ts")), ["turns.test.mjs race is won"]);
});

test("file of the page reaches the tests that use what loads it", () => {
  const share = ["share.test.mjs link is shared", "share.test.mjs clip is recorded"];
  assert.deepEqual(selected(of("www/ui/share.ts")), share, "a test that goes further goes through it");
  assert.deepEqual(selected(of("www/ui/clip.css")), share.slice(1));
  assert.deepEqual(selected(of("www/ui/dialog.ts")), [...share, "front.test.mjs front leads to a lab"]);
  assert.deepEqual(selected(of("www/embed/embed.ts")), ["small.test.mjs frame learns"]);
  assert.deepEqual(selected(of("www/ui/shapes.ts")), [], "types do nothing");
  assert.match(of("www/ui/clip.css").browserTests, /^first-visit/);
});

test("file that every visit loads, that no test names, or that nothing imports reaches all browser tests", () => {
  for (const file of [
    "index.html",
    "www/main.ts",
    "www/ui/always.ts",
    "www/ui/silent.ts",
    "www/ui/odd.ts",
    "www/new.ts",
  ]) {
    const result = of(file, "www/labs/cube/view.ts");
    assert.ok(result.stages.includes("browser tests"), file);
    assert.equal(result.browserTests, undefined, file);
    assert.ok(
      result.reasons.some((line) => line.startsWith(`${file}: all browser tests, because`)),
      file,
    );
  }
  // Until a test's file says that it uses it.
  const declared = browserTest("moves.test.mjs", "run moves", [], ["www/ui/silent.ts"]);
  const use = new PageUse(graph, [...tests, declared]);
  assert.deepEqual([...use.reachOf("www/ui/silent.ts").tests], [declared]);
});

test("change of a text reaches the tests that have it, also where every visit loads it", () => {
  const change = (file, ...texts) => reach([file], { packages, scripts, page, texts: new Map([[file, texts]]) });
  const result = change("www/ui/always.ts", "Restart the whole run", "Begin the whole run again");
  assert.deepEqual(selected(result), ["dials.test.mjs dial restarts"]);
  assert.match(result.reasons[0], /nothing but texts changed, so 1 browser test/);
  assert.equal(
    result.aboutBrowserTests,
    "Browser tests that run: 1 of dials.test.mjs, those with first-visit.test.mjs in file or title. All others are left out.",
  );
  assert.deepEqual(result.lintedFiles, ["www/ui/always.ts"]);
  assert.equal(of("www/ui/share.ts").lintedFiles, undefined);
  assert.deepEqual(selected(change("www/front/front.ts", "Here begins everything", "Start with the first lab")), [
    "front.test.mjs front leads to a lab",
  ]);
  // Small words count in a regular expression only, parts of words too.
  const [word, pattern] = ["role", "pattern"].map((title) => browserTest("any.test.mjs", title, ["decision"]));
  pattern.patterns.add("decision");
  const use = new PageUse(graph, [word, pattern]);
  assert.deepEqual([...use.testsThatSay([" decisions are judged"])], [pattern]);
  // Comments.
  assert.deepEqual(selected(change("www/main.ts")), []);
  assert.match(change("www/main.ts").browserTests, /^first-visit/);
});

test("texts are told from code", () => {
  const texts = (before, after) => changedTexts(before, after, "www/x.ts");
  assert.deepEqual(texts('f("Hello there"); // a', 'f(\n  "Hello world",\n);'), ["Hello there", "Hello world"]);
  assert.deepEqual(texts("f(`It has ${x} steps left`)", "f(`It has ${x} more steps`)"), ["steps left", "more steps"]);
  // As far as they differ, with three words around.
  assert.deepEqual(
    texts('f("One two three four and five six seven eight")', 'f("One two three four or five six seven eight")'),
    ["two three four and five six seven", "two three four or five six seven"],
  );
  assert.deepEqual(texts('const x: number = 1; f("The GPU")', 'const x = 1; f("The WebGPU")'), [
    "The GPU",
    "The WebGPU",
  ]);
  assert.deepEqual(texts("/** A. */ f(1)", "/** B. */ f(1)"), []);
  for (const [before, after] of [
    ["f(`It has ${x} steps`)", "f(`It has ${y} steps`)"],
    ['f("Hello there", 1)', 'f("Hello world", 2)'],
    ['f(!x, "Hello there")', 'f(-x, "Hello world")'],
    ['f({ class: "Button wide now" })', 'f({ class: "Button small now" })'],
    ['f("hidden")', 'f("shown")'],
    ['f("Escape")', 'f("Enter")'],
    ['if (x === "Hello there") f()', 'if (x === "Hello world") f()'],
    ['import("./Hello there x")', 'import("./Hello world x")'],
    ["f(/Hello there/)", "f(/Hello world/)"],
    ['f("A b")', 'f("A b", "C d")'],
  ])
    assert.equal(texts(before, after), null, after);
});

test("command line reaches fleets and the browser tests that use it", () => {
  const result = of("crates/cli/src/main.rs");
  assert.ok(result.stages.includes("fleet tests") && result.stages.includes("site"));
  const more = ["fleet.test.mjs a", "class-server.test.mjs a", "cube.test.mjs a"];
  assert.deepEqual(selected(result, more), more.slice(0, 2));
});

test("tests and texts reach themselves", () => {
  assert.deepEqual(selected(of("tests/browser/turns.test.mjs")), [
    "turns.test.mjs faces turn",
    "turns.test.mjs race is won",
  ]);
  assert.equal(of("tests/browser/removed.test.mjs").browserTests, "");
  assert.equal(selected(of("tests/browser/lab.mjs")).length, tests.length);
  assert.equal(of("tests/browser/harness.mjs").browserTests, undefined);
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
    // All stages of `npm test`.
    assert.equal(of(file).stages.length, 14, file);
  }
  assert.deepEqual(of("LICENSE-MIT").stages, ["formatting"]);
  assert.deepEqual(of(".github/workflows/ci.yml").stages, ["formatting", "page lints", "page units"]);
});

test("page and browser tests as they are have been read", () => {
  const present = presentPage();
  const missing = [...present.graph].flatMap(([file, { missing: paths }]) => paths.map((path) => `${file}: ${path}`));
  assert.deepEqual(missing, [], "every import leads to a file");
  const unknown = present.tests.flatMap(({ file, uses }) =>
    uses.filter((each) => !present.entries.includes(each)).map((each) => `${file}: ${each}`),
  );
  assert.deepEqual(unknown, [], "what a test says that it uses is loaded on demand");
  const read = new Set(present.tests.map(({ file }) => file));
  const written = readdirSync(join(root, "tests/browser")).filter((name) => name.endsWith(".test.mjs"));
  assert.deepEqual(
    written.filter((name) => !read.has(name)),
    [],
    "tests were found in every file",
  );
  const filesOf = (path) => new Set([...(present.reachOf(path).tests ?? [])].map(({ file }) => file));
  // Each lab and some parts reach the tests that are about them, and not all.
  const about = {
    "www/ui/library.ts": "library",
    "www/ui/timeline.ts": "timeline",
    "www/front/front.ts": "front",
    "www/lessons/step-view.ts": "lessons",
    "www/fleet/page.ts": "fleet",
    "www/labs/cube/large/screen.ts": "cube-large",
    "www/labs/language/view.ts": "language",
    "www/move-run.ts": "gpu",
  };
  for (const [path, name] of Object.entries(about)) {
    const files = filesOf(path);
    assert.ok(files.has(`${name}.test.mjs`), `${path} reaches ${[...files].join()}`);
    assert.ok(
      files.size < new Set(present.tests.map(({ file }) => file)).size / 2,
      `${path} reaches half of all files`,
    );
  }
  assert.equal(present.reachOf("www/core/run.ts").why, "every visit loads it");
});

// `npm test [-- WORD...]`: runs all checks in named stages, or those whose names contain one of the words. Prints the
// number of tests and the time of each stage, and which tests have failed. The stages that build the site and test it
// run beside the others.
//
// `npm test -- changed [BASE]`: runs what the change since a revision can reach, and says what it leaves out.
//
// `npm test -- browser [WORD...] [--repeat N]`: runs the browser tests whose file or title contains one of the words,
// and each of them N times.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { BUILD_SITE } from "./build.mjs";
import { runBrowserTests } from "./browser-tests.mjs";
import { ensureChromium, findChromium, installBrowsers } from "./browsers.mjs";
import { WITHOUT_PYTHON, testPrograms, testedCrates, workspace } from "./crates.mjs";
import { installGnubg } from "./gnubg.mjs";
import { installNatsServer } from "./nats-server.mjs";
import { SKIPPED, findPython, pythonTests } from "./python.mjs";
import { niced } from "./niceness.mjs";
import { prerequisites } from "./prerequisites.mjs";
import { withProcessorTime } from "./processor-time.mjs";
import { withLavapipe, withSwiftShader } from "./software-adapters.mjs";
import { Counter, checked, counted, countedOrNone } from "./count.mjs";
import { main, root, run, seconds } from "./commands.mjs";

// These run a program with tests and resolve to its `Counter` of passed and failed ones. Without any test they fail.
const cargo = (args, options) => counted("cargo", args, options);
const node = (args, options) => counted(process.execPath, args, options);
// These run a program that is a check as a whole, and count it as one test.
const cargoCheck = (args, options) => checked("cargo", args, options);
const nodeCheck = (args, options) => checked(process.execPath, args, options);

// The stages in the order of the summary. Two tracks run them in parallel, each in this order (see `SITE_STAGES`). Fast
// stages come first, and stages that share compiled code follow one another. A stage returns its count of tests.
const STAGES = {
  formatting: () => cargoCheck(["fmt", "--all", "--check"]),
  "direction of dependencies": () => cargoCheck(["xtask", "deps"]),
  lints: lints,
  "page types": () => nodeCheck([join(root, "node_modules/typescript-7/bin/tsc")]),
  "page lints": pageLints,
  "page units": pageUnits,
  "rust tests": rustTests,
  "fleet tests": fleetTests,
  "gpu tests": gpuTests,
  "wasm bundles": (options) => cargoCheck(["xtask", "web"], options),
  site: (options) => nodeCheck(BUILD_SITE, options),
  "python tests": pythonTests,
  "wasm tests": wasmTests,
  "browser tests": browserTests,
};

/**
 * Stages of which each needs what those before it have built. They are a track of their own, because the linker,
 * wasm-opt and tests that wait leave a core idle for minutes. The other track has a lower priority, so that browser
 * tests, which depend on time, are disturbed less.
 */
const SITE_STAGES = ["wasm bundles", "site", "browser tests"];

/** Stages that either of the two tracks may run: whichever has run its own stages takes the next one. */
const EITHER_TRACK = ["page lints", "page units", "python tests"];

async function lints() {
  const clippy = (...args) => cargoCheck(["clippy", ...args, "--", "-D", "warnings"]);
  // The libraries of the Python package cannot be compiled everywhere without Python.
  const crates = (await findPython()) ? ["--workspace"] : WITHOUT_PYTHON;
  const count = await clippy("--all-targets", ...crates, "--all-features");
  // Some code is compiled only for WebAssembly.
  const forWasm = (features, ...targets) =>
    clippy("-p=learnery-web", "--target=wasm32-unknown-unknown", `--features=${features}`, ...targets);
  count.add(await forWasm("bench,fleet", "--all-targets"));
  // The module `tools` is compiled only without the feature `session`, which the tests of this crate switch on.
  count.add(await forWasm("tools", "--lib", "--bins"));
  return count;
}

/**
 * Runs the tests of all crates, or only of those in `crates`. It always compiles all of them: `cargo test -p NAME`
 * would choose other features, and compile everything again.
 */
async function testCrates(crates, targets, args, options) {
  if (!crates) return cargo(["test", "--no-fail-fast", ...testedCrates(), ...targets, "--", ...args], options);
  const count = new Counter();
  for (const { program, folder } of await testPrograms(crates, targets)) {
    count.add(await countedOrNone(program, args, { cwd: folder, ...options }));
  }
  return count;
}

/** Parts of the names of tests that need an adapter: in labs and the command line, and in the crate `learnery-gpu`. */
const GPU_MODULES = { labs: "gpu::", gpuCrate: "on_adapter::" };

async function rustTests({ crates }) {
  await installGnubg();
  // The stage `gpu tests` runs these.
  const others = Object.values(GPU_MODULES).map((name) => `--skip=${name}`);
  // `--tests` leaves out examples, which the lints check, and tests in documentation, which no crate has.
  const count = await testCrates(crates, ["--tests"], others);
  // These two are tested separately, so that their dependencies are those of the other calls of `cargo xtask`. With the
  // whole workspace, cargo would compile them again with the features that other crates require.
  for (const name of ["xtask", "xtask-bindgen"]) count.add(await cargo(["test", `--package=${name}`]));
  return count;
}

/** Fleets of real processes, over a real server. */
async function fleetTests() {
  await installNatsServer();
  return cargo(["test", ...testedCrates(), "--test=fleet"]);
}

/**
 * The tests of the crate `learnery-gpu` that run on lavapipe: those that need 16-bit floats, which SwiftShader does not
 * have, and those for which SwiftShader takes several times as long.
 */
const LAVAPIPE_TESTS = ["cooperative", "half", "transformer", "worlds"].map((name) => `on_adapter::${name}::`);

/**
 * Skipped on SwiftShader. `half` runs there too: a test in it needs a device without 16-bit floats, which is refused.
 */
const NOT_ON_SWIFTSHADER = LAVAPIPE_TESTS.filter((name) => name !== "on_adapter::half::");

/**
 * The tests of the GPU run on two software adapters. Those of the crate `learnery-gpu` are divided between SwiftShader
 * and lavapipe, and `half` runs on both. The tests of the labs and of the command line run on lavapipe, which has 16-bit
 * floats.
 */
async function gpuTests({ crates }) {
  // The tests say which adapter they use.
  const test = (targets, names, env) => testCrates(crates, targets, ["--nocapture", ...names], { env });
  const skipped = NOT_ON_SWIFTSHADER.map((name) => `--skip=${name}`);
  const count = await test(["--test=gpu"], [GPU_MODULES.gpuCrate, ...skipped], await withSwiftShader());
  count.add(await test(["--test=gpu"], LAVAPIPE_TESTS, await withLavapipe()));
  count.add(await test(["--lib", "--bins", "--test=main"], [GPU_MODULES.labs], await withLavapipe()));
  // This test compiles all kernels in Chromium. The Rust tests write them, each crate its own, so all crates must have
  // been tested.
  if (!crates || crates.has("learnery-gpu")) count.add(await runBrowserTests({ projects: ["kernels"] }));
  return count;
}

async function pageLints({ output, lintedFiles = ["."] }) {
  const check = (program, ...args) =>
    nodeCheck([join(root, "node_modules", program), ...args, ...lintedFiles], { output });
  const count = await check("eslint/bin/eslint.js", "--max-warnings=0");
  count.add(await check("prettier/bin/prettier.cjs", "--check", "--log-level=warn"));
  return count;
}

function pageUnits({ output }) {
  const loader = pathToFileURL(join(root, "tests/page/typescript.mjs")).href;
  return node(["--import", loader, "--test", "--test-reporter=spec", ...testFiles("tests/page")], { output });
}

async function wasmTests() {
  await ensureChromium();
  await run("cargo", ["xtask", "wasm-tests"]);
  return node([join(root, "scripts/wasm-tests.mjs")]);
}

async function browserTests(options) {
  await installBrowsers("chromium", "headless shell", "firefox", "webkit");
  await installNatsServer();
  findChromium(); // The others are needed by one test file only, which says so if they are missing.
  return runBrowserTests(options);
}

/** The test files of a folder of the repository. */
function testFiles(folder) {
  const names = readdirSync(join(root, folder)).filter((name) => /\.test\.\w+$/.test(name));
  return names.map((name) => join(root, folder, name));
}

/**
 * Sets cargo's environment for a fresh clone, where each crate is compiled once. That takes half the processor time
 * without incremental compilation, with one codegen unit per crate and without debug information. Where a developer has
 * compiled the crates before, cargo's usual settings stay, because with others it would compile everything again.
 */
function compileOnce() {
  const incremental = join(root, "target/debug/incremental");
  const compiled = existsSync(incremental) ? readdirSync(incremental) : [];
  if (compiled.some((name) => name.startsWith("learnery_"))) return;
  process.env.CARGO_INCREMENTAL ??= "0";
  process.env.CARGO_PROFILE_TEST_CODEGEN_UNITS ??= "1";
  process.env.CARGO_PROFILE_TEST_DEBUG ??= "false";
}

/**
 * Runs a stage and adds its tests to `total`. Resolves to its line in the summary: a stage that fails without reporting
 * a failed test counts as one that has failed. A stage without any test fails. With `collect`, what the stage prints is
 * shown when it has ended.
 */
async function runStage(name, total, { collect, ...options } = {}) {
  const output = collect ? [] : undefined;
  const print = (line) => (output ? output.push(`${line}\n`) : console.log(line));
  print(`\n=== ${name}`);
  const startedAt = performance.now();
  let count;
  let result = "ok";
  const { seconds: processorSeconds } = await withProcessorTime(async () => {
    try {
      count = await STAGES[name]({ ...options, output });
      if (count === SKIPPED) {
        count = new Counter();
        result = "skipped";
      } else if (count.isEmpty) throw new Error("this stage ran no test");
    } catch (error) {
      print(error.message);
      count = error.count ?? new Counter();
      if (count.failed === 0) count.failed = 1;
      if (count.failures.size === 0) count.failures.add(`${name}: ${error.message}`);
    }
  });
  total.add(count);
  total.processorSeconds += processorSeconds;
  if (output) process.stdout.write(output.join(""));
  const clock = seconds(performance.now() - startedAt).padStart(9);
  const time = Number.isNaN(processorSeconds) ? "" : seconds(processorSeconds * 1000).padStart(10);
  return `${(count.failed ? "FAILED" : result).padEnd(8)}${name.padEnd(28)}${clock}${time}  ${count}`;
}

/**
 * Runs stages one after another: `names`, then one at a time of `queue`, an array that both tracks empty. Resolves to
 * their names with their lines in the summary. After a stage of the site that has failed, its next ones are not run.
 */
async function runTrack(names, queue, total, options) {
  const own = [...names];
  const lines = [];
  for (let name; (name = own.shift() ?? queue.shift());) {
    const isOfSite = SITE_STAGES.includes(name);
    const failedBefore = isOfSite && lines.some(([, line]) => line.startsWith("FAILED"));
    const stage = () => runStage(name, total, options);
    const run = () => (isOfSite ? stage() : niced(stage));
    lines.push([name, failedBefore ? `${"not run".padEnd(8)}${name}` : await run()]);
  }
  return lines;
}

/** The stages that a change reaches, with what selects their tests. Says what is left out. */
async function changedStages(base) {
  // changed.mjs, which is imported below, reads the page with packages that a fresh clone does not have yet.
  await prerequisites();
  const { Reach, changedFiles, presentPage, reach, changedTextsOf, usualBase } = await import("./changed.mjs");
  const since = base ?? (await usualBase());
  const files = await changedFiles(since);
  const reached = files.length
    ? reach(files, {
        packages: workspace(),
        scripts: ownScripts(),
        page: presentPage(),
        texts: await changedTextsOf(files, since),
      })
    : new Reach();
  const names = files.length ? reached.stages : [];
  const leftOut = Object.keys(STAGES).filter((name) => !names.includes(name));
  const crates = reached.everything ? undefined : reached.crates;
  console.log(`${files.length} files changed since ${since}.`);
  if (crates?.size) console.log(`Tests of these crates run: ${[...crates].join(", ")}.`);
  for (const reason of reached.everything ? [] : reached.reasons) console.log(reason);
  if (reached.aboutBrowserTests) console.log(reached.aboutBrowserTests);
  if (reached.lintedFiles) console.log("Only these files are linted.");
  if (leftOut.length) console.log(`Left out: ${leftOut.join(", ")}.`);
  return { names, selection: { crates, grep: reached.browserTests, lintedFiles: reached.lintedFiles } };
}

/** The scripts that `npm test` consists of. */
function ownScripts() {
  const found = new Set();
  const add = (file) => {
    if (found.has(file) || !existsSync(join(root, file))) return;
    found.add(file);
    const text = readFileSync(join(root, file), "utf8");
    for (const [, name] of text.matchAll(/(?:from |import\()"\.\/([\w-]+\.mjs)"/g)) add(`scripts/${name}`);
  };
  ["scripts/test.mjs", "scripts/build.mjs", "scripts/wasm-tests.mjs"].forEach(add);
  return found;
}

/** The names of the stages to run, and what selects browser tests. */
async function chosenStages() {
  const { positionals: words, values } = parseArgs({ allowPositionals: true, options: { repeat: { type: "string" } } });
  const all = Object.keys(STAGES);
  if (words[0] === "changed") {
    if (words.length > 2 || values.repeat !== undefined)
      throw new Error("changed takes one revision: npm test -- changed HEAD~1");
    return changedStages(words[1]);
  }
  // What follows this word belongs to the browser tests.
  const selectsBrowserTests = words.includes("browser");
  const stageWordCount = selectsBrowserTests ? words.indexOf("browser") + 1 : words.length;
  const stageWords = words.slice(0, stageWordCount);
  const names = all.filter((name) => !words.length || stageWords.some((word) => name.includes(word)));
  if (names.length === 0)
    throw new Error(`no stage has a name with ${words.join(" or ")}; there are ${all.join(", ")}`);
  const repeat = values.repeat === undefined ? undefined : Number(values.repeat);
  if (repeat !== undefined && !(selectsBrowserTests && Number.isInteger(repeat) && repeat > 0))
    throw new Error("--repeat takes a number of times, and repeats browser tests: npm test -- browser --repeat 150");
  return { names, selection: { words: words.slice(stageWordCount), repeat } };
}

main(async () => {
  const { names, selection } = await chosenStages();
  const startedAt = performance.now();
  const { seconds: setUpSeconds } = await withProcessorTime(prerequisites);
  compileOnce();

  const total = Object.assign(new Counter(), { processorSeconds: setUpSeconds });
  const ofSite = names.filter((name) => SITE_STAGES.includes(name));
  const queue = names.filter((name) => EITHER_TRACK.includes(name));
  const others = names.filter((name) => !SITE_STAGES.includes(name) && !EITHER_TRACK.includes(name));
  const tracks = [runTrack(others, queue, total, selection)];
  if (ofSite.length > 0) {
    // Beside the other track this one shows the output of a stage when that has ended, so that they do not mix.
    const collect = ofSite.length < names.length;
    tracks.push(runTrack(ofSite, queue, total, { ...selection, collect }));
  }
  const byName = new Map((await Promise.all(tracks)).flat());
  const lines = names.map((name) => byName.get(name));

  const { processorSeconds } = total;
  const used = Number.isNaN(processorSeconds)
    ? ""
    : `, ${(processorSeconds / 60).toFixed(1)} minutes of processor time`;
  const clock = `${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes by the clock`;
  console.log(`\n${lines.join("\n")}\n`);
  for (const failure of total.failures) console.log(failure);
  console.log(`${total}\n${clock}${used}`);
  if (total.failed) process.exitCode = 1;
});

// `npm test [-- WORD...]`: runs all checks in named stages, or those whose names contain one of the words. Prints the
// number of tests and the time of each stage. The stages that build the site, and the Python tests, run beside those that need no site.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SITE } from "./build.mjs";
import { runBrowserTests } from "./browser-tests.mjs";
import { ensureChromium, findChromium, installBrowsers } from "./browsers.mjs";
import { installGnubg } from "./gnubg.mjs";
import { installNatsServer } from "./nats-server.mjs";
import { SKIPPED, pythonTests } from "./python.mjs";
import { prerequisites } from "./prerequisites.mjs";
import { withProcessorTime } from "./processor-time.mjs";
import { withLavapipe, withSwiftShader } from "./software-adapters.mjs";
import { Counter, checked, counted } from "./count.mjs";
import { labsOnGpu } from "./crates.mjs";
import { main, root, run, seconds } from "./commands.mjs";

// These run a program with tests and resolve to its count of passed and failed ones. Without any test they fail.
const cargo = (args, options) => counted("cargo", args, options);
const node = (args, options) => counted(process.execPath, args, options);
// These run a program that is a check as a whole, and count it as one test.
const cargoCheck = (args, options) => checked("cargo", args, options);
const nodeCheck = (args, options) => checked(process.execPath, args, options);

// Fast stages come first, and stages that share compiled code follow one another. A stage returns its count of tests. The
// Python package is a stage of its own, because its tests need Python.
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
  site: (options) => nodeCheck(SITE, options),
  "python tests": pythonTests,
  "wasm tests": wasmTests,
  "browser tests": browserTests,
};

/** Stages that run beside the others, because the linker, wasm-opt, and tests that wait leave one core free for minutes. */
const BESIDE = ["wasm bundles", "site", "python tests"];
/** The first stage that waits for them: those from here on are sensitive to load, or need the site. */
const NEEDS_SITE = "wasm tests";

/** All crates but the Python package, whose libraries nobody should compile who does not use it. */
const WITHOUT_PYTHON = ["--workspace", "--exclude=learnery-python"];

async function lints() {
  const clippy = (...args) => cargoCheck(["clippy", "--all-targets", ...args, "--", "-D", "warnings"]);
  const count = await clippy(...WITHOUT_PYTHON, "--all-features");
  // Some code is compiled only for WebAssembly.
  count.add(await clippy("-p=learnery-web", "--target=wasm32-unknown-unknown", "--features=bench,fleet"));
  return count;
}

/**
 * What the tests of the crates, of fleets and of the GPU select. All have the same packages and features, so that everything is
 * compiled once.
 */
function crates() {
  const features = ["learnery-web/bindings", "learnery-cli/fleet", "learnery-cli/watch", "learnery-web/gpu"];
  return [
    ...WITHOUT_PYTHON,
    ...["xtask", "xtask-bindgen"].map((name) => `--exclude=${name}`),
    "--no-default-features",
    `--features=${[...features, ...labsOnGpu().map((name) => `${name}/gpu`)].join()}`,
  ];
}

/** The modules of tests that need an adapter: those of labs on the GPU, and those of the crate `learnery-gpu`. */
const GPU_MODULES = { labs: "gpu::", kernels: "on_adapter::" };

async function rustTests() {
  await installGnubg();
  // The stage `gpu tests` has these.
  const others = Object.values(GPU_MODULES).map((name) => `--skip=${name}`);
  const count = await cargo(["test", ...crates(), "--", ...others]);
  // xtask is tested separately, so that its dependencies are those of the other calls of `cargo xtask`. With the whole
  // workspace, cargo would compile them again with the features that other crates require.
  count.add(await cargo(["test", "--package=xtask"]));
  return count;
}

/** Fleets of real processes, over a real server. */
async function fleetTests() {
  await installNatsServer();
  return cargo(["test", ...crates(), "--test=fleet"]);
}

/** The tests of the GPU, on software adapters: those of the kernels on one, those of the labs on another, which is faster. */
async function gpuTests() {
  // The tests say which adapter they use.
  const test = (targets, module, env) => cargo(["test", ...crates(), ...targets, "--", "--nocapture", module], { env });
  const count = await test(["--test=gpu"], GPU_MODULES.kernels, await withSwiftShader());
  count.add(await test(["--lib", "--test=main"], GPU_MODULES.labs, await withLavapipe()));
  return count;
}

async function pageLints() {
  const packages = join(root, "node_modules");
  const count = await nodeCheck([join(packages, "eslint/bin/eslint.js"), "--max-warnings=0", "."]);
  count.add(await nodeCheck([join(packages, "prettier/bin/prettier.cjs"), "--check", "--log-level=warn", "."]));
  return count;
}

function pageUnits() {
  const loader = join(root, "tests/page/typescript.mjs");
  return node(["--import", pathToFileURL(loader).href, "--test", "--test-reporter=spec", ...testFiles("tests/page")]);
}

async function wasmTests() {
  await ensureChromium();
  await run("cargo", ["xtask", "wasm-tests"]);
  return node([join(root, "scripts/wasm-tests.mjs")]);
}

async function browserTests() {
  await installBrowsers("chromium", "firefox", "webkit");
  await installNatsServer();
  findChromium(); // The others are needed by one test file only, which says so if they are missing.
  return runBrowserTests(testFiles("tests/browser"));
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
 * Runs a stage and adds its tests to `total`. Resolves to its line in the summary: a stage that fails without reporting a failed
 * test counts as one that has failed. A stage without any test fails. With `output`, an array, what the stage prints is collected
 * there.
 */
async function runStage(name, total, output) {
  const print = (line) => (output ? output.push(`${line}\n`) : console.log(line));
  print(`\n=== ${name}`);
  const begin = performance.now();
  let count;
  let result = "ok";
  const { seconds: processor } = await withProcessorTime(async () => {
    try {
      count = await STAGES[name]({ output });
      if (count === SKIPPED) {
        count = new Counter();
        result = "skipped";
      } else if (count.isEmpty) throw new Error("this stage ran no test");
    } catch (error) {
      print(error.message);
      count = error.count ?? new Counter();
      if (count.failed === 0) count.failed = 1;
    }
  });
  total.add(count);
  total.processorSeconds += processor;
  const clock = seconds(performance.now() - begin).padStart(9);
  const time = Number.isNaN(processor) ? "" : seconds(processor * 1000).padStart(10);
  return `${(count.failed ? "FAILED" : result).padEnd(8)}${name.padEnd(28)}${clock}${time}  ${count}`;
}

/** Runs stages one after another and resolves to their lines in the summary. */
async function runStages(names, total, output) {
  const lines = [];
  for (const name of names) lines.push(await runStage(name, total, output));
  return lines;
}

main(async () => {
  const words = process.argv.slice(2);
  const all = Object.keys(STAGES);
  const chosen = all.filter((name) => !words.length || words.some((word) => name.includes(word)));
  if (chosen.length === 0) throw new Error(`no stage is named so; there are: ${all.join(", ")}`);
  const begin = performance.now();
  const { seconds: setUp } = await withProcessorTime(prerequisites);
  compileOnce();

  const total = Object.assign(new Counter(), { processorSeconds: setUp });
  const needsSite = (name) => all.indexOf(name) >= all.indexOf(NEEDS_SITE);
  const beside = chosen.filter((name) => BESIDE.includes(name));
  const before = chosen.filter((name) => !BESIDE.includes(name) && !needsSite(name));
  // What the stages beside the others print is shown when they have ended, unless they run alone.
  const output = before.length ? [] : undefined;
  const building = runStages(beside, total, output);
  const lines = await runStages(before, total);
  if (output && beside.length) console.log(`\nWaiting for: ${beside.join(", ")}`);
  lines.push(...(await building));
  process.stdout.write(output?.join("") ?? "");
  lines.push(...(await runStages(chosen.filter(needsSite), total)));

  const processor = total.processorSeconds;
  const used = Number.isNaN(processor) ? "" : `, ${(processor / 60).toFixed(1)} minutes of processor time`;
  const clock = `${((performance.now() - begin) / 60_000).toFixed(1)} minutes by the clock`;
  console.log(`\n${lines.join("\n")}\n\n${total}\n${clock}${used}`);
  if (total.failed) process.exitCode = 1;
});

// Runs the WebAssembly tests of crates/web, built by `cargo xtask wasm-tests`, in workers of a headless Chromium, and
// prints their output. A test that the sources contain and no module exports is an error.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { chromium } from "playwright-core";
import { serve } from "../tests/browser/server.mjs";
import { findChromium } from "./browsers.mjs";
import { main, root } from "./commands.mjs";

/** The output folder. Each folder in it has a module with tests. */
const folder = join(root, "target/wasm-tests");
const crate = join(root, "crates/web");

/** The prefix that `#[wasm_bindgen_test]` gives to the name of each exported test: `__wbgt__crate::module::test`. */
const EXPORT_PREFIX = "__wbgt_";
/** Matches a test in the sources. Other attributes may stand between its attribute and its name. */
const TEST_PATTERN = /^ *#\[wasm_bindgen_test\b.*\n(?: *#\[.*\n)* *(?:pub )?(?:async )?fn (\w+)/gm;

/**
 * The tests of the pool are built only with the compiler flags for threads. The browser tests protocol, bits, load and
 * engines cover what they do, with the page's own bundles and workers.
 */
const POOL_TESTS = join(crate, "tests/pool.rs");

/** The tests of a module together take a few seconds; on a busy machine longer. Only tests that hang take so long. */
const MAX_TEST_MS = 600_000;

// The code of the worker. This worker takes the place of wasm-bindgen's test runner: the names with `__wbg` and the
// calls of the context are the interface between that runner and the test library.
const WORKER_SOURCE = `
  import init, * as bound from "./tests.js";
  const say = (...words) => postMessage({ line: words.map(String).join(" ") });
  self.__wbg_test_invoke = (body) => body();
  self.__wbg_test_output_writeln = say;
  self.__wbgtest_og_console_log = say;
  async function run(names) {
    const wasm = await init({ module_or_path: "./tests_bg.wasm" });
    // The test library collects the console output of a test and prints it only if the test fails.
    for (const method of ["debug", "log", "info", "warn", "error"]) {
      console[method] = (...words) => bound["__wbgtest_console_" + method](words);
    }
    const context = new bound.WasmBindgenTestContext(false); // these are not benchmarks
    context.include_ignored(false);
    context.filtered_count(0); // no test is left out
    return context.run(names.map((name) => wasm[name]));
  }
  onmessage = ({ data }) => {
    run(data).then(
      (passed) => postMessage({ passed }),
      (error) => postMessage({ failure: String(error?.stack ?? error) }),
    );
  };
`;

main(async () => {
  const modules = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, tests: testsOf(join(folder, name)) }));
  failIfHidden(modules.flatMap(({ tests }) => tests));
  for (const { name } of modules) {
    writeFileSync(join(folder, name, "worker.js"), WORKER_SOURCE);
    writeFileSync(join(folder, name, "index.html"), "<!doctype html><title>wasm tests</title>");
  }

  const server = await serve(folder, { isolation: true, base: "/" });
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  try {
    for (const { name, tests } of modules) {
      const page = await browser.newPage();
      await page.exposeFunction("print", (line) => console.log(line));
      await page.goto(new URL(`${name}/index.html`, server.address).href);
      const failure = await page.evaluate(runInWorker, { names: tests, timeoutMs: MAX_TEST_MS });
      if (failure) throw new Error(`wasm tests failed (${failure})`);
      await page.close();
    }
  } finally {
    await browser.close();
    await server.close();
  }
});

/** The names of the tests that a module exports. */
function testsOf(folder) {
  const exports = WebAssembly.Module.exports(new WebAssembly.Module(readFileSync(join(folder, "tests_bg.wasm"))));
  return exports.map(({ name }) => name).filter((name) => name.startsWith(EXPORT_PREFIX));
}

/**
 * The module of a source file, as in the names of its tests; empty for the root of a crate, which is named otherwise.
 */
function moduleOf(file) {
  const name = basename(file, ".rs");
  return ["lib", "main", "mod"].includes(name) ? "" : `${name}::`;
}

/**
 * Fails if there is no test, or if the sources have one that is not among the exported tests: a feature that nothing
 * switches on, or a missing `mod` line, would hide it from `wasm-pack test` too, which succeeds without any test.
 */
function failIfHidden(exported) {
  const present = ["src", "tests"]
    .flatMap((name) => readdirSync(join(crate, name), { recursive: true }).map((file) => join(crate, name, file)))
    .filter((file) => file.endsWith(".rs") && file !== POOL_TESTS)
    .flatMap((file) =>
      Array.from(readFileSync(file, "utf8").matchAll(TEST_PATTERN), ([, name]) => ({
        file,
        test: `${moduleOf(file)}${name}`,
      })),
    );
  if (present.length === 0 || exported.length === 0) throw new Error("crates/web has no wasm tests");
  const hidden = present.filter(({ test }) => !exported.some((name) => name.endsWith(`::${test}`)));
  if (hidden.length === 0) return;
  const list = hidden.map(({ file, test }) => `${relative(root, file)}: ${test}`).join("\n");
  throw new Error(`nothing runs these wasm tests, because no module that was built has them:\n${list}`);
}

/** Runs the tests. Executed in the page. Resolves to a description of the failure, or to null. */
async function runInWorker({ names, timeoutMs }) {
  const worker = new Worker("./worker.js", { type: "module" });
  return await new Promise((resolve) => {
    setTimeout(() => resolve("they did not end in time"), timeoutMs);
    worker.onerror = ({ message }) => resolve(message);
    worker.onmessage = async ({ data }) => {
      if (data.line !== undefined) await globalThis.print(data.line);
      else resolve(data.failure ?? (data.passed ? null : "see above"));
    };
    worker.postMessage(names);
  });
}

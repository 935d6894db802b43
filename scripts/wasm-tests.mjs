// Runs the WebAssembly tests of crates/web, built by `cargo xtask wasm-tests`, in a worker of a headless Chromium, and
// prints their output.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { serve } from "../tests/browser/server.mjs";
import { findChromium } from "./browsers.mjs";
import { main, root } from "./commands.mjs";

const folder = join(root, "target/wasm-tests");

/** The prefix that `#[wasm_bindgen_test]` gives to the name of each exported test. */
const PREFIX = "__wbgt_";

/** The longest time that all tests together may take. */
const MAX_TEST_MS = 60_000;

// The code of the worker. The names with `__wbg` and the calls of the context are the interface between wasm-bindgen's
// test library and its runner, whose part this worker plays.
const WORKER = `
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
  const exports = WebAssembly.Module.exports(new WebAssembly.Module(readFileSync(join(folder, "tests_bg.wasm"))));
  const names = exports.map(({ name }) => name).filter((name) => name.startsWith(PREFIX));
  if (names.length === 0) throw new Error("there are no wasm tests in what was built");
  writeFileSync(join(folder, "worker.js"), WORKER);
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>wasm tests</title>");

  const server = await serve(folder, { isolation: true, base: "/" });
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  try {
    const page = await browser.newPage();
    await page.exposeFunction("print", (line) => console.log(line));
    await page.goto(server.address);
    const failure = await page.evaluate(runInWorker, { names, timeoutMs: MAX_TEST_MS });
    if (failure) throw new Error(`wasm tests failed (${failure})`);
  } finally {
    await browser.close();
    await server.close();
  }
});

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

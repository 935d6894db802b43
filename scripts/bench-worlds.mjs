// `npm run bench -- worlds`: how long it takes in a tab from the text of a world of one's own to the code that steps
// it, for each example. Writes one JSON object per line to standard output: milliseconds of the first time, and the
// median of the following ones. Only the first example finds a program that the browser is still compiling.

import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { ensureChromium } from "./browsers.mjs";
import { root, run } from "./commands.mjs";

const EXAMPLES = join(root, "crates/world-rules/examples");
const REPEATS = 40;

/** The examples as [name, text]. */
const examples = () =>
  readdirSync(EXAMPLES)
    .filter((file) => file.endsWith(".world"))
    .map((file) => [basename(file, ".world"), readFileSync(join(EXAMPLES, file), "utf8")]);

/** Measures in Chromium, with the WebAssembly of the editor. */
export async function benchWorlds() {
  await run("cargo", ["xtask", "web", "simple", "world"], { stdio: ["ignore", process.stderr, process.stderr] });
  const { browser: executablePath } = await ensureChromium();
  const [{ chromium }, { serve }] = await Promise.all([
    import("playwright-core"),
    import("../tests/browser/server.mjs"),
  ]);
  // Cross-origin isolation gives the browser's clock finer steps.
  const server = await serve(join(root, "www/generated/wasm/simple/world"), { isolation: true, base: "/" });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  try {
    const page = await browser.newPage();
    // Any document of the server will do; this one is shown as text.
    await page.goto(`${server.address}learnery_web.js`);
    for (const [name, text] of examples()) {
      const times = await page.evaluate(measure, [text, REPEATS]);
      const sorted = times.slice(1).sort((a, b) => a - b);
      console.log(JSON.stringify({ name, first: round(times[0]), median: round(sorted[sorted.length >> 1]) }));
    }
  } finally {
    await browser.close();
    await server.close();
  }
}

const round = (milliseconds) => Number(milliseconds.toFixed(3));

/** In the page: the milliseconds from the text to the code, several times, each time in a new editor. */
async function measure([text, repeats]) {
  const glue = await import("./learnery_web.js");
  await glue.default({ module_or_path: "./learnery_web_bg.wasm" });
  return Array.from({ length: repeats }, () => {
    const world = new glue.OwnWorld();
    const begin = performance.now();
    world.check(text);
    const passed = performance.now() - begin;
    world.free();
    return passed;
  });
}

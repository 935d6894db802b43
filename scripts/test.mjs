// `npm test`: runs all checks in named stages. `npm test -- NAME...` runs the stages whose names contain one of the
// words.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { site } from "./build.mjs";
import { ensureChromium } from "./chromium.mjs";
import { prerequisites } from "./prerequisites.mjs";
import { Counter, counted } from "./count.mjs";
import { main, root, run, seconds } from "./commands.mjs";

const cargo = (args) => counted("cargo", args);
const node = (args, options) => counted(process.execPath, args, options);

// Quick answers come first, and stages that share compiled code follow one another.
const STAGES = {
  formatting: () => cargo(["fmt", "--all", "--check"]),
  "direction of dependencies": () => cargo(["xtask", "deps"]),
  lints: lints,
  "protocol types": () => cargo(["xtask", "bindings", "--check"]),
  "page types": () => node([join(root, "node_modules/typescript-7/bin/tsc")]),
  "rust tests": () => cargo(["test", "--workspace", "--no-default-features"]),
  "wasm bundles": () => cargo(["xtask", "web"]),
  site: () => site(),
  "wasm tests": wasmTests,
  "browser tests": browserTests,
};

async function lints() {
  const count = await cargo(["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]);
  // The code that is compiled for the page only.
  const wasm = ["--target=wasm32-unknown-unknown", "--features=bench"];
  count.add(await cargo(["clippy", "-p=learnery-web", "--all-targets", ...wasm, "--", "-D", "warnings"]));
  return count;
}

async function wasmTests() {
  await ensureChromium();
  await run("cargo", ["xtask", "wasm-tests"]);
  return node([join(root, "scripts/wasm-tests.mjs")]);
}

async function browserTests() {
  await ensureChromium();
  const folder = join(root, "tests/browser");
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(".test.mjs"))
    .map((file) => join(folder, file));
  // One file at a time, because each test learns at full speed on all cores.
  return node(["--test", "--test-concurrency=1", "--test-reporter=spec", ...files]);
}

main(async () => {
  const words = process.argv.slice(2);
  const chosen = Object.entries(STAGES).filter(([name]) => !words.length || words.some((word) => name.includes(word)));
  await prerequisites();

  const total = new Counter();
  const lines = [];
  for (const [name, stage] of chosen) {
    console.log(`\n=== ${name}`);
    const begin = performance.now();
    // A stage without tests of its own counts as one test, as does a stage that fails before its tests.
    let count;
    try {
      count = (await stage()) ?? new Counter();
      if (count.passed + count.failed === 0) count.passed = 1;
    } catch (error) {
      console.error(error.message);
      count = error.count ?? new Counter();
      if (count.failed === 0) count.failed = 1;
    }
    total.add(count);
    lines.push(
      `${(count.failed ? "FAILED" : "ok").padEnd(8)}${name.padEnd(28)}${seconds(performance.now() - begin).padStart(9)}  ${count}`,
    );
  }
  console.log(`\n${lines.join("\n")}\n\n${total}`);
  if (total.failed) process.exitCode = 1;
});

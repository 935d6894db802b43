// Every kernel of the GPU passes the compiler of Chromium's WebGPU. The Rust tests of the kernels write their texts, so
// the stage "gpu tests" of `npm test` runs this file after them.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { hosts, openPage, root, test } from "./harness.mjs";

test.use({ browserArguments: ["--enable-unsafe-webgpu"] }); // without it, headless Chromium has no adapter

const FOLDER = join(root, "target/tmp/shaders");

/** An empty page, because these tests need no site. */
const PAGE = '<!doctype html><title>Kernels</title><link rel="icon" href="data:,">';
const host = { ...hosts.isolated, name: "kernels", replace: (path) => (path === "/index.html" ? PAGE : null) };

test("every kernel passes Chromium's compiler", async () => {
  assert.ok(existsSync(FOLDER), `${FOLDER} is missing, which the Rust tests of the kernels write`);
  const page = await openPage(host, "index.html", { folder: root });
  const files = readdirSync(FOLDER, { recursive: true }).filter((name) => name.endsWith(".wgsl"));
  const modules = files.map((name) => ({ name, text: readFileSync(join(FOLDER, name), "utf8") }));
  const folders = new Set(files.map((name) => dirname(name)));
  assert.ok(folders.size > 5, `only kernels of ${[...folders].join(", ")}`);
  assert.ok(modules.length > 100, `only ${modules.length} kernels`);
  const { found, skipped } = await page.evaluate(async (modules) => {
    const adapter = await navigator.gpu.requestAdapter();
    const half = adapter.features.has("shader-f16");
    const gpu = await adapter.requestDevice({ requiredFeatures: half ? ["shader-f16"] : [] });
    const found = [];
    let skipped = 0;
    for (const { name, text } of modules) {
      if (text.includes("enable f16;") && !half) {
        skipped++;
        continue;
      }
      gpu.pushErrorScope("validation");
      const { messages } = await gpu.createShaderModule({ code: text }).getCompilationInfo();
      const error = await gpu.popErrorScope();
      if (error) found.push(`${name}: ${error.message}`);
      for (const { message } of messages) found.push(`${name}: ${message}`);
    }
    return { found, skipped };
  }, modules);
  if (skipped > 0) console.log(`SKIPPED: ${skipped} kernels in f16, which this adapter does not have`);
  assert.deepEqual(found, []);
});

// The service worker of a built site: what it is told of each file.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { labsInServiceWorker, writeServiceWorker } from "../../scripts/service-worker.mjs";

test("service worker knows the labs of each file, and the page its version and size", () => {
  const folder = mkdtempSync(join(tmpdir(), "learnery-"));
  try {
    mkdirSync(join(folder, "assets"));
    const write = (path, text) => writeFileSync(join(folder, path), text);
    write("index.html", "<html><head></head></html>");
    write("assets/page-12345678.js", "0123456789");
    write("assets/view-12345678.js", "12345");
    write("assets/threads-cube-12345678.wasm", "1234567");
    write("assets/threads-plain-control-1234-678.js", "123");
    write("assets/gpu-cube-12345678.wasm", "1");
    write("assets/threads-plain-cube-tools-12-45678.wasm", "12345");
    write("assets/simple-control-own-worlds-12-45678.wasm", "1234");
    write("assets/simple-fleet-12345678.wasm", "1");
    write("assets/world-12345678.wasm", "12");
    write("assets/world-worker-12345678.js", "1");
    const labs = {
      "assets/view-12345678.js": ["control", "cube"],
      "assets/threads-cube-12345678.wasm": ["cube"],
      "assets/threads-plain-control-1234-678.js": ["control"],
      "assets/gpu-cube-12345678.wasm": ["cube"],
      "assets/threads-plain-cube-tools-12-45678.wasm": ["cube"],
      "assets/simple-control-own-worlds-12-45678.wasm": ["control"],
      "assets/world-12345678.wasm": ["control"],
      "assets/world-worker-12345678.js": ["control"],
    };
    const version = writeServiceWorker(folder, { "assets/view-12345678.js": ["control", "cube"] });
    assert.deepEqual(labsInServiceWorker(folder), labs);
    const page = readFileSync(join(folder, "index.html"), "utf8");
    assert.ok(page.includes(`<meta name="version" content="${version}">`));
    // The page, the view, and the editor for worlds with its worker have 10 + 5 + 2 + 1 bytes for every build. Beside
    // them count the bundles of the labs: 7; 3 and the tools' 5; 4. Those for GPUs and of fleets do not.
    assert.ok(page.includes('<meta name="site-bytes" content="threads 25, threads-plain 26, simple 22">'), page);
    // Written once more, as after a change of the site, nothing is there twice.
    assert.equal(writeServiceWorker(folder, labs), version);
    assert.equal(readFileSync(join(folder, "index.html"), "utf8"), page);
    assert.deepEqual(labsInServiceWorker(folder), labs);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

// What the service worker (www/sw.js) notes and removes while another version of it comes. It runs here with a cache in
// memory. With a browser it is tested in tests/browser/offline.test.mjs and new-version.test.mjs.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const SCOPE = "https://example.org/learnery/";
const SOURCE = readFileSync(new URL("../../www/sw.js", import.meta.url), "utf8");

/** A cache that the service workers of all versions share. */
class MemoryCache {
  files = new Map();

  async match(request) {
    return this.files.get(request.url ?? request)?.clone();
  }

  async put(address, response) {
    this.files.set(address, response);
  }

  async keys() {
    return [...this.files.keys()].map((url) => ({ url }));
  }

  async delete({ url }) {
    return this.files.delete(url);
  }
}

/**
 * Starts the service worker of a version whose files have these texts. A file of a lab has the lab's name in its own.
 * Returns its registration, which tests change, and functions that install it and ask it.
 */
function start(cache, version, texts) {
  const files = Object.entries(texts).map(([path, text]) => {
    const lab = /assets\/lab-(\w+)-/.exec(path)?.[1];
    const hash = createHash("sha256").update(text).digest("base64");
    return [path, { hash, bytes: text.length, ...(lab && { labs: [lab] }) }];
  });
  const listeners = {};
  const registration = { scope: SCOPE, installing: null, waiting: null };
  const worker = { isActive: true };
  const self = {
    registration,
    addEventListener: (type, listener) => (listeners[type] = listener),
    skipWaiting: async () => {},
    clients: {
      claim: async () => {
        if (!worker.isActive) throw new DOMException("not the active worker", "InvalidStateError");
      },
      matchAll: async () => [],
    },
  };
  const navigator = { locks: { query: async () => ({ held: [] }), request: async (_, work) => work() } };
  const fetch = async (address) => new Response(texts[address.slice(SCOPE.length) || "index.html"]);
  const code = `const SITE = ${JSON.stringify({ version, files: Object.fromEntries(files) })};\n${SOURCE}`;
  new Function("self", "caches", "navigator", "fetch", code)(self, { open: async () => cache }, navigator, fetch);
  const install = async () => {
    registration.installing = {};
    let installed;
    listeners.install({ waitUntil: (promise) => (installed = promise) });
    await installed;
    registration.installing = null;
  };
  const keep = (labs) =>
    new Promise((resolve) => {
      const data = { type: "keep", version, bundle: "threads", labs, all: false };
      listeners.message({ data, ports: [{ postMessage: resolve }], waitUntil: () => {} });
    });
  return { worker, registration, install, keep };
}

const FIRST = { "index.html": "1", "assets/page-11111111.js": "first", "assets/lab-cube-11111111.js": "c" };
const SECOND = {
  "index.html": "2",
  "assets/page-22222222.js": "second",
  "assets/lab-cube-11111111.js": "c",
  "assets/lab-logic-22222222.js": "l",
};

const kept = (cache, path) => cache.files.has(SCOPE + path);
const labsOf = async (cache, version) => (await (await cache.match(`${SCOPE}versions/${version}`)).json()).labs;

test("service worker removes no file of a newer version that waits or has replaced it", async () => {
  const cache = new MemoryCache();
  const [first, second] = [start(cache, "v1", FIRST), start(cache, "v2", SECOND)];
  assert.equal((await first.keep(["cube"])).missing, 0);
  await second.install();
  const isWhole = () => kept(cache, "versions/v2") && kept(cache, "assets/page-22222222.js");
  assert.ok(isWhole());
  first.registration.waiting = {};
  assert.equal((await first.keep(["cube"])).missing, 0);
  assert.ok(isWhole(), "it waits");
  first.registration.waiting = null;
  first.worker.isActive = false;
  assert.equal((await first.keep(["cube"])).failure, "version");
  assert.ok(isWhole(), "it has replaced the older one");
  // Nobody uses the older version any more.
  assert.equal((await second.keep(["cube"])).missing, 0);
  assert.ok(isWhole());
  assert.ok(!kept(cache, "versions/v1") && !kept(cache, "assets/page-11111111.js"));
  assert.ok(kept(cache, "assets/lab-cube-11111111.js"), "a file of both versions");
});

test("lab that was opened while a newer version was being fetched is kept by that too", async () => {
  const cache = new MemoryCache();
  const [first, second] = [
    start(cache, "v1", { ...FIRST, "assets/lab-logic-11111111.js": "l" }),
    start(cache, "v2", SECOND),
  ];
  await first.keep(["cube"]);
  await second.install();
  assert.deepEqual(await labsOf(cache, "v2"), ["cube"]);
  first.registration.waiting = {};
  await first.keep(["logic"]);
  await second.keep(["cube"]);
  assert.deepEqual((await labsOf(cache, "v2")).sort(), ["cube", "logic"]);
  assert.ok(kept(cache, "assets/lab-logic-22222222.js"));
});

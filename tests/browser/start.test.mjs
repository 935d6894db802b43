// The development server of `npm start`: a page that is opened before its bundle is built. The build is a copy of a
// bundle that has been built before, into a copy of the page's sources.

import assert from "node:assert/strict";
import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createServer } from "vite";
import { BundleQueue, bundlePlugin, labNames } from "../../scripts/dev-bundles.mjs";
import { PAGES } from "../../scripts/headers.mjs";
import { newVisitor, root, temporaryFolder, test, until } from "./harness.mjs";
import { untilLearning } from "./lab.mjs";

const WASM = "www/generated/wasm";

let server;

test.afterEach(() => server?.close());

/** Starts the server. A build goes on until the function that is returned as `finish` is called. */
async function start() {
  const folder = temporaryFolder();
  for (const name of [...PAGES, "docs/glossary.md", "models", "package.json", "www"]) {
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: (from) => !from.includes("/wasm/") });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  const started = [];
  let end;
  const queue = new BundleQueue(labNames(root), (name, onProgress) => {
    started.push(name);
    onProgress(0.5);
    return new Promise((resolve, reject) => {
      end = (error) => {
        if (error) return void reject(error);
        cpSync(join(root, WASM, name), join(folder, WASM, name), { recursive: true });
        resolve();
      };
    });
  });
  // Vite sets this when it builds in the same process. The plugin must set it back, or the page would not wait for its
  // bundle.
  process.env.NODE_ENV = "production";
  server = await createServer({
    root: folder,
    configFile: join(root, "vite.config.ts"),
    cacheDir: join(folder, "cache"),
    logLevel: "warn",
    plugins: [bundlePlugin(queue)],
    server: { fs: { strict: false } },
  });
  await server.listen();
  return { address: server.resolvedUrls.local[0], queue, started, finish: (error) => end(error) };
}

test("page that is opened too soon says so, and opens its lab when that is built", async () => {
  const { address, queue, started, finish } = await start();
  queue.add(["control", "backgammon", "cube", "logic"].map((lab) => `threads/${lab}`));
  const context = await newVisitor();
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  const says = (text) => page.locator(".card.loading", { hasText: text }).waitFor();
  const open = (lab) => page.evaluate((lab) => void (location.hash = `#/${lab}`), lab);

  await page.goto(address);
  await page.getByRole("link", { name: "Start with Control" }).click();
  await says("The lab “control” is being built on your machine. It opens by itself when it is ready.");
  finish();
  await untilLearning(page);
  // A mark that loading the page again would erase, as it would the run.
  await page.evaluate(() => void (globalThis.sameDocument = true));

  await open("logic");
  await says("The lab “logic” is built on your machine after “backgammon”.");
  finish(new Error("a build that fails"));
  await says("The lab “logic” is being built on your machine.");
  finish();
  await until("the lab opens", () => page.evaluate(() => globalThis.learnery.lab?.about.id === "logic"));
  await untilLearning(page);

  await open("backgammon");
  await says("The lab “backgammon” is built on your machine after “cube”.");
  finish();
  await says("The lab “backgammon” is being built on your machine.");
  finish(new Error("a build that fails"));
  await says("The lab “backgammon” could not be built; the terminal shows the error.");

  await open("control");
  await untilLearning(page);
  assert.deepEqual(
    started.map((name) => name.split("/")[1]),
    ["control", "backgammon", "logic", "cube", "backgammon"],
  );
  assert.ok(await page.evaluate(() => globalThis.sameDocument), "the page was not loaded again");
  assert.deepEqual(errors, []);
});

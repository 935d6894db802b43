// The page in bare/, which has nothing but a session worker: builds it, opens it and sends requests to its worker.

import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { build, loadConfigFromFile } from "vite";
import { writeServiceWorker } from "../../scripts/service-worker.mjs";
import { openPage, root } from "./harness.mjs";

let built;

/** The folder of the page, which each lane builds once, as the site is built, but alone. */
export const bareFolder = () => (built ??= buildBare());

async function buildBare() {
  const folder = join(root, "target/bare", process.env.TEST_PARALLEL_INDEX);
  const source = join(root, "tests/browser/bare");
  const { config } = await loadConfigFromFile({ command: "build" }, join(root, "vite.config.ts"));
  // Options that `build` takes are added to those of the configuration, so the pages of the site are replaced here.
  config.build.rolldownOptions.input = join(source, "index.html");
  Object.assign(config.build, { outDir: folder, emptyOutDir: true });
  // It has no files of labs, without which that plugin fails. Its service worker is written below.
  config.plugins = config.plugins.filter(({ name }) => name !== "service-worker");
  // A development server may have run in this process and set this variable for itself.
  process.env.NODE_ENV = "production";
  await build({ ...config, root: source, configFile: false, logLevel: "warn" });
  writeServiceWorker(folder, {});
  return folder;
}

/** Waits until the worker has loaded its bundle, or has failed to. */
export async function untilReady(page) {
  await page.waitForFunction(() => globalThis.bare?.received.some(({ type }) => type === "ready" || type === "failed"));
}

/** A visitor whose worker is ready. */
export async function openBare(host) {
  const page = await openPage(host, "", { folder: await bareFolder() });
  await untilReady(page);
  return page;
}

/** Replaces the worker by one with this program, as one of its bundles. */
export async function openProgram(page, program, bundle, threads) {
  await page.evaluate((wanted) => globalThis.bare.replace(...wanted), [program, bundle, threads]);
  await untilReady(page);
  const { choice, ready } = await page.evaluate(() => ({
    choice: globalThis.bare.choice.name,
    ready: globalThis.bare.received.at(-1),
  }));
  assert.equal(choice, bundle);
  assert.equal(ready.type, "ready", JSON.stringify(ready));
  assert.equal(ready.build.threads, threads);
}

/** Sends a request to the worker and returns the first later message of one of these types. */
export const ask = (page, request, ...types) =>
  page.evaluate(([request, types]) => globalThis.bare.ask(request, ...types), [request, types]);

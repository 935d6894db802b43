// The page in bare/, which has nothing but a session worker: builds it, opens it and sends requests to its worker.

import { basename, join } from "node:path";
import { build, loadConfigFromFile } from "vite";
import { openPage, root } from "./harness.mjs";

/** The folder of the built page. Each test file has its own, because two can run at the same time. */
export const bareFolder = join(root, "target/bare", basename(process.argv[1], ".test.mjs"));

/** Builds the page as the site is built, but alone. Call it before the first test of a file. */
export async function buildBare() {
  const source = join(root, "tests/browser/bare");
  const { config } = await loadConfigFromFile({ command: "build" }, join(root, "vite.config.ts"));
  // Options that `build` takes are added to those of the configuration, so the pages of the site are replaced here.
  config.build.rolldownOptions.input = join(source, "index.html");
  Object.assign(config.build, { outDir: bareFolder, emptyOutDir: true });
  await build({ ...config, root: source, configFile: false, logLevel: "warn" });
}

/** Waits until the worker has loaded its bundle, or has failed to. */
export async function untilReady(page) {
  await page.waitForFunction(() => globalThis.bare?.received.some(({ type }) => type === "ready" || type === "failed"));
}

/** A visitor whose worker is ready. */
export async function openBare(host) {
  const page = await openPage(host, "", { folder: bareFolder });
  await untilReady(page);
  return page;
}

/** Sends a request to the worker and returns the first later message of one of these types. */
export const ask = (page, request, ...types) =>
  page.evaluate(([request, types]) => globalThis.bare.ask(request, ...types), [request, types]);

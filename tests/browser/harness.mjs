// What browser tests share: a server for the built site, a real Chromium, and a watch over each page.
//
//   import { after, before, test } from "node:test";
//   import { hosts, openPage, closeAll } from "./harness.mjs";
//
//   for (const host of Object.values(hosts)) {
//     test(`learns, ${host.name}`, async () => {
//       const page = await openPage(host, "#control");     // a fresh visitor: empty storage
//       await page.goto(page.address("?bundle=simple"));   // Playwright's page, with `address`
//       ...
//       await page.assertQuiet();                          // no console error, no long task
//     });
//   }
//   after(closeAll);
//
// A page also has `page.errors` (console errors and uncaught exceptions so far), `page.longTasks()` (each
// with start and duration, those over 100 ms), and `page.forget()`, which starts both afresh, for a test
// that has just provoked an error on purpose or done something that may take a moment.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { findChromium } from "../../scripts/chromium.mjs";
import { serve } from "./server.mjs";

/** The repository and the built site. */
export const root = fileURLToPath(new URL("../../", import.meta.url));
export const site = process.env.LEARNERY_SITE ?? fileURLToPath(new URL("../../dist/", import.meta.url));

/** The three kinds of host a visitor may meet. */
export const hosts = {
  /** Sends the isolation headers: threads at once. */
  isolated: { name: "isolated", isolation: true, serviceWorkers: "block", base: "/", bundle: "threads" },
  /** Sends none, and service workers are switched off: one thread. */
  plain: { name: "plain", isolation: false, serviceWorkers: "block", base: "/", bundle: "simple" },
  /** Sends none, under a folder: the service worker brings threads. */
  worked: { name: "service worker", isolation: false, serviceWorkers: "allow", base: "/some/folder/", bundle: "threads" },
};

/** The longest task that may hold up the page's own thread. */
export const LONGEST_TASK_MS = 100;

const open = { servers: new Map(), contexts: [], browser: undefined };

/** The browser of this test process. */
export async function browser() {
  open.browser ??= await chromium.launch({
    executablePath: findChromium(),
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  return open.browser;
}

/**
 * Opens `path` of the site (or of another `folder`) on a host, as a fresh visitor or (with `context`) in
 * another tab of the same. Other options are Playwright's, for the context: colour scheme, viewport.
 */
export async function openPage(host, path = "", { context, folder = site, ...options } = {}) {
  const key = `${host.name} ${folder}`;
  if (!open.servers.has(key)) {
    assert.ok(existsSync(folder), `the site is not built (${folder} is missing): run \`npm run build\``);
    open.servers.set(key, await serve(folder, host));
  }
  const server = open.servers.get(key);
  if (!context) {
    context = await (await browser()).newContext({ serviceWorkers: host.serviceWorkers, acceptDownloads: true, ...options });
    await context.addInitScript(watchLongTasks, LONGEST_TASK_MS);
    open.contexts.push(context);
  }
  const page = watched(await context.newPage());
  page.address = (path) => server.address + path;
  await page.goto(page.address(path));
  return page;
}

/** Runs in the page, before its own scripts. */
function watchLongTasks(longest) {
  const tasks = [];
  Object.defineProperty(globalThis, "longTasks", { value: tasks });
  const note = (entry) => entry.duration > longest && tasks.push({ start: entry.startTime, duration: entry.duration });
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type: "longtask", buffered: true });
}

function watched(page) {
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") page.errors.push(`${message.text()} (${message.location().url})`);
  });
  page.longTasks = () => page.evaluate(() => globalThis.longTasks);
  page.forget = async () => {
    page.errors.length = 0;
    await page.evaluate(() => void (globalThis.longTasks.length = 0));
  };
  page.assertQuiet = async () => {
    assert.deepEqual(page.errors, [], "errors on the console");
    assert.deepEqual(await page.longTasks(), [], `tasks of more than ${LONGEST_TASK_MS} ms`);
  };
  return page;
}

/** Waits until `check` gives something true, and gives that back. */
export async function until(what, check, { seconds = 30, every = 100 } = {}) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    const found = await check();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, every));
  }
  assert.fail(`not within ${seconds} s: ${what}`);
}

/** Closes what the tests of this file opened. */
export async function closeAll() {
  for (const context of open.contexts.splice(0)) await context.close();
  for (const server of open.servers.values()) await server.close();
  open.servers.clear();
  await open.browser?.close();
  open.browser = undefined;
}

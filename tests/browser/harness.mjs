// The harness of the browser tests: serves the built site, opens its pages in a real Chromium, and records their
// errors. Playwright's runner (playwright.config.mjs) runs the tests in lanes: processes with one browser each.
//
//   import { hosts, openPage, test } from "./harness.mjs";
//
//   for (const host of Object.values(hosts)) {
//     test(`learns, ${host.name}`, async () => {
//       const page = await openPage(host, "#/control");          // a fresh visitor: empty storage
//       await page.goto(page.address("?bundle=simple"));         // `address` makes an address on this host
//       ...
//       await page.assertNoErrors();                             // fails on a console error
//       await assertResponsive(() => page.waitForTimeout(3000)); // fails if the page does not respond meanwhile
//     });
//   }
//
// A page also has `page.loaded()` (the files sent since it was opened), `page.setNetwork(false)` (nothing answers any
// more, to no page of this visitor), `page.errors` (console errors and uncaught
// exceptions so far) and `page.forget()`, which clears them after a test has provoked an error on purpose. Visitors,
// servers and folders end with the test.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { test as base } from "@playwright/test";
import { chromium } from "playwright-core";
import { findChromium } from "../../scripts/browsers.mjs";
import { serve } from "./server.mjs";

/** The folders of the repository and of the built site. */
export const root = fileURLToPath(new URL("../../", import.meta.url));
export const site = process.env.LEARNERY_SITE ?? fileURLToPath(new URL("../../dist/", import.meta.url));

/** Three kinds of host, on which the page chooses different bundles (with threads, or the simple one). */
export const hosts = {
  /** Sends the isolation headers, so threads work at once. */
  isolated: { name: "isolated", isolation: true, serviceWorkers: "block", base: "/", bundle: "threads" },
  /** Sends no headers and blocks service workers, so there is one thread. */
  plain: { name: "plain", isolation: false, serviceWorkers: "block", base: "/", bundle: "simple" },
  /** Sends no headers and serves from a folder. The service worker makes threads possible. */
  serviceWorker: {
    name: "service worker",
    isolation: false,
    serviceWorkers: "allow",
    base: "/some/folder/",
    bundle: "threads",
  },
};

/** The longest processor time that a task on the page's main thread may take. */
const LONGEST_TASK_MS = 100;

/** A trace of a working page has at least this many tasks of the main thread; fewer mean that tracing has failed. */
const MIN_TASKS = 100;

/**
 * A wait for an event fails after this time. It is long, because a machine may be busy: it only ends a test that hangs.
 */
const DEADLINE_SECONDS = 240;

/**
 * The resources that this lane has open: its browser; and for the present test its servers (by host and folder), its
 * visitors (browser contexts) and its folders.
 */
const open = { browser: undefined, servers: new Map(), contexts: [], folders: [] };

/** Arguments of Chromium for the tests of a file: `test.use({ browserArguments: [...] })`. */
let browserArguments = [];

export const test = base.extend({
  browserArguments: [[], { scope: "worker", option: true }],
  lane: [
    async ({ browserArguments: more }, use) => {
      browserArguments = more;
      await use();
      await open.browser?.close();
    },
    { scope: "worker", auto: true },
  ],
  visit: [
    async ({}, use, testInfo) => {
      await use();
      if (testInfo.status !== testInfo.expectedStatus) await printAlerts();
      // A page that goes on learning would slow down the tests after it.
      for (const context of open.contexts.splice(0)) await context.close();
      for (const server of open.servers.values()) await server.close();
      open.servers.clear();
      for (const folder of open.folders.splice(0)) rmSync(folder, { recursive: true, force: true });
    },
    { auto: true },
  ],
});

/** Prints what the open pages say has failed, with the messages that they show only if one unfolds them. */
async function printAlerts() {
  for (const page of open.contexts.flatMap((context) => context.pages())) {
    const alerts = await page.getByRole("alert").allTextContents();
    if (alerts.length > 0) console.log(`${page.url()} says: ${alerts.join(" | ")}`);
  }
}

/** The lane's Chromium. */
async function browser() {
  open.browser ??= await chromium.launch({
    executablePath: findChromium(),
    args: ["--no-sandbox", "--disable-dev-shm-usage", ...browserArguments],
  });
  return open.browser;
}

/** A new visitor, with Playwright's context options. */
export async function newVisitor(options) {
  const context = await (await browser()).newContext(options);
  context.setDefaultTimeout(DEADLINE_SECONDS * 1000);
  open.contexts.push(context);
  return context;
}

/** A new folder, which is removed after the test. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "learnery-"));
  open.folders.push(folder);
  return folder;
}

/**
 * Opens a path of the site, or of another `folder`, on a host. Without `context` the visitor is new; with it the page
 * is another tab of the same visitor. `server` is the address of a server that runs already, of which `page.loaded()`
 * knows nothing. `prepare` is called with the page before it is opened. Pages draw 15 frames a second, unless
 * `everyFrame`. Runs train beyond their goals unless `stopsAtGoal`: how soon a run reaches its goal depends on the
 * machine. Other options are Playwright's context options.
 */
export async function openPage(
  host,
  path = "",
  { context, folder = site, prepare, server: address, stopsAtGoal, everyFrame, ...options } = {},
) {
  const key = `${host.name} ${folder}`;
  if (address === undefined && !open.servers.has(key)) {
    assert.ok(existsSync(folder), `the site is not built (${folder} is missing): run \`npm run build\``);
    open.servers.set(key, await serve(folder, host));
  }
  const server = address === undefined ? open.servers.get(key) : { address, sent: [] };
  context ??= await newVisitor({ serviceWorkers: host.serviceWorkers, acceptDownloads: true, ...options });
  const page = watched(await context.newPage());
  page.address = (path) => server.address + path;
  page.setNetwork = async (on) => {
    server.down = !on;
    await context.setOffline(!on);
  };
  const before = server.sent.length;
  page.loaded = () => server.sent.slice(before);
  await page.addInitScript(recordNotices);
  if (!stopsAtGoal) await page.addInitScript(trainBeyondGoal);
  if (!everyFrame) await page.addInitScript(limitFrames, FRAME_MS);
  await prepare?.(page);
  await page.goto(page.address(path));
  return page;
}

/** Runs in the page: records what notices say, because they go after some seconds. `untilTold` in lab.mjs reads it. */
function recordNotices() {
  globalThis.told = [];
  const record = (changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
      if (node instanceof Element && node.matches("[data-notice]")) globalThis.told.push(node.textContent);
  };
  new MutationObserver(record).observe(document, { subtree: true, childList: true });
}

/** Runs in the page: chooses that runs do not stop at their goals (www/core/stop-at-goal.ts). */
function trainBeyondGoal() {
  // Embeds have no such choice, and store nothing.
  if (globalThis.top === globalThis && !location.pathname.endsWith("/embed.html"))
    localStorage.setItem("learnery:stop-at-goal", "off");
}

/**
 * The shortest time between two frames of a page, in milliseconds: it draws each fourth frame of a screen with 60 Hz.
 */
const FRAME_MS = 60;

/**
 * Runs in the page: replaces `requestAnimationFrame` by a slower one. Without a GPU, drawing 60 frames a second takes
 * as much processor time as training. Animations of style sheets keep their rate.
 */
function limitFrames(frameMs) {
  const request = globalThis.requestAnimationFrame.bind(globalThis);
  const waiting = new Map();
  let isRequested = false;
  let last = -Infinity;
  let id = 0;
  const requestFrame = () => {
    if (!isRequested) request(draw);
    isRequested = true;
  };
  const draw = (time) => {
    isRequested = false;
    if (time - last < frameMs) return requestFrame();
    last = time;
    for (const key of [...waiting.keys()]) {
      const callback = waiting.get(key);
      if (!waiting.delete(key)) continue; // one before it has cancelled it
      try {
        callback(time);
      } catch (error) {
        reportError(error);
      }
    }
  };
  globalThis.requestAnimationFrame = (callback) => {
    waiting.set(++id, callback);
    requestFrame();
    return id;
  };
  globalThis.cancelAnimationFrame = (key) => void waiting.delete(key);
}

/** Adds the recording of errors to a page. */
function watched(page) {
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") page.errors.push(`${message.text()} (${message.location().url})`);
  });
  page.forget = async () => void (page.errors.length = 0);
  page.assertNoErrors = async () => assert.deepEqual(page.errors, [], "errors on the console");
  return page;
}

/** A page is unresponsive if this many tries fail. */
const TRIES = 3;

/**
 * Does `work` and checks that no task blocked the main thread of a page. Only processor time counts, because elapsed
 * time also measures what else the machine is doing. There are several tries, because a garbage collection or a busy
 * machine can slow down a single one.
 */
export async function assertResponsive(work) {
  const seen = [];
  for (let attempt = 0; attempt < TRIES; attempt++) {
    seen.push(await longestTask(work));
    if (seen.at(-1) < LONGEST_TASK_MS) return;
  }
  assert.fail(`the main thread was blocked in every try: ${seen.map((ms) => `${ms.toFixed(0)} ms`).join(", ")}`);
}

/** The processor time, in milliseconds, of the longest main-thread task during `work`. */
async function longestTask(work) {
  const client = await (await browser()).newBrowserCDPSession();
  const events = [];
  client.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await client.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel"], excludedCategories: ["*"] },
  });
  await work();
  const complete = new Promise((resolve) => client.once("Tracing.tracingComplete", resolve));
  await client.send("Tracing.end");
  await complete;
  await client.detach();

  const pages = new Set(
    events
      .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  // `tdur` is the processor time of a task. A task without it had not ended when the trace did.
  const tasks = events.filter(
    ({ name, pid, tid, tdur }) => name.endsWith("RunTask") && tdur !== undefined && pages.has(`${pid} ${tid}`),
  );
  assert.ok(tasks.length > MIN_TASKS, `the trace contains only ${tasks.length} tasks`);
  return Math.max(...tasks.map(({ tdur }) => tdur / 1000)); // microseconds
}

/** What Playwright says of an `evaluate` that was interrupted, because the page was loaded anew meanwhile. */
const INTERRUPTED = /Execution context was destroyed|Cannot find context with specified id/;

/**
 * Calls `check` every few milliseconds until it returns a truthy value, and returns that. The error quotes `what`. A
 * page that is loaded anew while it is asked is asked again.
 */
export async function until(what, check, { every = 100 } = {}) {
  for (const end = Date.now() + DEADLINE_SECONDS * 1000; Date.now() < end;) {
    const found = await (async () => check())().catch((error) => {
      if (!INTERRUPTED.test(error.message)) throw error;
    });
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, every));
  }
  assert.fail(`not within ${DEADLINE_SECONDS} s: ${what}`);
}

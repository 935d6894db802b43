// The site without a network: the service worker keeps it on the device, fetches new versions, and what is not stored
// says so and recovers.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { labNames } from "../../scripts/dev-bundles.mjs";
import { gzipSize } from "../../scripts/sizes.mjs";
import { hosts, openPage, root, test, until } from "./harness.mjs";
import { anotherRun, isLoadedLater, setRunning, state, untilLearning, untilTold, untilUnits } from "./lab.mjs";
import { copyOfSite, deployNextVersion } from "./versions.mjs";

const LABS = labNames(root);
const MAX_FIRST_LOAD_KB = 400;

/** Sends the isolation headers, and allows service workers. */
const isolated = { ...hosts.isolated, name: "isolated, with service workers", serviceWorkers: "allow" };

/** The addresses that the service worker keeps. */
const keptFiles = (page) =>
  page.evaluate(async () => {
    const caches = await Promise.all((await globalThis.caches.keys()).map((name) => globalThis.caches.open(name)));
    return (await Promise.all(caches.map((cache) => cache.keys()))).flat().map(({ url }) => url);
  });

/** Lets a function run in the page before its own scripts. */
const addScript = (script, argument) => (page) => page.context().addInitScript(script, argument);

/** Waits until the whole site is kept on the device. */
async function untilKept(page) {
  const version = await page.evaluate(() => document.querySelector("meta[name=version]").content);
  await until("the site is kept", async () =>
    (await keptFiles(page)).some((url) => url.endsWith(`versions/${version}`)),
  );
  return version;
}

const untilLab = (page, lab) =>
  until(`the lab ${lab} learns`, () =>
    page.evaluate((lab) => {
      const { lab: open, progress } = globalThis.learnery ?? {};
      return open?.about.id === lab && progress.units > 0 && document.querySelector(".dock") !== null;
    }, lab),
  );

/** Loads the page anew, without the visitor's doing, until it is isolated. */
const untilIsolated = (page) =>
  until("the page is isolated", () => page.evaluate(() => globalThis.crossOriginIsolated).catch(() => false));

for (const host of [isolated, hosts.serviceWorker]) {
  test(`after one visit all labs work without a network: ${host.name} host`, async () => {
    const page = await openPage(host, "#/control?seed=3");
    await untilIsolated(page);
    await untilLearning(page);
    await until("the service worker is there", () => page.loaded().some((file) => file.endsWith("sw.js")));
    if (host === isolated) {
      // The service worker is registered only when the lab learns. So what comes before it is the first load, apart
      // from what is loaded then too.
      assert.ok((await state(page)).units > 0);
      const end = page.loaded().findIndex((file) => file.endsWith("sw.js"));
      const files = page
        .loaded()
        .slice(0, end)
        .filter((file) => !isLoadedLater(file));
      const load = files.reduce((sum, file) => sum + gzipSize(readFileSync(file)) / 1000, 0);
      console.log(`the first load has ${load.toFixed(0)} kB by gzip`);
      assert.ok(load < MAX_FIRST_LOAD_KB, `the first load has ${load.toFixed(0)} kB`);
    }
    await untilKept(page);
    const modules = (await keptFiles(page)).filter((url) => url.endsWith(".wasm")).map((url) => basename(url));
    assert.equal(modules.length, LABS.length, "one bundle of each lab");
    assert.ok(modules.every((name) => /^threads-[a-z]+-[\w-]{8}\.wasm$/.test(name) && !name.includes("plain")));

    const sent = page.loaded().length;
    await page.setNetwork(false);
    for (const lab of host === isolated ? LABS : ["logic"]) {
      await page.goto(page.address(`#/${lab}`));
      await untilLab(page, lab);
    }
    await page.goto(page.address("#/labs"));
    await page.getByRole("heading", { name: "Small agents that learn" }).waitFor();
    // Another tab gets the page itself from the device, with the headers for threads, and continues the saved run.
    const other = await openPage(host, "#/cube", { context: page.context() });
    await untilLab(other, "cube");
    assert.ok(await other.evaluate(() => globalThis.crossOriginIsolated));
    assert.equal((await state(other)).bundle, "threads");
    // The cube's trained network is a data file.
    await other.getByRole("button", { name: "Load a trained network" }).click();
    await untilTold(other, /^Opened /);
    assert.equal(page.loaded().length, sent, "nothing came from the network");
    await page.assertNoErrors();
  });
}

test("visitor who saves data gets only what is used", async () => {
  const init = () => Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  const page = await openPage(isolated, "#/control", { prepare: addScript(init) });
  await untilLearning(page);
  await until("the service worker controls the page", () => page.evaluate(() => navigator.serviceWorker.controller));
  await page.waitForTimeout(500); // time in which it would fetch files
  assert.ok(!(await keptFiles(page)).some((url) => url.includes("cube")));
  // A lab that is opened is kept.
  await page.goto(page.address("#/logic"));
  await untilLab(page, "logic");
  await until("it is kept", async () => (await keptFiles(page)).some((url) => /threads-logic-.*wasm/.test(url)));
  await page.setNetwork(false);
  await page.goto(page.address("#/cube"));
  await page.getByText("This lab is not stored on this device and there is no network.").waitFor();
  await page.goto(page.address("#/logic"));
  await untilLab(page, "logic");
});

test("new version is fetched in the background, and an old page goes on until it is reloaded", async () => {
  const folder = copyOfSite();
  // Chromium puts off updates in the first minute of a visit, less often while the run is paused.
  const page = await openPage(isolated, "#/control?seed=8&units=1", { folder });
  const first = await untilKept(page);
  const before = page.loaded().length;

  const changed = deployNextVersion(folder, ["front", "view"]);
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
  const notice = page.locator("[data-notice=version]");
  await notice.getByText("A new version of Learnery is available.").waitFor();
  const fetched = page
    .loaded()
    .slice(before)
    .map((file) => basename(file));
  // Other builds are not needed here, and what fleets and embeds load is never kept.
  const isKept = (name) => !/^((simple|threads-plain)-|([a-z-]+-)?(fleet|embed)-)/.test(name);
  const expected = ["index.html", ...changed].filter(isKept).sort();
  assert.deepEqual(fetched.filter((name) => name !== "sw.js").sort(), expected, "only what has changed is fetched");
  await setRunning(page, true);
  await untilLearning(page);

  // A second page opens with the new version while the first still has the old one.
  const third = await openPage(isolated, "#/control?seed=9", { folder, context: page.context() });
  await untilLearning(third);
  const second = await untilKept(third);
  assert.notEqual(second, first);
  assert.equal(await third.locator("[data-notice=version]").count(), 0, "it has the new version");
  // Only one page at a time saves the runs of a lab. From now on that is the first one again.
  await third.close();
  // The old page still finds the files that the host has no longer: another lab and the front.
  await page.goto(page.address("#/cube"));
  await untilLab(page, "cube");
  await page.goto(page.address("#/labs"));
  await page.getByRole("heading", { name: "Small agents that learn" }).waitFor();
  await page.goto(page.address("#/control"));
  await untilLab(page, "control");
  assert.ok((await keptFiles(page)).some((url) => url.endsWith(`versions/${first}`)));
  await notice.waitFor(); // after the notice that the run was continued

  const { units } = await state(page);
  await notice.getByRole("button", { name: "Reload" }).click();
  const version = () => document.querySelector("meta[name=version]").content;
  await until("the new page", async () => (await page.evaluate(version).catch(() => first)) === second);
  await untilLearning(page);
  assert.equal(await untilKept(page), second);
  assert.ok((await state(page)).units >= units);
  await until("the old files are removed", async () => {
    const kept = await keptFiles(page);
    return (
      !kept.some((url) => url.endsWith(`versions/${first}`)) && kept.filter((url) => /\/front-/.test(url)).length === 2
    );
  });
  await page.setNetwork(false);
  await page.goto(page.address("#/logic"));
  await untilLab(page, "logic");
  await page.assertNoErrors();
});

test("parts of the page that are not stored say so, lead back, and recover", async () => {
  const page = await openPage(hosts.isolated, "#/control?seed=6");
  await untilLearning(page);
  await untilUnits(page, 1);
  await page.setNetwork(false);
  const missing = (part) => page.getByText(`${part} is not stored on this device and there is no network.`);
  const link = page.url();
  const { units } = await state(page);
  await page.goto(page.address("#/cube"));
  await missing("This lab").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await missing("This lab").waitFor();
  await page.getByRole("button", { name: /^Back to / }).click();
  await page.locator(".dock").waitFor();
  assert.equal(page.url(), link);
  const now = await untilUnits(page, units + 1);
  assert.equal(now.seed, 6);
  assert.ok(now.running, "the run went on");

  // The texts and the picture of the lab arrive, but not its bundle.
  await page.setNetwork(true);
  await page.context().route("**/*.wasm", (route) => route.abort());
  await page.goto(page.address("#/logic"));
  await page.getByText("The lab could not be loaded").waitFor();
  const later = await state(page);
  await until("the open run goes on", async () => (await state(page)).units > later.units);
  await page.setNetwork(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await missing("This lab").waitFor();
  await page.context().unroute("**/*.wasm");
  await page.setNetwork(true);
  await untilLab(page, "logic");

  await page.setNetwork(false);
  await page.keyboard.press("?");
  await page.getByText("The list of keyboard shortcuts could not be loaded.").waitFor();
  await page.goto(page.address("#/labs"));
  await missing("The list of labs").waitFor();
  // The page reloads itself, because the browser remembers that the part could not be loaded. The run is saved.
  await page.setNetwork(true);
  await page.getByRole("heading", { name: "Small agents that learn" }).waitFor();
  await page.goto(page.address("#/control"));
  await untilTold(page, /^Continued from iteration/);
  await untilLab(page, "control");
  assert.equal((await state(page)).seed, 6);
});

/** A copy of the site whose service worker begins with this code. */
function siteWithServiceWorker(code) {
  const folder = copyOfSite();
  const file = join(folder, "sw.js");
  writeFileSync(file, `${code}\n${readFileSync(file, "utf8")}`);
  return folder;
}

const BROKEN_CACHES = {
  "the browser forbids caches":
    "Object.defineProperty(self, 'caches', { get() { throw new DOMException('no', 'SecurityError'); } });",
  "the storage is full": "Cache.prototype.put = async () => { throw new DOMException('full', 'QuotaExceededError'); };",
};

for (const [name, code] of Object.entries(BROKEN_CACHES)) {
  test(`service worker still isolates the page if ${name}`, async () => {
    const page = await openPage(hosts.serviceWorker, "#/control", { folder: siteWithServiceWorker(code) });
    await untilIsolated(page);
    await untilLearning(page);
    assert.equal((await state(page)).bundle, "threads");
    await page.goto(page.address("#/logic"));
    await untilLab(page, "logic");
    // A part of a file.
    const part = await page.evaluate(async () => {
      const response = await fetch("sw.js", { headers: { range: "bytes=0-9" } });
      return response.ok;
    });
    assert.ok(part);
    await page.assertNoErrors();
  });
}

/** Makes a getter throw, as browsers do where storage is forbidden. */
const FORBIDDEN = [
  "globalThis.localStorage",
  "globalThis.sessionStorage",
  "globalThis.indexedDB",
  "globalThis.caches",
  "navigator.storage",
  "navigator.locks",
  "navigator.serviceWorker",
];

test("page works where the browser forbids every storage", async () => {
  const init = (forbidden) => {
    globalThis.forbiddenUses = 0;
    for (const path of forbidden) {
      const [owner, name] = path.split(".");
      Object.defineProperty(owner === "navigator" ? Navigator.prototype : globalThis, name, {
        get() {
          globalThis.forbiddenUses++;
          throw new DOMException(`${name} is forbidden`, "SecurityError");
        },
      });
    }
  };
  const page = await openPage(hosts.serviceWorker, "#/control", { prepare: addScript(init, FORBIDDEN) });
  await untilLearning(page);
  await page.getByRole("button", { name: "Switch between light and dark" }).click();
  await page.keyboard.press("]");
  await untilUnits(page, 3);
  await page.getByText("this browser cannot save runs").waitFor();
  const restarted = await anotherRun(page, () => page.locator(".dock .restart").click());
  assert.equal(restarted.units, 0);
  await page.goto(page.address("#/cube"));
  await untilLab(page, "cube");
  await page.getByRole("button", { name: "Load a trained network" }).click();
  await untilTold(page, /^Opened /);
  assert.ok(await page.evaluate(() => globalThis.forbiddenUses > 0));
  await page.assertNoErrors();
});

test("full storage is told in the status line, and the run goes on", async () => {
  const init = () => {
    FileSystemWritableFileStream.prototype.write = () =>
      Promise.reject(new DOMException("The quota is exceeded.", "QuotaExceededError"));
  };
  const page = await openPage(hosts.isolated, "#/control", { prepare: addScript(init) });
  await untilLearning(page);
  await untilUnits(page, 3);
  await page.getByText("not saved: the browser's storage is full").waitFor();
  const restarted = await anotherRun(page, () => page.locator(".dock .restart").click());
  assert.equal(restarted.units, 0);
  await untilUnits(page, 1);
  await page.assertNoErrors();
});

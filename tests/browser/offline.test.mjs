// The site without a network: the service worker keeps the labs that were opened on the device, or all of them on
// request, and what is not stored says so and recovers. New versions are in new-version.test.mjs.

import assert from "node:assert/strict";
import { readFileSync, renameSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { labNames } from "../../scripts/dev-bundles.mjs";
import { labsInServiceWorker } from "../../scripts/service-worker.mjs";
import { gzipSize } from "../../scripts/sizes.mjs";
import { hosts, openPage, root, site, test, until } from "./harness.mjs";
import { FULL_CACHES, isolated, keptFiles, keptRecord, missingPart, untilKept } from "./kept.mjs";
import { SMALL_CUBE, isLoadedLater, openTool, state, untilLab, untilLearning, untilTold, untilUnits } from "./lab.mjs";
import { copyOfSite, withServiceWorkerCode } from "./versions.mjs";

const LABS = labNames(root);
/** The largest first load, in kilobytes compressed by gzip. */
const MAX_FIRST_LOAD_KB = 400;

/** The names of the WebAssembly modules that are kept, without the hashes in them. */
async function keptModules(page) {
  const modules = (await keptFiles(page)).filter((url) => url.endsWith(".wasm"));
  return modules.map((url) => basename(url).replace(/-[\w-]{8}\.wasm$/, "")).sort();
}

/** Waits until the page is isolated. On a host without headers it reloads itself for that, once. */
const untilIsolated = (page) =>
  until("the page is isolated", () => page.evaluate(() => globalThis.crossOriginIsolated).catch(() => false));

for (const host of [isolated, hosts.serviceWorker]) {
  test(`lab that was opened works without a network, and nothing of another is fetched: ${host.name} host`, async () => {
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
    await untilKept(page, "control");
    const labs = labsInServiceWorker(site);
    const paths = page.loaded().map((file) => relative(site, file));
    assert.ok(paths.some((path) => labs[path]?.includes("control")));
    assert.deepEqual(
      paths.filter((path) => labs[path] && !labs[path].includes("control")),
      [],
      "files of other labs",
    );
    // The editor for worlds belongs to this lab.
    assert.deepEqual(await keptModules(page), ["threads-control", "threads-control-later", "world"]);

    const sent = page.loaded().length;
    await page.setNetwork(false);
    // Another tab gets the page itself from the device, with the headers for threads.
    const other = await openPage(host, "#/control", { context: page.context() });
    await untilLab(other, "control");
    assert.ok(await other.evaluate(() => globalThis.crossOriginIsolated));
    assert.equal((await state(other)).bundle, "threads");
    await other.goto(other.address("#/cube"));
    await missingPart(other, "This lab").waitFor();
    await other.getByRole("button", { name: "Back to Control" }).click();
    await other.locator(".dock").waitFor();
    // A tab without a run leads to the front.
    const third = await openPage(host, "#/cube", { context: page.context() });
    await missingPart(third, "This lab").waitFor();
    await third.getByRole("button", { name: "Show all labs" }).click();
    await third.getByRole("heading", { name: "Small agents that learn" }).waitFor();
    assert.equal(page.loaded().length, sent, "nothing came from the network");
    await page.assertNoErrors();
  });
}

test("tools of a lab that was opened are kept with it, and answer without a network", async () => {
  const page = await openPage(isolated, "#/backgammon");
  await untilLearning(page);
  await untilKept(page, "backgammon");
  const parts = ["threads-backgammon", "threads-backgammon-later", "threads-backgammon-tools"];
  assert.deepEqual(await keptModules(page), parts);
  await page.setNetwork(false);
  await page.getByText("Matches and analysis").click();
  await page.getByRole("button", { name: "Look ahead" }).click();
  const panel = page.locator(".look-ahead");
  await panel.getByRole("button", { name: "1 ply" }).click();
  await panel.getByText(/ at 1 ply:$/).waitFor();
  await page.assertNoErrors();
});

const keepAllButton = (page) => page.getByRole("button", { name: /^Store all labs for use without a network \(/ });
const ALL_KEPT = "All labs are stored on this device and work without a network.";

test("all labs work without a network once the visitor has asked for it", async () => {
  const page = await openPage(isolated, "");
  await keepAllButton(page).waitFor();
  assert.ok(!page.loaded().some((file) => file.endsWith("sw.js")), "nothing is kept before");
  // The line beside the button, whenever it changes.
  await page.locator(".front-keep [role=status]").evaluate((line) => {
    globalThis.lines = [];
    new MutationObserver(() => globalThis.lines.push(line.textContent)).observe(line, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  const label = await keepAllButton(page).textContent();
  await keepAllButton(page).click();
  await page.getByText(ALL_KEPT).waitFor();
  await keepAllButton(page).waitFor({ state: "hidden" });
  assert.equal(await page.evaluate(() => document.activeElement.textContent), ALL_KEPT, "it has the focus");
  const lines = await page.evaluate(() => globalThis.lines);
  assert.ok(
    lines.some((line) => /^[\d.,]+ [kM]B of [\d.,]+ MB are on this device$/.test(line)),
    lines.join("; "),
  );
  assert.ok((await keptRecord(page)).all);
  const ofLabs = LABS.flatMap((lab) => [`threads-${lab}`, `threads-${lab}-later`]);
  const others = ["threads-backgammon-tools", "threads-control-own-worlds", "world"];
  assert.deepEqual(await keptModules(page), [...ofLabs, ...others].sort(), "both parts of one bundle of each program");
  // The button said how large the files are.
  const [, said] = /\(([\d.]+) MB\)$/.exec(label);
  const bytes = await page.evaluate(async () => {
    let sum = 0;
    for (const name of await globalThis.caches.keys()) {
      const cache = await globalThis.caches.open(name);
      for (const key of await cache.keys()) sum += (await (await cache.match(key)).arrayBuffer()).byteLength;
    }
    return sum;
  });
  assert.ok(Math.abs(Number(said) - bytes / 1e6) <= 0.6, `${said} MB are ${bytes} bytes`);

  const sent = page.loaded().length;
  await page.setNetwork(false);
  for (const lab of LABS) {
    await page.goto(page.address(lab === "cube" ? SMALL_CUBE : `#/${lab}`));
    await untilLab(page, lab);
  }
  await page.goto(page.address("#/labs"));
  await page.getByText(ALL_KEPT).waitFor();
  assert.equal(await keepAllButton(page).count(), 0);
  const other = await openPage(isolated, "#/cube", { context: page.context() });
  await untilLab(other, "cube");
  // The cube's trained network is a data file.
  await other.getByRole("button", { name: "Load a trained network" }).click();
  await until("it is opened", async () => {
    assert.doesNotMatch(await other.locator(".load-trained").textContent(), /cannot be opened/);
    return other.evaluate(() => globalThis.told.some((text) => text.startsWith("Opened ")));
  });
  assert.equal(page.loaded().length, sent, "nothing came from the network");
  await page.assertNoErrors();
});

test("service worker that has not arrived is asked for again, by a press and when the network is back", async () => {
  const folder = copyOfSite();
  const [file, away] = [join(folder, "sw.js"), join(folder, "sw.js.away")];
  renameSync(file, away);
  const front = await openPage(isolated, "", { folder });
  await keepAllButton(front).click();
  await front.getByText("Not every file has arrived").waitFor();
  renameSync(away, file);
  await keepAllButton(front).click();
  // A fast machine may be done before this looks.
  await front
    .getByText(/are on this device$/)
    .or(front.getByText(ALL_KEPT))
    .waitFor();

  renameSync(file, away);
  const init = () => {
    const { register } = ServiceWorkerContainer.prototype;
    ServiceWorkerContainer.prototype.register = function (...values) {
      const registered = register.apply(this, values);
      registered.catch(() => (globalThis.isRefused = true));
      return registered;
    };
  };
  const lab = await openPage(isolated, "#/control", {
    folder,
    prepare: (page) => page.context().addInitScript(init),
  });
  await until("the registration has failed", () => lab.evaluate(() => globalThis.isRefused));
  renameSync(away, file);
  await lab.evaluate(() => dispatchEvent(new Event("online")));
  await untilKept(lab, "control");
});

test("trained network that a lab has used works without a network", async () => {
  const page = await openPage(isolated, SMALL_CUBE);
  await untilLab(page, "cube");
  await page.getByRole("button", { name: "Load a trained network" }).click();
  await untilTold(page, /^Opened /);
  await untilKept(page, "cube");
  const data = async () => (await keptFiles(page)).filter((url) => url.endsWith(".safetensors"));
  await until("the network is kept", async () => (await data()).length > 0);
  assert.equal((await data()).length, 1, "the one that was used");
});

test("lab that is stored but cannot be started without a network is not said to be missing", async () => {
  const init = () => {
    const { Worker } = globalThis;
    globalThis.Worker = function (address, options) {
      if (options.name === "thread" && globalThis.refusesThreads) throw new Error("no more threads");
      return new Worker(address, options);
    };
  };
  const page = await openPage(isolated, "#/control", { prepare: (page) => page.addInitScript(init) });
  await untilLab(page, "control");
  await untilKept(page, "control");
  await page.goto(page.address(SMALL_CUBE));
  await untilLab(page, "cube");
  await untilKept(page, "cube");
  await page.setNetwork(false);
  await page.evaluate(() => void (globalThis.refusesThreads = true));
  await openTool(page, "Share and save");
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Open a file…" }).click(),
  ]);
  await chooser.setFiles(join(root, "tests/golden/runs/cube-dqn.safetensors"));
  const text = "cannot be opened: its lab could not be started (Error: no more threads).";
  await page.locator(".file-message.wrong", { hasText: text }).waitFor();
  const { units } = await state(page);
  await untilUnits(page, units + 1);

  await page.goto(page.address("#/control"));
  await page.getByRole("alert").getByText("The lab could not be loaded").waitFor();
  assert.equal(await missingPart(page, "This lab").count(), 0);
  await page.evaluate(() => void (globalThis.refusesThreads = false));
  await page.getByRole("button", { name: "Try again" }).click();
  await untilLab(page, "control");
});

test("visitor who saves data gets only what is used", async () => {
  const init = () => Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  const page = await openPage(isolated, "#/control", { prepare: (page) => page.context().addInitScript(init) });
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
  await missingPart(page, "This lab").waitFor();
  await page.goto(page.address("#/logic"));
  await untilLab(page, "logic");
});

test("parts of the page that are not stored say so, lead back, and recover", async () => {
  const page = await openPage(hosts.isolated, "#/control?seed=6");
  await untilLearning(page);
  await untilUnits(page, 1);
  await page.setNetwork(false);
  const missing = (part) => missingPart(page, part);
  const link = page.url();
  const { units } = await state(page);
  await page.goto(page.address("#/cube"));
  await missing("This lab").waitFor();
  const before = await page.locator(".card.missing").elementHandle();
  await page.getByRole("button", { name: "Try again" }).click();
  await until("it is tried again", () => before.evaluate((card) => !card.isConnected));
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

const BROKEN_CACHES = {
  "the browser forbids caches": {
    code: "Object.defineProperty(self, 'caches', { get() { throw new DOMException('no', 'SecurityError'); } });",
    told: "The browser does not let this page store files, so not every lab is kept.",
  },
  "the storage is full": {
    code: FULL_CACHES,
    told: "The browser's storage is full, so not every lab is kept.",
  },
};

for (const [name, { code, told }] of Object.entries(BROKEN_CACHES)) {
  test(`offer to keep all labs says in a sentence if ${name}`, async () => {
    const page = await openPage(isolated, "", { folder: withServiceWorkerCode(copyOfSite(), code) });
    await keepAllButton(page).click();
    await page.getByText(told).waitFor();
    assert.equal(await keptRecord(page), null);
  });

  test(`service worker still isolates the page if ${name}`, async () => {
    const page = await openPage(hosts.serviceWorker, "#/control", {
      folder: withServiceWorkerCode(copyOfSite(), code),
    });
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

test("labs are stored on while the visitor is elsewhere, and the offer shows it again", async () => {
  const page = await openPage(isolated, "");
  // Requests to store more of all labs, a few files at a time, reach the service worker only as far as `letThrough`
  // allows, so that the visit elsewhere is over before all is stored, on any machine.
  await page.evaluate(() => {
    // How many requests have been answered, and how many there were at most that were not yet.
    globalThis.answers = globalThis.mostRequests = 0;
    let [allowed, requests] = [1, 0];
    const held = [];
    globalThis.letThrough = (more) => {
      allowed += more;
      for (; allowed > 0 && held.length > 0; allowed--) held.shift()();
    };
    const { postMessage } = ServiceWorker.prototype;
    ServiceWorker.prototype.postMessage = function (request, [port]) {
      if (request.type !== "keep" || !request.all) return postMessage.call(this, request, [port]);
      const { port1, port2 } = new MessageChannel();
      globalThis.mostRequests = Math.max(globalThis.mostRequests, ++requests);
      port1.onmessage = ({ data }) => {
        requests--;
        globalThis.answers++;
        port.postMessage(data);
      };
      held.push(() => postMessage.call(this, request, [port2]));
      globalThis.letThrough(0);
    };
  });
  await keepAllButton(page).click();
  const stored = page.getByText(/^[\d.,]+ [kM]B of [\d.,]+ MB are on this device$/);
  await stored.waitFor();
  await page.goto(page.address("#/control"));
  await untilLab(page, "control");
  await page.evaluate(() => globalThis.letThrough(1));
  await until("more is stored", () => page.evaluate(() => globalThis.answers === 2));
  await page.goto(page.address("#/labs"));
  await stored.waitFor();
  await keepAllButton(page).click();
  await page.evaluate(() => globalThis.letThrough(Infinity));
  await page.getByText(ALL_KEPT).waitFor();
  assert.equal(await page.evaluate(() => globalThis.mostRequests), 1);
  assert.ok((await keptRecord(page)).all);
});

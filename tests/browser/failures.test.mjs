// Failures of the worker, in which a lab learns: the page shows a card with buttons from which the visitor can go on.
// The tests make it fail on purpose through the page's global object `learnery` (the `Run` of www/core/run.ts). And
// failures of the browser's storage, in which runs are saved: runs go on without it.

import assert from "node:assert/strict";
import { hosts, openPage, test, until } from "./harness.mjs";
import {
  SMALL_CUBE,
  anotherRun,
  setFullSpeed,
  setRunning,
  untilLab,
  untilLearning,
  untilSaved,
  untilTold,
  untilUnits,
} from "./lab.mjs";

/** Host, way to fail (see `Run.fail`), and title of the card. */
const FAILURES = [
  [hosts.isolated, "panic", "Training crashed"],
  [hosts.isolated, "poolPanic", "Training crashed"],
  [hosts.isolated, "memory", "Training ran out of memory"],
  [hosts.plain, "panic", "Training crashed"],
  [hosts.plain, "memory", "Training ran out of memory"],
];

for (const [host, how, title] of FAILURES) {
  test(`failure (${how}) becomes a card, and the last save continues: ${host.name} host`, async () => {
    const page = await openPage(host, "#/control");
    await untilLearning(page);
    await setFullSpeed(page);
    await untilUnits(page, 2);
    await setRunning(page, false);
    const saved = await untilSaved(page);
    await page.evaluate((how) => globalThis.learnery.fail(how), how);
    await page.getByRole("alert").getByText(title).waitFor();
    await page.locator(".card.failure button", { hasText: "Go back to iteration" }).click();
    await untilTold(page, /^Continued from iteration/);
    const now = await untilUnits(page, saved + 1);
    assert.ok(now.running);
    assert.equal(await page.locator(".card.failure").count(), 0);
  });
}

test("failure without a save leads to a fresh start", async () => {
  const page = await openPage(hosts.isolated, "#/control");
  await until("it is open", () =>
    page.evaluate(() => globalThis.learnery?.lab && document.querySelector(".dock") !== null),
  );
  await page.evaluate(() => globalThis.learnery.fail("panic"));
  await page.locator(".card.failure button", { hasText: "Start a new run" }).click();
  await untilLearning(page);
});

test("bundle that does not arrive is reported, and can be tried again", async () => {
  // An address without a page, so that nothing is loaded yet.
  const page = await openPage(hosts.isolated, "labs-not-yet");
  await page.context().route("**/*.wasm", (route) => route.abort());
  await page.goto(page.address("#/control"));
  await page.getByRole("alert").getByText("The lab could not be loaded").waitFor();
  await page.context().unroute("**/*.wasm");
  await page.getByRole("button", { name: "Try again" }).click();
  await untilLearning(page);
});

/** Reading any of these throws where the browser forbids storage. */
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
  const page = await openPage(hosts.serviceWorker, "#/control", {
    prepare: (page) => page.context().addInitScript(init, FORBIDDEN),
  });
  await untilLearning(page);
  await page.getByRole("button", { name: "Switch between light and dark" }).click();
  await page.keyboard.press("]");
  await untilUnits(page, 3);
  await page.getByText("this browser cannot save runs").waitFor();
  const restarted = await anotherRun(page, () => page.locator(".dock .restart").click());
  assert.equal(restarted.units, 0);
  await page.goto(page.address(SMALL_CUBE));
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
  const page = await openPage(hosts.isolated, "#/control", { prepare: (page) => page.context().addInitScript(init) });
  await untilLearning(page);
  await untilUnits(page, 3);
  await page.getByText("not saved: the browser's storage is full").waitFor();
  const restarted = await anotherRun(page, () => page.locator(".dock .restart").click());
  assert.equal(restarted.units, 0);
  await untilUnits(page, 1);
  await page.assertNoErrors();
});

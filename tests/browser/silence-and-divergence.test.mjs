// Two rare events, which the tests provoke: a worker that stops answering, and a run that diverges (its losses are not
// numbers).

import assert from "node:assert/strict";
import { hosts, newVisitor, openPage, test } from "./harness.mjs";
import { untilLearning, untilUnits, state, setRunning } from "./lab.mjs";

/** Opens a page that lists its session workers in `workers` and sends them nothing while `mute` is true. */
async function openWithWorkers() {
  const context = await newVisitor({ serviceWorkers: "block" });
  await context.addInitScript(() => {
    const Real = globalThis.Worker;
    globalThis.workers = [];
    globalThis.Worker = class extends Real {
      constructor(address, options) {
        super(address, options);
        if (options.name === "session") globalThis.workers.push(this);
      }
      postMessage(...args) {
        if (!globalThis.mute) super.postMessage(...args);
      }
    };
  });
  return openPage(hosts.isolated, "#/control", { context });
}

test("worker that stops answering is replaced", async () => {
  const page = await openWithWorkers();
  await untilLearning(page);
  await untilUnits(page, 2);
  await setRunning(page, false);
  await page.evaluate(() => void (globalThis.mute = true));
  await page.getByRole("alert").getByText("Training stopped responding").waitFor();
  await page.evaluate(() => void (globalThis.mute = false));
  await page.locator(".card.failure button").first().click();
  await untilLearning(page);
  assert.equal(await page.evaluate(() => globalThis.workers.length), 2);
});

/** The page saves a running run every four seconds. That it saves nothing needs the time. */
const LONGER_THAN_AUTOSAVE_MS = 5000;

test("losses that are not numbers give a warning and gaps in the curves, and are not saved", async () => {
  const page = await openWithWorkers();
  await untilLearning(page);
  await untilUnits(page, 2);
  await setRunning(page, false);
  const { units } = await state(page);
  // The page receives a progress message, as if from its worker, of three more units whose losses are not numbers.
  await page.evaluate((units) => {
    const { progress, series } = globalThis.learnery;
    const rows = [units + 1, units + 2, units + 3];
    const values = series.specs.map(({ better }) => rows.map(() => (better === "lower" ? NaN : 1)));
    const data = {
      type: "progress",
      progress: { ...progress, units: units + 3, running: true },
      metrics: { units: rows, values },
    };
    globalThis.workers[0].dispatchEvent(new MessageEvent("message", { data }));
  }, units);
  await page.getByText("Training diverged").waitFor();
  const losses = await page.evaluate(() => globalThis.learnery.series.column("valueLoss").slice(-3).map(String));
  assert.deepEqual(losses, ["NaN", "NaN", "NaN"]);
  await page.waitForTimeout(LONGER_THAN_AUTOSAVE_MS);
  const lastSave = await page.locator(".status-saved").textContent();
  assert.ok(!lastSave.includes(`iteration ${units + 3}`), lastSave);
});

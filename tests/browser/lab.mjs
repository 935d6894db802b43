// What the tests of the lab screen share: where a run stands, and what a visitor does.

import assert from "node:assert/strict";
import { until } from "./harness.mjs";

/** Where the run stands, as the page knows it. */
export function state(page) {
  return page.evaluate(() => {
    const { progress, settings, seed, goal, series, ready } = globalThis.learnery;
    return { ...progress, config: settings, seed, bundle: ready?.bundle, score: goal ? series.last(goal.metric) : NaN };
  });
}

/** Waits until the lab has begun to learn. */
export async function learning(page) {
  await until("the lab learns", async () => {
    const begun = await page.evaluate(
      () => globalThis.learnery?.progress.running && document.querySelector(".dock") !== null,
    );
    return begun && (await state(page)).units > 0;
  });
}

/** Full speed, by the keyboard. */
export async function flatOut(page) {
  for (let press = 0; press < 25; press++) await page.keyboard.press("]");
  assert.equal(await page.locator(".pace").textContent(), "flat out");
}

/** Runs or holds it, and waits until that is so. */
export async function toggle(page, running) {
  await page.keyboard.press("Space");
  await until(running ? "it runs" : "it is held", async () => (await state(page)).running === running, { every: 30 });
}

/** Waits until the run as it stands is kept, and says at which unit. */
export async function kept(page) {
  const line = page.locator(".status-saved");
  return until("it is kept", async () => {
    const unit = Number(/kept at iteration (\d+)/.exec(await line.textContent())?.[1] ?? -1);
    return unit >= (await state(page)).units && unit;
  });
}

export async function reached(page, units, seconds = 60) {
  return until(
    `unit ${units}`,
    async () => {
      const now = await state(page);
      return now.units >= units && now;
    },
    { seconds },
  );
}

/** Presses a button that offers a file, and reads the file. */
export async function downloaded(page, press) {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { path: await download.path(), name: download.suggestedFilename() };
}

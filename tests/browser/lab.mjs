// Helpers for tests of the lab screen: the state of the run, and common actions of a visitor.

import assert from "node:assert/strict";
import { until } from "./harness.mjs";

/** The state of the run, as the page knows it. */
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

/** Sets full speed by keyboard. */
export async function flatOut(page) {
  for (let press = 0; press < 25; press++) await page.keyboard.press("]");
  assert.equal(await page.locator(".pace").textContent(), "full speed");
}

/** Runs or pauses, and waits until that has happened. */
export async function toggle(page, running) {
  await page.keyboard.press("Space");
  await until(running ? "it runs" : "it is held", async () => (await state(page)).running === running, { every: 30 });
}

/** Waits until the present state of the run has been saved, and returns its unit. */
export async function kept(page) {
  const line = page.locator(".status-saved");
  return until("it is kept", async () => {
    const unit = Number(/saved at iteration (\d+)/.exec(await line.textContent())?.[1] ?? -1);
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

/** Does something that starts a download, and returns the file. */
export async function downloaded(page, press) {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { path: await download.path(), name: download.suggestedFilename() };
}

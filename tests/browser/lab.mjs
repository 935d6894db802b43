// Helpers for browser tests of the lab screen: they read the state of the run, perform common actions of a visitor and
// wait for their effects. `learnery` is the page's global `Run` object (www/core/run.ts). A unit is a training
// iteration.

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { until } from "./harness.mjs";

/** The state of the run: its progress, settings, seed and bundle, and the goal's metric as `score`. */
export function state(page) {
  return page.evaluate(() => {
    const { progress, settings, seed, goal, series, ready } = globalThis.learnery;
    return { ...progress, config: settings, seed, bundle: ready?.bundle, score: goal ? series.last(goal.metric) : NaN };
  });
}

/** Waits until a lab's screen is shown, its run goes on, and the first unit has ended. */
export async function untilLearning(page) {
  await until("the lab learns", async () => {
    const begun = await page.evaluate(
      () => globalThis.learnery?.progress.running && document.querySelector(".dock") !== null,
    );
    return begun && (await state(page)).units > 0;
  });
}

/** As many presses of the key `]` as lead from the slowest pace to max speed, or of `[` back. */
export const ALL_PRESSES = 25;

/** Switches off that runs stop at their goal. A run that has stopped there already goes on. */
export async function trainBeyondGoal(page) {
  // In a narrow window the switch is in a sheet, which may be closed.
  await page.locator(".stop-choice input").evaluate((box) => box.checked && box.click());
}

/** Sets max speed by keyboard. A run at max speed may reach its goal at any moment, and goes on there. */
export async function setFullSpeed(page) {
  await trainBeyondGoal(page);
  for (let press = 0; press < ALL_PRESSES; press++) await page.keyboard.press("]");
  assert.equal(await page.locator(".pace").textContent(), "max speed");
}

/** Presses the key that runs or pauses, and waits until that has happened. */
export async function setRunning(page, running) {
  await page.keyboard.press("Space");
  await until(running ? "it runs" : "it is paused", async () => (await state(page)).running === running, { every: 30 });
}

/** Waits until the run has been saved in the browser in its present state, and returns its unit. */
export async function untilSaved(page) {
  const line = page.locator(".status-saved");
  return until("it is saved", async () => {
    const unit = Number(/saved at iteration (\d+)/.exec(await line.textContent())?.[1] ?? -1);
    return unit >= (await state(page)).units && unit;
  });
}

/** Waits until the run has ended at least this many units, and returns its state. */
export async function untilUnits(page, units) {
  return until(`unit ${units}`, async () => {
    const now = await state(page);
    return now.units >= units && now;
  });
}

/**
 * Waits for the next views, which are the data that the page draws. The second of them was asked for after every
 * request that came before this call, so the lab has carried those out.
 */
export function untilViews(page, count = 2) {
  return page.evaluate(
    (count) =>
      new Promise((resolve) => {
        const end = globalThis.learnery.on("view", () => --count === 0 && (end(), resolve()));
      }),
    count,
  );
}

/** Waits until the page has had as many occasions to draw. On a busy machine they come later. */
export function untilFrames(page, count) {
  return page.evaluate(async (count) => {
    for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame);
  }, count);
}

/** Waits until what `read` returns stays the same for some frames, and returns that. */
export async function untilStill(page, read, frames = 10) {
  for (let last = await read(); ;) {
    await untilFrames(page, frames);
    const now = await read();
    if (isDeepStrictEqual(now, last)) return now;
    last = now;
  }
}

/** Calls `press`, which starts a download, and returns the file. */
export async function downloaded(page, press) {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { path: await download.path(), name: download.suggestedFilename() };
}

/** Types a value into the text box of a setting, in the tool Settings. */
export async function enterSetting(page, name, value) {
  await openTool(page, "Settings");
  const box = page.getByRole("textbox", { name, exact: true });
  await box.fill(value);
  await box.press("Enter");
}

/** Opens a tool below the picture by the title of its tab. The page scrolls to it, away from the picture. */
export async function openTool(page, title) {
  await page.getByRole("tab", { name: title, exact: true }).click();
}

// The timeline below the picture: looking back at earlier moments of a run, and branching from them.
//
// Uses: www/branch.ts

import assert from "node:assert/strict";
import { hosts, openPage, test, until } from "./harness.mjs";
import {
  anotherRun,
  enterSetting,
  KEEP_NOTICES,
  setFullSpeed,
  setRunning,
  state,
  untilLearning,
  untilSaved,
  untilStill,
  untilText,
  untilTold,
  untilUnits,
} from "./lab.mjs";

const slider = (page) => page.getByRole("slider", { name: "Moment of the run" });
const words = (page) => page.locator(".timeline-words").textContent();
const sign = (page) => page.locator(".past-sign");
const shownUnit = async (page) => Number(await slider(page).getAttribute("aria-valuenow"));

/** Waits until the picture shows the moment of the handle. */
async function untilThere(page) {
  await until("the moment is shown", () => page.getByRole("button", { name: /^Branch/ }).isEnabled());
}

/** The units of the moments that are kept in the browser's storage for the open run, once there are at least two. */
const keptMoments = (page) =>
  until("some moments are kept", async () => {
    const units = await readMoments(page);
    return units.length >= 2 && units;
  });

/** The units of the moments that are kept now; none while their list is being written. */
function readMoments(page) {
  return page.evaluate(async () => {
    const { lab, note } = globalThis.learnery;
    try {
      let folder = await navigator.storage.getDirectory();
      for (const name of ["learnery", lab.about.id, "runs", note.id, "moments"])
        folder = await folder.getDirectoryHandle(name);
      const text = await (await (await folder.getFileHandle("moments.json")).getFile()).text();
      return JSON.parse(text).moments.map(({ units }) => units);
    } catch {
      return [];
    }
  });
}

/** The fingerprint of the open run at its present unit. */
function fingerprint(page) {
  return page.evaluate(async () => (await globalThis.learnery.save({ fingerprint: true })).fingerprint);
}

/** Runs the open run unit by unit up to this one. */
async function runTo(page, units) {
  for (let now = (await state(page)).units; now < units; now++) {
    await page.evaluate(() => globalThis.learnery.finishUnit());
    await untilUnits(page, now + 1);
  }
}

/** The box of the slider in the window, once nothing moves it any more. */
async function boxOfSlider(page) {
  await slider(page).scrollIntoViewIfNeeded();
  return untilStill(page, () => slider(page).boundingBox());
}

/** Opens a run that has kept some moments, pauses it and waits until it stands still. */
async function pausedRun(options) {
  const page = await openPage(hosts.isolated, "#/control?seed=7&worlds=16", options);
  await untilLearning(page);
  await setFullSpeed(page);
  await keptMoments(page);
  await setRunning(page, false);
  await untilSaved(page);
  await slider(page).scrollIntoViewIfNeeded();
  return page;
}

test("timeline shows the agent as it was: by mouse, with its metrics, and back to now", async () => {
  const page = await pausedRun();
  const { units } = await state(page);
  const { x, y, width, height } = await boxOfSlider(page);
  await page.mouse.move(x + width - 12, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await untilThere(page);
  const unit = await shownUnit(page);
  assert.ok(unit > 0.3 * units && unit < 0.7 * units, `${unit} of ${units}`);
  await untilText(sign(page), new RegExp(`^Iteration ${unit} of ${units}, as it was$`));
  await untilText(
    page.locator(".score-when"),
    new RegExp(`^Iteration ${unit} of ${units}, as it was(, test at iteration \\d+)?$`),
  );
  const value = await page.evaluate((unit) => {
    const { series, goal } = globalThis.learnery;
    return series.last(goal.metric, unit);
  }, unit);
  await until(
    "the score of that moment",
    async () => parseFloat(await page.locator(".goal .score").textContent()) === Number(value.toPrecision(3)),
  );
  /** How many pictures are visible, and how many there are. */
  const pictures = async () =>
    [await page.locator(".control-view:visible").count(), await page.locator(".control-view").count()].join();
  await until("the picture of the open run is hidden", async () => (await pictures()) === "1,2");
  await page.getByRole("button", { name: "Back to now" }).click();
  await until("the picture of the open run alone", async () => (await pictures()) === "1,1");
  assert.equal(await sign(page).count(), 0);
  assert.equal(await shownUnit(page), units);
  assert.equal((await state(page)).units, units, "the open run has not moved");
  await page.assertNoErrors();
});

test("timeline moves by keys from moment to moment", async () => {
  const page = await pausedRun();
  const kept = await keptMoments(page);
  // The run may have been paused at a moment that is kept, and the present is no moment to look back at.
  await runTo(page, kept[1] + 2);
  const { units } = await state(page);
  await slider(page).focus();
  await page.keyboard.press("Home");
  assert.equal(await shownUnit(page), 0);
  await untilThere(page);
  for (const moment of kept.slice(0, 2)) {
    await page.keyboard.press("ArrowRight");
    assert.equal(await shownUnit(page), moment);
    await untilThere(page);
  }
  await page.keyboard.press("Shift+ArrowRight");
  assert.equal(await shownUnit(page), kept[1] + 1);
  assert.match(await slider(page).getAttribute("aria-valuetext"), /^iteration \d+ of \d+, as it was, test score/);
  await page.keyboard.press("End");
  assert.equal(await shownUnit(page), units);
  assert.equal(await page.locator(".control-view").count(), 1);
  await page.keyboard.press("ArrowLeft");
  assert.ok((await shownUnit(page)) < units);
  await page.keyboard.press("Escape");
  assert.equal(await shownUnit(page), units);
  await page.assertNoErrors();
});

test("branch has the same bits as its parent, also after changes of settings and seed", async () => {
  const page = await openPage(hosts.isolated, "#/control?seed=3&units=4&worlds=16", KEEP_NOTICES);
  await untilUnits(page, 4);
  await until("unit 4 is kept", async () => (await readMoments(page)).includes(4));
  const configure = (settings) => page.evaluate((settings) => globalThis.learnery.configure(settings), settings);
  await configure({ learning_rate: 0.001 });
  await runTo(page, 6);
  await configure({ learning_rate: 0.002, clip: 0.3 });
  await page.evaluate(() => globalThis.learnery.reseed(19));
  await until("the seed is changed", async () => (await state(page)).seed === 19);
  await runTo(page, 8);
  const parent = await page.evaluate(() => globalThis.learnery.note.id);
  await runTo(page, 11);
  const eleven = await fingerprint(page);
  await configure({ learning_rate: 0.003 }); // after the branch, so it does not count there

  // Unit 8 was not kept: it is repeated from unit 4, with all changes.
  await slider(page).focus();
  for (let unit = 10; unit >= 8; unit--) await page.keyboard.press("Shift+ArrowLeft");
  assert.equal(await shownUnit(page), 8);
  await untilThere(page);
  assert.doesNotMatch(await words(page), /not the same/);
  // The branch trains on by itself. It is paused as soon as it runs, before it can be at unit 11.
  await page.evaluate(() => {
    const run = globalThis.learnery;
    globalThis.hasRun = globalThis.isPaused = false;
    run.on("progress", ({ running }) => {
      if (running && !globalThis.hasRun) run.pause();
      globalThis.hasRun ||= running;
      globalThis.isPaused = globalThis.hasRun && !running;
    });
  });
  const branch = await anotherRun(page, () => page.getByRole("button", { name: "Branch here" }).click());
  assert.equal(branch.units, 8);
  await until("the branch is paused", () => page.evaluate(() => globalThis.isPaused));
  // The pointer keeps the notice, however long the rest takes.
  await page.getByRole("button", { name: "Go back to it" }).hover();
  const note = await page.evaluate(() => globalThis.learnery.note);
  assert.deepEqual(note.parent, { id: parent, units: 8 });
  await runTo(page, 11);
  assert.equal((await state(page)).units, 11, "the branch went too far before it was paused");
  assert.equal(await fingerprint(page), eleven);

  // The parent is as it was.
  await page.getByRole("button", { name: "Go back to it" }).click();
  await until("the parent is open", async () => (await page.evaluate(() => globalThis.learnery.note.id)) === parent);
  assert.ok((await state(page)).units >= 11);
  await page.assertNoErrors();
});

test("branch takes the live settings that were changed while looking back", async () => {
  const page = await pausedRun();
  const { config, units } = await state(page);
  await slider(page).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await untilThere(page);
  const moment = await shownUnit(page);
  await enterSetting(page, "learning rate", "0.004");
  assert.equal((await state(page)).config.learning_rate, config.learning_rate, "the open run is not changed");
  const branch = await anotherRun(page, () =>
    page.getByRole("button", { name: "Branch with learning rate 0.004" }).click(),
  );
  assert.ok(branch.units === moment && moment < units, `${branch.units}, ${moment}, ${units}`);
  await until("the setting is applied", async () => (await state(page)).config.learning_rate === 0.004);
  await page.assertNoErrors();
});

test("branch at the start has the seed that was chosen while looking back", async () => {
  const page = await pausedRun();
  await slider(page).focus();
  await page.keyboard.press("Home");
  await untilThere(page);
  await enterSetting(page, "seed", "5");
  await page.getByRole("button", { name: "Branch with seed 5" }).click();
  await until("it branches", async () => (await state(page)).seed === 5);
  const { seed: start, changes } = await page.evaluate(() => globalThis.learnery.origin());
  assert.deepEqual([start, changes], [5, []], "it is a run of its own from its start");
  await page.assertNoErrors();
});

test("reload keeps the moments", async () => {
  const page = await pausedRun();
  const kept = await keptMoments(page);
  await page.reload();
  await untilTold(page, /^Continued from iteration/);
  await untilLearning(page);
  await until("the list of moments is read", async () => /\d+ moments? kept/.test(await words(page)));
  await slider(page).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  assert.equal(await shownUnit(page), kept[0]);
  await untilThere(page);
  assert.doesNotMatch(await words(page), /not the same/);
  await page.assertNoErrors();
});

test("lost moments are repeated from the one before", async () => {
  const page = await pausedRun();
  const [first] = await keptMoments(page);
  await page.evaluate(async () => {
    const { lab, note } = globalThis.learnery;
    let folder = await navigator.storage.getDirectory();
    for (const name of ["learnery", lab.about.id, "runs"]) folder = await folder.getDirectoryHandle(name);
    // While a moment is still being written, its folder cannot be removed.
    for (;;) {
      try {
        return await folder.removeEntry(note.id, { recursive: true });
      } catch (error) {
        if (error.name !== "NoModificationAllowedError") throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  });
  await slider(page).focus();
  await page.keyboard.press("Home");
  await untilThere(page);
  await page.keyboard.press("ArrowRight");
  assert.equal(await shownUnit(page), first);
  await untilThere(page);
  assert.doesNotMatch(await words(page), /not the same/);
  await page.assertNoErrors();
});

test("full storage stops the keeping in a sentence, and learning goes on", async () => {
  const prepare = (page) =>
    page.addInitScript(() => {
      const { createWritable } = FileSystemFileHandle.prototype;
      FileSystemFileHandle.prototype.createWritable = function (...options) {
        // Moments are named by their unit.
        if (/^\d+\.safetensors$/.test(this.name)) throw new DOMException("full", "QuotaExceededError");
        return createWritable.apply(this, options);
      };
    });
  const page = await openPage(hosts.isolated, "#/control?seed=7&worlds=16", { prepare });
  await untilLearning(page);
  await slider(page).scrollIntoViewIfNeeded();
  await page.getByText("storage is full, so no more moments are kept").waitFor();
  const { units } = await state(page);
  await untilUnits(page, units + 2);
  // The run can still be repeated from its start.
  await slider(page).focus();
  await page.keyboard.press("Home");
  await untilThere(page);
  await page.assertNoErrors();
});

test("timeline on a phone: a finger moves it, and its buttons are large", async () => {
  const page = await pausedRun({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  const { units } = await state(page);
  const { x, y, width, height } = await boxOfSlider(page);
  assert.ok(height >= 44);
  await page.touchscreen.tap(x + width / 3, y + height / 2);
  await untilThere(page);
  assert.ok((await shownUnit(page)) < units / 2);
  for (const name of ["Back to now", "Branch here"]) {
    const box = await page.getByRole("button", { name }).boundingBox();
    assert.ok(box.height >= 44, `${name} is ${box.height} high`);
  }
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(overflow, 0);
  await page.assertNoErrors();
});

test("tab that does not save the lab keeps no moments, and says so", async () => {
  const first = await openPage(hosts.plain, "#/control?seed=7&worlds=16");
  await untilLearning(first);
  const second = await openPage(hosts.plain, "#/control?seed=8&worlds=16", { context: first.context() });
  await untilLearning(second);
  await slider(second).scrollIntoViewIfNeeded();
  await second.getByText("Another tab keeps the moments of this lab.").waitFor();
  assert.deepEqual(await readMoments(second), []);
  // Its run can still be repeated from the start.
  await slider(second).focus();
  await second.keyboard.press("Home");
  await untilThere(second);
  await second.assertNoErrors();
});

// Helpers for browser tests of the lab screen: they read the state of the run, perform common actions of a visitor and
// wait for their effects. `learnery` is the page's global `Run` object (www/core/run.ts). A unit is a training
// iteration.

import assert from "node:assert/strict";
import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { until } from "./harness.mjs";

/**
 * The state of the run: its progress, settings, seed and bundle, and the goal's metric as `score`. A page whose scripts
 * have not begun has done nothing.
 */
export function state(page) {
  return page.evaluate(() => {
    if (!globalThis.learnery) return { units: 0, work: 0, running: false };
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

/** Waits until this lab's screen is shown, and the first unit of its run has ended. */
export const untilLab = (page, lab) =>
  until(`the lab ${lab} learns`, () =>
    page.evaluate((lab) => {
      const { lab: open, progress } = globalThis.learnery ?? {};
      return open?.about.id === lab && progress.units > 0 && document.querySelector(".dock") !== null;
    }, lab),
  );

/**
 * A link to the lab `cube` whose network and tests are small: with the usual ones, its first unit takes twice the
 * processor time of everything else that a visit needs.
 */
export const SMALL_CUBE = "#/cube?hidden_1=16&hidden_2=0&batch=64&updates=10&judge_every=1&judge_within=5";

/** As many presses of the key `]` as lead from the slowest pace to max speed, or of `[` back. */
export const ALL_PRESSES = 25;

/** Sets max speed by keyboard. */
export async function setFullSpeed(page) {
  for (let press = 0; press < ALL_PRESSES; press++) await page.keyboard.press("]");
  assert.equal(await page.locator(".pace").textContent(), "max speed");
}

/** Presses the key that runs or pauses, and waits until that has happened. */
export async function setRunning(page, running) {
  await page.keyboard.press("Space");
  await until(running ? "it runs" : "it is paused", async () => (await state(page)).running === running, { every: 30 });
}

/**
 * Waits until the run has been saved in the browser at its present unit, and returns that. A run that is paused at max
 * speed still completes its unit for this save. The news of that may come after the save.
 */
export async function untilSaved(page) {
  const line = page.locator(".status-saved");
  return until("it is saved", async () => {
    const unit = Number(/saved at (?:iteration|round) (\d+)/.exec(await line.textContent())?.[1] ?? -1);
    return unit === (await state(page)).units && unit;
  });
}

/**
 * Calls `act`, which opens another run, and waits for that. Returns the other run as it was opened: its units, settings
 * and seed. It may train on at once.
 */
export async function anotherRun(page, act) {
  const opened = page.evaluate(
    () =>
      new Promise((resolve) => {
        const run = globalThis.learnery;
        const { id } = run.note;
        const end = run.on("opened", () => {
          if (run.note.id === id) return;
          end();
          resolve({ id: run.note.id, units: run.progress.units, config: run.settings, seed: run.seed });
        });
      }),
  );
  const [other] = await Promise.all([opened, act()]);
  return other;
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

/** Waits until the text of an element matches, and returns it. */
export const untilText = (locator, pattern) =>
  until(`a text like ${pattern}`, async () => {
    const text = await locator.textContent();
    return pattern.test(text) && text;
  });

/**
 * Records from now on what the visible elements of a selector say, because some sentences are there for a moment only.
 * Returns a function that waits until a sentence has been said that contains a text.
 */
export async function recordTexts(page, selector) {
  await page.evaluate((selector) => {
    globalThis.recordedTexts ??= {};
    const texts = (globalThis.recordedTexts[selector] = new Set());
    const record = () => {
      for (const each of document.querySelectorAll(selector)) if (each.checkVisibility()) texts.add(each.textContent);
    };
    record();
    const options = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(record).observe(document.body, options);
  }, selector);
  return (text) =>
    until(`${selector} says: ${text}`, () =>
      page.evaluate(
        ([selector, text]) => [...globalThis.recordedTexts[selector]].some((each) => each.includes(text)),
        [selector, text],
      ),
    );
}

/** The time, in milliseconds, for which a notice with a button is shown (OFFER_SECONDS in www/ui/notice-queue.ts). */
const OFFER_MS = 12_000;

/**
 * An option of `openPage`: notices with a button stay until they are closed, for tests that do something else before
 * they press it. On a busy machine that may take longer than a notice stays.
 */
export const KEEP_NOTICES = {
  prepare: (page) =>
    page.addInitScript((offer) => {
      const real = globalThis.setTimeout;
      globalThis.setTimeout = (act, ms, ...args) => (ms >= offer ? 0 : real(act, ms, ...args));
    }, OFFER_MS),
};

/**
 * Whether the page loads a file by itself once the lab learns, or some seconds later, and not in order to learn. Such
 * files may have come before a test looks. A lab that loads for more than a second, as on a busy machine, also loads
 * its recording, whose size loading-recording.test.mjs limits.
 */
export const isLoadedLater = (file) =>
  /^((threads-plain|threads|simple)-\w+-later-|uPlot|chart-|timeline|past-run|run-parts|race-|moment|challenge|offline|picture-|small-picture|loading-recording)/.test(
    basename(file),
  );

/**
 * Whether a request is of a worker that waits for the later part of its module (www/core/later-part.ts), because a
 * function of it was called before the part had arrived.
 */
export const isWaitedFor = (request) => request.resourceType() === "xhr" && request.url().includes("-later-");

/** Calls `press`, which starts a download, and returns the file. */
export async function downloaded(page, press) {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { path: await download.path(), name: download.suggestedFilename() };
}

/**
 * Decodes a picture in the page: its size, and how many different colours are among its pixels, or among those of its
 * first `rows` rows. It looks at every 37th pixel.
 */
export const decoded = (page, bytes, type, rows) =>
  page.evaluate(
    async ([base64, type, rows]) => {
      const blob = new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], { type });
      const image = await createImageBitmap(blob);
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, rows ?? image.height);
      const colours = new Set();
      for (let i = 0; i < data.length; i += 4 * 37) colours.add(data.slice(i, i + 3).join());
      return { width: image.width, height: image.height, colours: colours.size };
    },
    [bytes.toString("base64"), type, rows],
  );

/** Types a value into the text box of a setting, in the tool Settings. */
export async function enterSetting(page, name, value) {
  await openTool(page, "Settings");
  const box = page.getByRole("textbox", { name, exact: true });
  await box.fill(value);
  await box.press("Enter");
}

/** Shows the notice of an error that nothing handles. It waits for an answer. */
export async function provokeNotice(page) {
  await page.evaluate(() => void setTimeout(() => globalThis.noSuchFunction()));
  await page.locator("[data-notice=unexpected]").waitFor();
  await page.forget();
}

/** Waits until a notice has said something that matches, since the page was loaded, and returns its text. */
export function untilTold(page, pattern) {
  return until(`a notice says ${pattern}`, async () =>
    (await page.evaluate(() => globalThis.told)).find((text) => pattern.test(text)),
  );
}

/** Opens a tool below the picture by the title of its tab. The page scrolls to it, away from the picture. */
export async function openTool(page, title) {
  await page.getByRole("tab", { name: title, exact: true }).click();
}

/** Lets the bundles of a page arrive only when `release` is called. */
export function holdBundles() {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  const prepare = (page) =>
    page.context().route("**/*.wasm", async (route) => {
      await released;
      await route.continue();
    });
  return { prepare, release };
}

/** Lets the page take its tab for hidden, or for shown again. */
export const setHidden = (page, hidden) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);

/** Drops a text on the page as a file. */
export const dropText = (page, name, text) =>
  page.evaluate(
    ([fileName, content]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], fileName));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, text],
  );

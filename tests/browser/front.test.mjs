// The front at the bare address: recordings of every lab that move only while they are seen, nothing of a lab before
// one is chosen, and the ways to the labs: the button, the cards, and the switcher in the header of every screen.

import assert from "node:assert/strict";
import { basename } from "node:path";
import { labNames } from "../../scripts/dev-bundles.mjs";
import { hosts, openPage, root, test, until } from "./harness.mjs";
import {
  setFullSpeed,
  setHidden,
  setRunning,
  state,
  untilFrames,
  untilLearning,
  untilSaved,
  untilStill,
  untilTold,
  untilUnits,
} from "./lab.mjs";

const LABS = labNames(root);
/** A window in which all cards are in sight. */
const ALL_IN_SIGHT = { viewport: { width: 1280, height: 1300 } };
/** The pictures are drawn this many times a second at most. */
const MAX_FRAMES_PER_SECOND = 30;
const MIN_DATA_URL_LENGTH = 2000;

/** What is drawn on each card, as a text that differs for different pictures. */
const pictures = (page) =>
  page.evaluate(() => [...document.querySelectorAll(".front-card canvas")].map((canvas) => canvas.toDataURL()));

/** Waits until every picture has been drawn, and returns them. */
const untilDrawn = (page) =>
  until("all pictures are drawn", async () => {
    const drawn = await pictures(page);
    // A picture of one colour has a shorter data URL.
    return drawn.length === LABS.length && drawn.every((each) => each.length > MIN_DATA_URL_LENGTH) && drawn;
  });

/** For each card, whether its picture has changed within `frames` frames of the page. */
async function changes(page, frames = 20) {
  const before = await pictures(page);
  await untilFrames(page, frames);
  const now = await pictures(page);
  return now.map((each, i) => each !== before[i]);
}

/** Counts how often canvases are cleared, which is once for each frame of a picture. */
const countFrames = (page) =>
  page.addInitScript(() => {
    const real = CanvasRenderingContext2D.prototype.clearRect;
    globalThis.frames = 0;
    CanvasRenderingContext2D.prototype.clearRect = function (...args) {
      globalThis.frames++;
      real.apply(this, args);
    };
  });

for (const host of [hosts.isolated, hosts.serviceWorker]) {
  test(`front shows every lab alive and loads none: ${host.name} host`, async () => {
    // Pages of tests draw 15 frames a second; this one draws every frame, because frames are counted.
    const page = await openPage(host, "", { ...ALL_IN_SIGHT, prepare: countFrames, everyFrame: true });
    await page.getByRole("heading", { name: "Small agents that learn while you watch" }).waitFor();
    await untilDrawn(page);
    // A recording rests between two moments, so each gets some time.
    const moved = LABS.map(() => false);
    await until("every picture moves", async () => {
      (await changes(page, 20)).forEach((changed, i) => (moved[i] ||= changed));
      return moved.every(Boolean);
    });
    const captions = await page.locator(".front-card-caption").allTextContents();
    assert.equal(captions.length, LABS.length);
    for (const caption of captions) assert.match(caption, /^(Iteration|Round) \d+: /);
    await page.getByText("The animations are recordings of real runs.").waitFor();

    // By the page's clock, because a busy machine delays the test's.
    const [frames, seconds] = await page.evaluate(async () => {
      const [count, begin] = [globalThis.frames, performance.now()];
      await new Promise((resolve) => setTimeout(resolve, 2000));
      return [globalThis.frames - count, (performance.now() - begin) / 1000];
    });
    // One frame more may lie at the beginning, and one at the end.
    assert.ok(frames > 0 && frames <= (MAX_FRAMES_PER_SECOND * seconds + 2) * LABS.length, `${frames} frames`);

    const names = page.loaded().map((file) => basename(file));
    const ofLabs = names.filter((name) => /\.(wasm|safetensors)$|^(view|worker)-/.test(name) || isOfLab(name));
    assert.deepEqual(ofLabs, [], "files of labs");
    console.log(`the front loads ${names.length} files`);
    await page.assertNoErrors();
  });
}

/** True for files whose name has the name of a lab, with the hash of the build after it: texts and bundles. */
const isOfLab = (name) => LABS.some((lab) => new RegExp(`(^|-)${lab}-.{8}\\.`).test(name));

test("pictures pause out of sight, in a hidden tab, and when the visitor says so", async () => {
  const page = await openPage(hosts.isolated, "#/labs", { viewport: { width: 390, height: 700 } });
  await page.locator(".front-card canvas").first().waitFor();
  // On a phone the last card is below the window, and the first above it after scrolling.
  const [first, last] = [0, LABS.length - 1];
  const still = async () => {
    await untilFrames(page, 2); // a frame may have been asked for before
    return (await changes(page)).map((changed) => !changed);
  };
  await until("the first picture moves", async () => (await changes(page, 20))[first]);
  // A picture may be drawn once when its recording has been loaded or its size is known.
  const untilPictureStill = (index) => untilStill(page, async () => (await pictures(page))[index], 20);
  await untilPictureStill(last);
  assert.ok((await still())[last]);
  await page.locator(".front-card").last().scrollIntoViewIfNeeded();
  await until("the last picture moves", async () => (await changes(page, 20))[last]);
  await untilPictureStill(first);
  assert.ok((await still())[first]);

  await setHidden(page, true);
  assert.ok((await still()).every(Boolean), "nothing moves in a hidden tab");
  await setHidden(page, false);
  await until("it moves again", async () => (await changes(page, 20)).some(Boolean));

  await page.getByRole("button", { name: "Pause animations" }).click();
  assert.ok((await still()).every(Boolean), "nothing moves after a pause");
  await page.getByRole("button", { name: "Play animations" }).click();
  await until("it moves again", async () => (await changes(page, 20)).some(Boolean));
  await page.assertNoErrors();
});

test("visitor who prefers reduced motion sees trained agents, which do not move", async () => {
  const page = await openPage(hosts.isolated, "", { ...ALL_IN_SIGHT, reducedMotion: "reduce" });
  await untilDrawn(page);
  for (const caption of await page.locator(".front-card-caption").allTextContents())
    assert.doesNotMatch(caption, /untrained/);
  const before = await untilStill(page, () => pictures(page), 20); // a canvas is drawn again when its size is known
  await untilFrames(page, 25);
  assert.deepEqual(await pictures(page), before);
  assert.equal(await page.getByRole("button", { name: "Pause animations" }).count(), 0);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await until("they move", async () => (await changes(page, 20)).some(Boolean));
  await page.assertNoErrors();
});

test("button leads to a lab that learns, and the switcher from one lab to the next and to the front", async () => {
  const page = await openPage(hosts.isolated, "");
  const current = () => page.locator(".switcher [aria-current=page]").allTextContents();
  await page.getByRole("link", { name: "Start with Control" }).click();
  await untilLearning(page);
  assert.deepEqual(await current(), ["Control"]);
  for (const title of ["Cube", "Logic"]) {
    await page.locator(".switcher").getByRole("link", { name: title }).click();
    await until(`${title} learns`, () =>
      page.evaluate((title) => globalThis.learnery.lab?.about.title === title && globalThis.learnery.open, title),
    );
    await untilLearning(page);
    assert.deepEqual(await current(), [title]);
  }
  // The run goes on while the front is shown, and its card shows it.
  await page.getByRole("link", { name: "Learnery" }).click();
  await page.getByText(/^Your run: iteration \d+, learning now/).waitFor();
  assert.deepEqual(await current(), []);
  const before = await state(page);
  await untilUnits(page, before.units + 1);
  await page.locator(".front-card").getByRole("link", { name: "Logic" }).click();
  await page.locator(".dock").waitFor();
  assert.ok((await state(page)).units > before.units, "the same run");
  await page.assertNoErrors();
});

/** A tab with a run that is paused and saved, a tab of the same visitor with the front, and the units of the run. */
async function savedRunAndFront() {
  const page = await openPage(hosts.isolated, "#/control?seed=7");
  await untilLearning(page);
  await setFullSpeed(page); // so that the pause saves the run; at a slower pace, only leaving it does
  await untilUnits(page, 3);
  await setRunning(page, false);
  const saved = await untilSaved(page);
  const other = await openPage(hosts.isolated, "", { context: page.context() });
  await other.getByText(`continue at iteration ${saved}`).waitFor();
  return { page, other, saved };
}

test("returning visitor finds the saved run on its card", async () => {
  const { page, other, saved } = await savedRunAndFront();
  await page.close();
  await other.getByRole("link", { name: "Continue with Control" }).click();
  await untilTold(other, new RegExp(`^Continued from iteration ${saved}`));
  assert.equal((await state(other)).seed, 7);
  await other.assertNoErrors();
});

test("saved run is continued although the tab that saved it is still being closed", async () => {
  const { page, other, saved } = await savedRunAndFront();
  await page.close();
  // Holds the lock for a while, as a browser does for a tab that it is closing, and for less than the page waits.
  await other.evaluate(
    () => void navigator.locks.request("learnery:control", () => new Promise((resolve) => setTimeout(resolve, 700))),
  );
  await other.getByRole("link", { name: "Continue with Control" }).click();
  await untilTold(other, new RegExp(`^Continued from iteration ${saved}`));
  assert.equal((await state(other)).seed, 7);
  await other.assertNoErrors();
});

test("front can be used by keyboard, by screen readers and on a phone", async () => {
  const page = await openPage(hosts.isolated, "", { viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.locator(".front-card").first().waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  assert.equal(await page.getByRole("img").count(), LABS.length, "each picture has a text");
  const cards = page.locator(".front-card a");
  for (const link of await cards.all()) {
    assert.ok((await link.textContent()).length > 3, "a link has a text");
    const described = await link.evaluate((node) => document.getElementById(node.getAttribute("aria-describedby")));
    assert.ok(described, "a sentence describes the link");
  }
  const lefts = await page
    .locator(".front-card")
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
  assert.equal(new Set(lefts).size, 1, "one column");
  for (const target of await page.locator(".switcher a, .front-start, .front-note button").all()) {
    const { height } = await target.boundingBox();
    assert.ok(
      height >= 44, // the size of targets in WCAG 2.5.5
      `a target of ${height} pixels: ${await target.textContent()}`,
    );
  }
  await page.locator(".front-card a", { hasText: "Cube" }).focus();
  await page.keyboard.press("Enter");
  await until("the cube's lab is opened", () => page.evaluate(() => globalThis.learnery.lab?.about.id === "cube"));
  await untilLearning(page);
  await page.assertNoErrors();
});

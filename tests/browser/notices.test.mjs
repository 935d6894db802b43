// Notices: one at a time, in a place of their own, of the lab in sight. The rule of their time and their order is in
// tests/page/notices.test.ts.

import assert from "node:assert/strict";
import { hosts, openPage, test, until } from "./harness.mjs";
import {
  KEEP_NOTICES,
  SMALL_CUBE,
  provokeNotice,
  setFullSpeed,
  setRunning,
  untilLearning,
  untilStill,
  untilTold,
  untilUnits,
} from "./lab.mjs";

/**
 * The boxes of the notice, the dock, its controls, and the picture, and the upper edge of the bars at the lower edge of
 * the window: the row of the tools' tabs lies on the dock.
 */
const boxes = (page) =>
  page.evaluate(() => {
    const box = (element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      return { left, top, right, bottom };
    };
    const controls = [...document.querySelectorAll(".dock-row :is(button, input)")];
    const notice = document.querySelector(".notice");
    return {
      notice: notice && box(notice),
      dock: box(document.querySelector(".dock")),
      edge: Math.min(...[".dock", ".tool-tabs"].map((name) => box(document.querySelector(name)).top)),
      controls: controls.filter((each) => each.getClientRects().length > 0).map(box),
      picture: box(document.querySelector(".picture")),
    };
  });

/**
 * More frames than a second has in tests: the sentences about a run change up to a second late
 * (www/core/shown-test.ts).
 */
const FRAMES = 20;

/** Opens a lab and pauses it. Waits until every part of its page is there and nothing moves any more. */
async function openPaused(options) {
  const page = await openPage(hosts.isolated, "#/control?seed=2", { ...options, reducedMotion: "reduce" });
  await untilLearning(page);
  await setRunning(page, false);
  await page.locator(".timeline").waitFor();
  await page.locator(".curves").waitFor();
  await untilStill(page, () => boxes(page), FRAMES);
  return page;
}

const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;

/** Checks that the notice lies in the dock, beside its controls, and that its text and its buttons are whole. */
async function assertInDock(page, { notice, dock, controls }) {
  assert.ok(notice.top >= dock.top && notice.bottom <= dock.bottom + 1, "it lies in the dock");
  assert.ok(notice.right - notice.left > 200, `it is ${notice.right - notice.left} pixels wide`);
  assert.ok(controls.length > 5);
  for (const control of controls) assert.ok(!overlap(notice, control), "it covers no control");
  const cut = await page
    .locator(".notice > *")
    .evaluateAll(
      (parts) =>
        parts.filter((part) => part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1)
          .length,
    );
  assert.equal(cut, 0, "all of it can be read");
}

for (const [width, height] of [
  [1440, 900],
  [1100, 720],
  [800, 700],
  [390, 640],
]) {
  test(`notice in a window of ${width} pixels takes the place of the counts, and moves nothing`, async () => {
    const page = await openPaused({ viewport: { width, height } });
    const before = await boxes(page);
    await provokeNotice(page);
    const during = await boxes(page);
    assert.deepEqual({ ...during, notice: null }, before, "nothing has moved");
    await assertInDock(page, during);
    await page.getByRole("button", { name: "Dismiss" }).click();
    assert.deepEqual(await boxes(page), before);
    await page.locator(".counts").waitFor();
    await page.assertNoErrors();
  });
}

for (const width of [390, 800]) {
  test(`notice in a window of ${width} pixels leaves the open sheet where it is`, async () => {
    const page = await openPaused({ viewport: { width, height: 780 }, hasTouch: true });
    await page.getByRole("button", { name: "Dials" }).tap();
    const sheet = page.getByRole("dialog", { name: "Dials" });
    await sheet.waitFor();
    /** The upper edges of the sheet and of everything that can be used in it. */
    const edges = () =>
      sheet.evaluate((node) =>
        [node, ...node.querySelectorAll("button, input, select")]
          .map((part) => part.getBoundingClientRect())
          .filter(({ height }) => height > 0)
          .map(({ top }) => Math.round(top)),
      );
    const before = await untilStill(page, edges);
    assert.ok(before.length > 6);
    const placed = await boxes(page);
    await provokeNotice(page);
    const during = await boxes(page);
    assert.deepEqual({ ...during, notice: null }, placed, "nothing has moved");
    assert.deepEqual(await edges(), before, "nothing in the sheet has moved");
    await assertInDock(page, during);
    await sheet.getByRole("button", { name: "Close" }).tap();
    await sheet.waitFor({ state: "hidden" });
    assert.equal(await page.locator("[data-notice=unexpected]").count(), 1, "it waits beyond the sheet");
    await page.assertNoErrors();
  });
}

test("one notice is shown at a time: the newest, then the one before, and only of the lab in sight", async () => {
  const page = await openPage(hosts.isolated, "#/control?seed=2", KEEP_NOTICES);
  await untilLearning(page);
  await setFullSpeed(page);
  await provokeNotice(page);
  const notices = page.locator(".notice");
  const openId = () => page.evaluate(() => globalThis.learnery.note.id);
  const restart = async () => {
    await untilUnits(page, 3); // a shorter run is not kept
    const before = await openId();
    await page.locator(".dock .restart").click();
    await notices.getByText("A new run has started.").waitFor();
    assert.equal(await notices.count(), 1);
    await until("the new run is open", async () => (await openId()) !== before);
  };
  await restart();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await notices.getByText("A part of the page").waitFor();
  await restart();
  await page.goto(page.address(SMALL_CUBE));
  // The notice about a run of the other lab has gone, the one about the page comes back.
  await notices.getByText("A part of the page").waitFor();
  assert.equal(await notices.count(), 1);
  await untilLearning(page);
  assert.equal(await notices.getByText("A new run has started.").count(), 0);
  await page.assertNoErrors();
});

test("notice that asks nothing goes by itself, and stands above the front without covering it", async () => {
  const page = await openPage(hosts.isolated, "#/control?zap=1");
  await untilTold(page, /zap/);
  await until("it has gone", async () => (await page.locator("[data-notice=link]").count()) === 0);
  await page.goto(page.address("#/nosuchlab"));
  await untilTold(page, /There is no lab called “nosuchlab”/);
  await page.goto(page.address("#/"));
  await page.locator(".front-card").first().waitFor();
  await provokeNotice(page);
  // Both at the same moment: the screen gives way while the notice appears.
  const { notice, main } = await untilStill(page, () =>
    page.evaluate(() => {
      const box = (selector) => document.querySelector(selector).getBoundingClientRect();
      return { notice: Math.round(box(".notice").bottom), main: Math.round(box("main").top) };
    }),
  );
  assert.ok(notice <= main + 1, `it ends at ${notice}, where the screen begins: ${main}`);
  await page.assertNoErrors();
});

test("notice can be answered after its lab has failed", async () => {
  const page = await openPage(hosts.isolated, "#/control?seed=2");
  await untilLearning(page);
  await provokeNotice(page);
  await page.evaluate(() => globalThis.learnery.fail("panic"));
  await page.locator(".card.failure").waitFor();
  await page.forget();
  await page.locator(".notice").getByRole("button", { name: "Dismiss" }).click();
  await until("it has gone", async () => (await page.locator(".notice").count()) === 0);
  await page.assertNoErrors();
});

// The page's appearance and accessibility: small screens, the dark theme, use by keyboard, screen readers.
//
// Uses: www/ui/help.ts

import assert from "node:assert/strict";
import { hosts, openPage, test, until } from "./harness.mjs";
import { openTool, state, untilFrames, untilLearning } from "./lab.mjs";

/** How many pixels the page is wider than the window. */
const horizontalOverflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

test("page does not overflow sideways on a phone, a tablet and a laptop", async () => {
  const page = await openPage(hosts.isolated, "#/control", { viewport: { width: 375, height: 812 } });
  for (const [width, height] of [
    [375, 812],
    [768, 1024],
    [1440, 900],
  ]) {
    await page.setViewportSize({ width, height });
    await page.goto(page.address("#/control"));
    await untilLearning(page);
    assert.equal(await horizontalOverflow(page), 0, `${width} pixels`);
    assert.ok(await page.locator(".play").isVisible());
    const box = await page.locator(".dock").boundingBox();
    // Fractions of a pixel are rounded.
    assert.ok(box.y + box.height <= height + 1, "the dock is in sight");
    await page.goto(page.address("#/labs"));
    await page.locator(".front-card").first().waitFor();
    assert.equal(await horizontalOverflow(page), 0, `${width} pixels`);
  }
  await page.assertNoErrors();
});

test("theme follows the system until the visitor chooses", async () => {
  const page = await openPage(hosts.isolated, "#/control", { colorScheme: "dark" });
  await untilLearning(page);
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await background();
  await page.emulateMedia({ colorScheme: "light" });
  await until("the page is light like the system", async () => (await background()) !== dark);
  const light = await background();
  await page.emulateMedia({ colorScheme: "dark" });
  await until("the page is dark like the system", async () => (await background()) === dark);
  await page.getByRole("button", { name: "Switch between light and dark" }).click();
  assert.equal(await background(), light, "the visitor has chosen");
  await page.reload();
  await untilLearning(page);
  assert.equal(await background(), light, "the choice is kept");
  await page.assertNoErrors();
});

test("page can be used by keyboard alone", async () => {
  const page = await openPage(hosts.isolated, "#/control");
  await untilLearning(page);
  await page.keyboard.press("?");
  await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  // A focused slider, such as that for the smoothing of the charts, uses the arrow keys itself, so they do not push the
  // cart; letters and Space still work. A key that is held pushes, so by the pause a push would be seen.
  await page.locator("#smoothing").focus();
  await page.keyboard.down("ArrowRight");
  await page.keyboard.press("Space");
  await until("it is paused", async () => !(await state(page)).running);
  assert.equal(await page.evaluate(() => document.querySelector(".arrow.visitor").classList.contains("shown")), false);
  await page.keyboard.up("ArrowRight");
  // A focused text field uses all keys itself.
  await openTool(page, "Settings");
  await page.getByRole("textbox", { name: "learning rate" }).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Backspace");
  await untilFrames(page, 3);
  assert.equal((await state(page)).running, false);
  // The focus is visible.
  await page.locator(".play").focus();
  await page.keyboard.press("Tab");
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.notEqual(outline, "none");
  await page.assertNoErrors();
});

test("live region describes the picture for screen readers", async () => {
  const page = await openPage(hosts.isolated, "#/control", { reducedMotion: "reduce" });
  await untilLearning(page);
  const line = page.locator("[aria-live=polite]");
  await until("an announcement", async () => /iteration \d+\. Last test: test score/.test(await line.textContent()));
  await page.assertNoErrors();
});

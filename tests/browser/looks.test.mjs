// The page's appearance and accessibility: small screens, the dark theme, use by keyboard, screen readers.

import assert from "node:assert/strict";
import { hosts, openPage, test, until } from "./harness.mjs";
import { openTool, state, untilLearning } from "./lab.mjs";

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
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await paper();
  await page.getByRole("button", { name: "Switch between light and dark" }).click();
  const light = await paper();
  assert.notEqual(dark, light);
  await page.reload();
  await untilLearning(page);
  assert.equal(await paper(), light, "the choice is kept");
  await page.assertNoErrors();
});

test("page can be used by keyboard alone", async () => {
  const page = await openPage(hosts.isolated, "#/control");
  await untilLearning(page);
  await page.keyboard.press("?");
  await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  // A focused slider uses the arrow keys itself, so they do not push the cart; letters and Space still work.
  await page.locator("#smoothing").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.querySelector(".arrow.visitor").classList.contains("shown")), false);
  await page.keyboard.press("Space");
  await until("it is paused", async () => !(await state(page)).running);
  // A focused text field uses all keys itself.
  await openTool(page, "Settings");
  await page.getByRole("textbox", { name: "learning rate" }).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Backspace");
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
  await until("an announcement", async () => /iteration \d+\. test score/.test(await line.textContent()));
});

// The checks of axe-core for accessibility, on the front and on every lab with each of its tools: in the light and the
// dark theme, in a wide window and on a phone. Every finding of the rules that axe calls serious or critical fails.
//
// Uses: www/ui/challenges/panel.ts, www/ui/compare/compare-panel.ts, www/ui/library.ts, www/ui/settings-panel.ts
// Uses: www/ui/share.ts

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { labNames } from "../../scripts/dev-bundles.mjs";
import { hosts, openPage, root, test, until } from "./harness.mjs";
import { setRunning, untilLearning } from "./lab.mjs";

/** The code of axe-core, which sets the global variable `axe`. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SIZES = { wide: { width: 1280, height: 800 }, phone: { width: 375, height: 812 } };

/**
 * The serious and critical findings in the elements of a selector: the rule, what is wrong, and the elements. With
 * `rules`, only these are checked.
 */
const findings = (page, selector, rules) =>
  page.evaluate(
    async ([selector, rules]) => {
      const runOnly = rules && { type: "rule", values: rules };
      const { violations } = await globalThis.axe.run(selector, { resultTypes: ["violations"], runOnly });
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 150)).join(" | ")}`);
    },
    [selector, rules],
  );

/** Ends the transitions between colours, in which contrasts are lower. */
function endAnimations() {
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime === Infinity) animation.cancel();
    else animation.finish();
  }
}

/**
 * The themes, with the rules to check in them; undefined for all. They differ in colours only, so in the dark theme
 * only the rules about colours are checked.
 */
const THEMES = { light: undefined, dark: ["color-contrast", "link-in-text-block"] };

/** Checks what the page, or a part of it, shows in both themes and sizes. */
async function assertAccessible(page, what, selector = "html") {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const [colorScheme, rules] of Object.entries(THEMES)) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.evaluate(endAnimations);
      assert.deepEqual(await findings(page, selector, rules), [], `${what}, ${size}, ${colorScheme}`);
    }
  }
}

test("front has no serious findings", async () => {
  const page = await openPage(hosts.isolated);
  await page.evaluate(AXE);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await assertAccessible(page, "front");
  await page.assertNoErrors();
});

for (const lab of labNames(root)) {
  test(`lab and its tools have no serious findings: ${lab}`, async () => {
    const page = await openPage(hosts.isolated, `#/${lab}`);
    await page.evaluate(AXE);
    await untilLearning(page);
    await setRunning(page, false);
    await assertAccessible(page, lab);
    const tabs = page.getByRole("tab");
    for (const [index, title] of (await tabs.allTextContents()).entries()) {
      await page.setViewportSize(SIZES.wide);
      await tabs.nth(index).click();
      await until(`${title} is shown`, async () => (await page.locator(".tool-panel:visible > *").count()) > 0);
      await assertAccessible(page, `${lab}, ${title}`, ".tool-panel:not([hidden])");
    }
    await page.assertNoErrors();
  });
}

test("screen of the 3x3x3, its solution and its dialog have no serious findings", async () => {
  const small = "puzzle=3x3x3&learner=cayleypy&hidden_1=16&hidden_2=0&batch=64&updates=10&judge_every=1";
  const page = await openPage(hosts.isolated, `#/cube?${small}&evaluate_states=2&evaluate_beam=16&evaluate_scramble=2`);
  await page.evaluate(AXE);
  await untilLearning(page);
  await setRunning(page, false);
  await page.locator(".cube-scramble input").fill("2");
  await page.getByRole("button", { name: "Scramble", exact: true }).click();
  await page.getByRole("button", { name: "Solve with the agent" }).click();
  await page.locator(".cube3-turns li").first().waitFor();
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await assertAccessible(page, "3x3x3", ".cube3-view");
  await page.getByRole("button", { name: "Enter your own cube" }).click();
  await page.locator(".cube3-enter").getByRole("button", { name: "Clear" }).click();
  await assertAccessible(page, "dialog of the 3x3x3", ".cube3-enter");
  await page.assertNoErrors();
});

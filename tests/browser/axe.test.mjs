// The checks of axe-core for accessibility, on the front and on every lab with each of its tools: in the light and the
// dark theme, in a wide window and on a phone. Every finding of the rules that axe calls serious or critical fails.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, afterEach, test } from "node:test";
import { labNames } from "../../scripts/dev-bundles.mjs";
import { closeAll, closePages, hosts, openPage, root, until } from "./harness.mjs";
import { setRunning, untilLearning } from "./lab.mjs";

afterEach(closePages);
after(closeAll);

/** The code of axe-core, which sets the global variable `axe`. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SIZES = { wide: { width: 1280, height: 800 }, phone: { width: 375, height: 812 } };

/** The serious and critical findings: the rule, what is wrong, and the elements. */
const findings = (page) =>
  page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 150)).join(" | ")}`);
  });

/** Checks what the page shows, in both themes and sizes. */
async function assertAccessible(page, what) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.waitForTimeout(300); // transitions between colours
      assert.deepEqual(await findings(page), [], `${what}, ${size}, ${colorScheme}`);
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
      await assertAccessible(page, `${lab}, ${title}`);
    }
    await page.assertNoErrors();
  });
}

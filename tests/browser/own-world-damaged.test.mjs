// Worlds of a visitor's own in links that are damaged: the page says so, and the world that is opened instead is never
// presented as that of the link. AAAA is base64, but no compressed data; `0:` before it is the unit of a change.
// With `hide=rules` a link hides the rules, with `hide=editor` it only keeps them from being changed.

import assert from "node:assert/strict";
import { hosts, openPage, test } from "./harness.mjs";
import { untilLearning, untilText, untilTold } from "./lab.mjs";

const dialog = (page) => page.locator("dialog.own-world");
const status = (page) => page.locator(".own-world-status");

test("own world: damaged links say so", async () => {
  const page = await openPage(hosts.plain, "#/control?show=world.AAAA");
  await untilText(status(page), /cannot be read/);
  await page.assertNoErrors();
});

test("own world: where the rules are hidden, a world that cannot be read is one sentence, and no other takes its place", async () => {
  for (const hidden of ["editor", "rules"]) {
    const page = await openPage(hosts.plain, `#/control?show=world.AAAA&hide=${hidden}`);
    const refusal = page.locator("dialog.own-world-refusal");
    await untilText(refusal, /cannot be read: it is damaged or too long\. Ask whoever gave you the link for a new one/);
    assert.equal(await dialog(page).count(), 0, "no example stands in its place");
    await refusal.getByRole("button", { name: "Close" }).click();
    await untilLearning(page);
    await page.assertNoErrors();
    await page.close();
  }
});

test("own world: if a link's hidden rules are damaged, one dialog says so, and the example that opens can be edited", async () => {
  for (const hidden of ["editor", "rules"]) {
    const page = await openPage(hosts.plain, `#/control?seed=5&world=own&worlds=16&hide=${hidden}&data=0:AAAA`);
    const refusal = page.locator("dialog.own-world-refusal");
    await untilText(refusal, /cannot be read: it is damaged or too long\. Ask whoever gave you the link for a new one/);
    await untilText(refusal, /the lab shows another world instead/);
    assert.equal(await page.locator('[data-notice="link"]').count(), 0, "one sentence is enough");
    await refusal.getByRole("button", { name: "Close" }).click();
    await untilLearning(page);
    // The example is not taken for the world of the link: it can be changed, as any example.
    await page.getByRole("button", { name: "Edit the rules" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Read the rules" }).count(), 0);
    assert.doesNotMatch(page.url(), /hide=|data=/);
    await page.reload();
    await untilLearning(page);
    assert.equal(await refusal.count(), 0);
    await page.assertNoErrors();
    await page.close();
  }
  // An embed shows no dialog; a line above the picture says it.
  const link = "#/control?seed=5&world=own&worlds=16&hide=rules&data=0:AAAA";
  const embed = await openPage(hosts.plain, `embed.html?autoplay${link}`);
  await untilText(
    embed.locator(".embed-problems:not([hidden])"),
    /this is not the run of the link; ask whoever gave it/,
  );
  await embed.assertNoErrors();
});

test("lab without rules says what is lost, and what else is wrong in the link", async () => {
  const page = await openPage(hosts.plain, "#/logic?hide=rules&data=0:AAAA&foo=1");
  await untilTold(page, /this is not the run of the link/);
  await untilTold(page, /foo/);
  await page.assertNoErrors();
});

// Challenges in the page: done by what happens in the run, remembered, and shared as links.

import assert from "node:assert/strict";
import { hosts, openPage, test, until } from "./harness.mjs";
import { anotherRun, openTool, setFullSpeed, untilLearning, untilText, untilTold } from "./lab.mjs";

const row = (page, title) => page.locator(".challenge", { hasText: title });
const stateLine = (page, title) => row(page, title).locator(".challenge-state");
const state = (page, title) => stateLine(page, title).textContent();

test("challenge is done by what happens, announced, and remembered after a reload", async () => {
  const page = await openPage(hosts.isolated, "#/control?seed=1");
  await untilLearning(page);
  await openTool(page, "Challenges");
  await row(page, "CartPole: balance the pole").waitFor();
  assert.equal(await page.locator(".challenge").count(), 7);
  assert.equal(await state(page, "CartPole: balance the pole"), "Open.");
  assert.match(await state(page, "in a single world"), /Not with this run\. It needs worlds 1; this run has 128\./);
  await setFullSpeed(page);
  await untilTold(page, /balance the pole/);
  await until("it is marked as done", async () =>
    /^Done in iteration \d+, seed 1/.test(await state(page, "CartPole: balance the pole")),
  );
  // It trains on, and may unlearn and recover by itself.
  await untilText(stateLine(page, "CartPole: make it unlearn"), /[12] of 3 stages reached|^Done in iteration/);
  await page.reload();
  await untilLearning(page);
  await openTool(page, "Challenges");
  await row(page, "CartPole: balance the pole").waitFor();
  await untilText(stateLine(page, "CartPole: balance the pole"), /^Done in iteration/);
  const single = await anotherRun(page, () =>
    row(page, "in a single world").getByRole("button", { name: "Start" }).click(),
  );
  assert.equal(single.config.worlds, 1);
  await page.assertNoErrors();
});

test("teacher makes a challenge, and a visitor opens its link", async () => {
  const page = await openPage(hosts.isolated, "#/control?seed=4&worlds=64");
  await untilLearning(page);
  await openTool(page, "Challenges");
  await page.getByText("Make a challenge of your own").click();
  await page.getByLabel("Title").fill("Anything at all");
  await page.getByLabel("It reaches: value").fill("5");
  await page.getByLabel("Within this many iterations").fill("100000");
  const link = await page.locator("#challenge-link").inputValue();
  assert.match(link, /#\/control\?seed=4&worlds=64&challenge=/);

  const other = await openPage(hosts.isolated, "", {});
  await other.goto(link);
  await untilTold(other, /Anything at all/);
  await untilLearning(other);
  await openTool(other, "Challenges");
  await row(other, "From the link: Anything at all").waitFor();
  await until("it is done", async () => /^Done in iteration/.test(await state(other, "From the link")));
  assert.match(await row(other, "From the link").textContent(), /Settings: worlds: 64\./);
  assert.match(other.url(), /challenge=/, "a reload keeps the challenge");
  await other.assertNoErrors();
  await page.assertNoErrors();
});

test("challenge that cannot be read is told, and the run goes on", async () => {
  const page = await openPage(hosts.isolated, "#/control?challenge=nonsense");
  await untilTold(page, /cannot be read/);
  await untilLearning(page);
  await page.assertNoErrors();
});

test("challenge with a world of one's own begins in the editor, and is judged by the text that the run learns", async () => {
  const page = await openPage(hosts.plain, "#/control?show=challenge.pole&challenge=Balance~examReturn>=450");
  const dialog = page.locator("dialog.own-world");
  const train = async () => {
    await dialog.getByRole("button", { name: "Train on it", disabled: false }).click();
    await until("it learns", () => page.evaluate(() => globalThis.learnery.series.units.length > 1));
  };
  await train();
  await openTool(page, "Challenges");
  const title = "Balance without seeing";
  await untilText(stateLine(page, title), /^Open\.$/);
  await untilText(stateLine(page, "a loophole"), /^Not with this run\. This run learns another world\./);
  await row(page, "a loophole").getByRole("button", { name: "Start" }).click();
  await dialog.getByRole("application", { name: /The boat and the buoy/ }).waitFor();
  await train();
  await untilText(stateLine(page, "a loophole"), /^Open\.$/);
  await untilText(stateLine(page, title), /^Not with this run/);
  await page.assertNoErrors();
});

// Openings and replies of the backgammon lab: a roll, its plays, the replies, another score, and the way to the board.

import assert from "node:assert/strict";
import { hosts, openPage, test } from "./harness.mjs";
import { setRunning, untilLearning } from "./lab.mjs";

test("openings and replies are browsed by keys, at every score", async () => {
  const page = await openPage(hosts.isolated, "#/backgammon", { viewport: { width: 1280, height: 960 } });
  await untilLearning(page);
  await setRunning(page, false); // the table needs no training
  const hasTable = () => page.loaded().some((file) => /\/table-[^/]*\.js$/.test(file));
  assert.ok(!hasTable(), "a visit has loaded the table");
  await page.getByText("Matches and analysis").click();
  await page.getByRole("button", { name: "Openings" }).click();
  const dialog = page.getByRole("dialog", { name: "Openings and replies" });
  const plays = dialog.locator(".trainer-option");
  const best = (play) => plays.first().getByText(play, { exact: true }).waitFor();
  await best("8/5 6/5");
  assert.ok(hasTable());
  assert.equal(await dialog.getByRole("radio").count(), 21);

  // Two digits are a roll, and an arrow key leads to the next one.
  await page.keyboard.press("6");
  await page.keyboard.press("1");
  await best("13/7 8/7");
  await page.keyboard.press("ArrowUp");
  await dialog.getByText("First roll 5-1").waitFor();
  const count = await plays.count();
  assert.ok(count > 1);
  await plays.nth(1).click();
  assert.equal(await plays.nth(1).getAttribute("aria-pressed"), "true");
  assert.ok((await dialog.locator(".move-arrow.played").count()) > 0);
  assert.ok((await dialog.locator(".move-arrow.best").count()) > 0);

  await page.keyboard.press("3");
  await page.keyboard.press("1");
  await best("8/5 6/5");
  await dialog.getByRole("button", { name: "Replies to this play" }).click();
  await dialog.getByText("Reply with 3-1, after 3-1: 8/5 6/5").waitFor();
  await page.keyboard.press("Backspace");
  await dialog.getByText("First roll 3-1").waitFor();
  await dialog.getByRole("button", { name: "Gammon-go" }).click();
  await dialog.getByText(/^Light needs two points, Dark one/).waitFor();

  await dialog.getByRole("button", { name: "Play from here" }).click();
  const setUp = page.getByRole("dialog", { name: "Set up a position" });
  assert.match(await setUp.getByLabel("XGID").inputValue(), /:31:/);
  await page.assertNoErrors();
});

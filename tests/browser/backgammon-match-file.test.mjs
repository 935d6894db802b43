// The file of a match in the backgammon lab: a visitor opens it, steps through its decisions, and saves the analysis.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { hosts, openPage, test, until } from "./harness.mjs";
import { dropText, setRunning, untilLearning } from "./lab.mjs";

/** A match with cubes by both players, a pass, a Crawford game and a roll that nobody played. */
const MATCH = fileURLToPath(new URL("../../crates/match-files/src/tests/match.mat", import.meta.url));

async function openBackgammon() {
  const page = await openPage(hosts.isolated, "#/backgammon", { viewport: { width: 1280, height: 960 } });
  await untilLearning(page);
  await setRunning(page, false); // an analysis needs no training
  return page;
}

test("match from a file is analysed and stepped through", async () => {
  const page = await openBackgammon();
  const chooser = page.waitForEvent("filechooser");
  await page.getByText("Matches and analysis").click();
  await page.getByRole("button", { name: "Analyse a match file" }).click();
  await (await chooser).setFiles(MATCH);
  const viewer = page.getByRole("dialog", { name: "Ada against Ben_(GER), match to 5 points" });
  await viewer.waitFor();
  const text = () => viewer.locator(".viewer-text").textContent();
  assert.equal(await text(), "Game 1, turn 1: Ben_(GER) rolled 6-1 and played 13/7 8/7.");
  assert.ok(await viewer.getByRole("button", { name: "Previous", exact: true }).isDisabled());
  await page.keyboard.press("ArrowRight");
  assert.equal(await text(), "Game 1, turn 2: Ada rolled 4-3 and played 24/20 13/10.");
  await viewer.getByRole("button", { name: "Previous", exact: true }).click();
  assert.match(await text(), /turn 1/);

  // The list leads to any decision; the arrow down to the next error.
  await viewer.getByRole("button", { name: "Ben_(GER) passes" }).click();
  assert.equal(await text(), "Game 1, turn 8: Ben_(GER) passed.");
  assert.match(
    await viewer.locator(".viewer-verdict").textContent(),
    /^It lost \d\.\d\d \(very bad\)\. Better: to take/,
  );
  await until("the cube is offered", async () => (await viewer.locator(".match-cube-value").textContent()) === "2");
  await page.keyboard.press("ArrowUp");
  assert.equal(await text(), "Game 1, turn 8: Ada doubled to 2.");
  await page.keyboard.press("ArrowDown");
  assert.equal(await text(), "Game 1, turn 8: Ben_(GER) passed.");

  const rows = await viewer.locator(".viewer-side .report-table tr").allTextContents();
  assert.match(rows.join("; "), /^Ada \(light\)Ben_\(GER\) \(dark\); RatingAwful!Awful!; Error rate\d+\.\d\d+\.\d;/);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    viewer.getByRole("button", { name: "Save annotated .mat" }).click(),
  ]);
  const saved = readFileSync(await file.path(), "utf8");
  assert.match(saved, /^; Analysed by Learnery\./);
  assert.match(saved, /very bad, error/);
  // The position opens at once from a link, in another browser, and can be played from, both with its roll.
  await viewer.getByRole("button", { name: "Ada 5-2 bar/23 13/8" }).click();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await viewer.getByRole("button", { name: "Copy link to this position" }).click();
  await viewer.getByRole("button", { name: "Copied" }).waitFor();
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  assert.equal(link.hash, "#/backgammon?show=-b----E-C-A-dD----bcbb--AA:0:0:1:52:0:0:0:5:10");
  const friend = await openPage(hosts.isolated, link.hash, { viewport: { width: 1280, height: 960 } });
  const firstTurn = friend.locator(".move").first();
  await until(
    "the turn of the link is played",
    async () => (await firstTurn.locator(".move-dice").textContent()) === "5-2",
  );
  await firstTurn.click();
  await until("its position is shown", async () => {
    const pips = await friend.locator(".seat-figure:nth-child(3) .num").allTextContents();
    return pips.join() === "165,150";
  });
  await friend.assertNoErrors();
  await friend.close();
  await viewer.getByRole("button", { name: "Play from here" }).click();
  const setUp = page.getByRole("dialog", { name: "Set up a position" });
  await setUp.getByRole("button", { name: "Play from here" }).click();
  await until("the position is on the board", async () =>
    /^Light rolled 5 and 2\./.test(await page.locator(".status-now").textContent()),
  );
  await until("the lab goes on", async () => (await page.locator("dialog[open]").count()) === 0);
  await page.assertNoErrors();
});

test("bad match files are refused in a sentence that names the line", async () => {
  const page = await openBackgammon();
  const refused = async (name, text, words) => {
    await dropText(page, name, text);
    const card = page.getByRole("region", { name: `Analysis of ${name}` });
    await card.getByRole("alert").getByText(words).waitFor();
    await card.getByRole("button", { name: "Close" }).click();
    await card.waitFor({ state: "detached" });
  };
  await refused(
    "cheat.mat",
    " 3 point match\n\n Game 1\n A : 0      B : 0\n  1) 31: 8/5 6/4\n",
    /^cheat\.mat, line 5 .*no legal play of 31\.$/,
  );
  await refused("empty.mat", "", /^empty\.mat, .*\.$/);
  await refused("noise.sgf", "(;GM[6", /^noise\.sgf, line 1/);
  // Nothing is lost: a good file is still read.
  await dropText(page, "match.mat", readFileSync(MATCH, "utf8"));
  await page.getByRole("dialog", { name: /^Ada against Ben/ }).waitFor();
  await page.assertNoErrors();
});

test("dialogs of a match file end with what they belong to", async () => {
  const page = await openBackgammon();
  const text = readFileSync(MATCH, "utf8");
  // Further down the page the board is out of sight.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await dropText(page, "match.mat", text);
  const viewer = page.getByRole("dialog", { name: /^Ada against Ben/ });
  await viewer.waitFor();
  // A press on the padding does not close it, nor does one on the last button that it disables.
  await viewer.click({ position: { x: 8, y: 8 } });
  await viewer.locator(".viewer-list button").last().click();
  await viewer.getByRole("button", { name: "Previous", exact: true }).click();
  await viewer.getByRole("button", { name: "Next", exact: true }).click();
  await page.keyboard.press("ArrowLeft");
  assert.match(
    await viewer.locator(".viewer-text").textContent(),
    /^Game 6, turn 4: Ada takes?|^Game 6, turn 4: Ada took/,
  );
  // Another file takes its place.
  await viewer.evaluate((node) => (node.id = "first-viewer"));
  await dropText(page, "other.mat", text);
  await page.locator("#first-viewer").waitFor({ state: "detached" });
  await viewer.waitFor();
  await until("one dialog", async () => (await page.locator("dialog[open]").count()) === 1);
  await page.evaluate(() => (location.hash = "#/cube"));
  await page.locator(".cube-view").waitFor();
  await until("no dialog is left", async () => (await page.locator("dialog[open]").count()) === 0);
  await page.assertNoErrors();
});

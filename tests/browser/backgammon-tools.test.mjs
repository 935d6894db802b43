// The tools of the backgammon lab, which have a bundle and a worker of their own: a match is analysed at two plies
// while another lab's picture is shown, an analysis is cancelled, and the position on the board is judged with
// lookahead, also while a match is analysed; a rollout of it is cancelled. That answers are those of the command line
// is tested in answers.test.mjs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { hosts, openPage, test, until } from "./harness.mjs";
import { dropText, setHidden, setRunning, state, untilLab, untilLearning } from "./lab.mjs";

const LONG_MATCH = fileURLToPath(new URL("../../crates/match-files/src/tests/match.mat", import.meta.url));
/** A match that is judged at two plies in seconds. */
const SHORT_MATCH = `\
 3 point match

 Game 1
 Ada : 0                        Ben : 0
  1) 61: 13/7 8/7                52: 24/22 13/8
  2)  Doubles => 2                Takes
  3) 43: 24/20 13/10             31: 8/5 6/5
`;

/** What the card of an analysis says while it goes on. */
const JUDGED = /^Judged \d+ of \d+ decisions at 2 plies\.$/;

async function openBackgammon() {
  const page = await openPage(hosts.isolated, "#/backgammon", { viewport: { width: 1280, height: 960 } });
  await untilLearning(page);
  return page;
}

/** Drops a match on the page and returns the card of its analysis. */
async function drop(page, name, text) {
  await dropText(page, name, text);
  return page.getByRole("region", { name: `Analysis of ${name}` });
}

const toolsModules = (page) => page.loaded().filter((file) => /backgammon-tools-.*\.wasm$/.test(basename(file)));

test("match is analysed at two plies while another lab learns, and its bundle comes only then", async () => {
  const page = await openBackgammon();
  assert.deepEqual(toolsModules(page), [], "a first visit loads no tools");
  const card = await drop(page, "short.mat", SHORT_MATCH);
  // Without lookahead it is there at once. Then it is judged again.
  const viewer = page.getByRole("dialog", { name: "Ada against Ben, match to 3 points" });
  await viewer.waitFor();
  assert.equal(toolsModules(page).length, 1);
  await viewer.getByText(/judges every decision without lookahead/).waitFor();
  await viewer.getByRole("button", { name: "2 plies" }).click();
  await page.evaluate(() => (location.hash = "#/logic"));
  await untilLab(page, "logic");
  await setHidden(page, true); // it goes on in a hidden tab
  await card.getByText(/^All \d+ decisions are judged at 2 plies\.$/).waitFor();
  await setHidden(page, false);
  const before = (await state(page)).work;
  await until("the other lab goes on", async () => (await state(page)).work > before);
  await card.getByRole("button", { name: "Show" }).click();
  await viewer.getByText(/judges every decision at 2 plies/).waitFor();
  assert.ok(await viewer.getByRole("button", { name: "Play from here" }).isHidden(), "there is no board to play on");
  await viewer.getByRole("button", { name: "Close" }).click();
  await card.waitFor({ state: "detached" });
  await page.assertNoErrors();
});

test("analysis goes on while another lab is shown, is cancelled at any time, and another one begins", async () => {
  const page = await openBackgammon();
  const text = readFileSync(LONG_MATCH, "utf8");
  const card = await drop(page, "long.mat", text);
  await card.getByRole("button", { name: "2 plies" }).click();
  await page.evaluate(() => (location.hash = "#/logic"));
  await untilLab(page, "logic");
  const judged = async () => Number((await card.getByText(JUDGED).textContent()).match(/\d+/)[0]);
  const then = await judged();
  await until("it goes on", async () => (await judged()) > then);
  await card.getByRole("button", { name: "Cancel" }).click();
  await card.waitFor({ state: "detached" });
  await page.evaluate(() => (location.hash = "#/backgammon"));
  await untilLab(page, "backgammon");
  await drop(page, "short.mat", SHORT_MATCH);
  await page.getByRole("dialog", { name: "Ada against Ben, match to 3 points" }).waitFor();
  await page.assertNoErrors();
});

test("position on the board is judged with lookahead, and a rollout of it can be cancelled", async () => {
  const page = await openBackgammon();
  await setRunning(page, false);
  await page.getByText("Matches and analysis").click();
  await page.getByRole("button", { name: "Look ahead" }).click();
  const panel = page.locator(".look-ahead");
  await panel.getByRole("button", { name: "1 ply" }).click();
  await panel.getByText(/^Best plays for (Light|Dark) at 1 ply:$/).waitFor();
  assert.match(await panel.locator("li").first().textContent(), /[+−]\d\.\d{3}$/);
  assert.match(await panel.locator(".look-ahead-head").innerText(), /^play\s*equity$/);
  await panel.getByRole("button", { name: "Rollout" }).click();
  await panel.getByRole("button", { name: "Cancel" }).click();
  const told = () => panel.getByRole("status").textContent();
  await until("it is cancelled", async () => /^(Cancelled\.|Equity for .* after \d+ games)/.test(await told()));
  // What is known by then is shown; a whole rollout has 108 games from each play.
  const games = Number(/after (\d+) games/.exec(await told())?.[1] ?? 0);
  assert.ok(games < 108, await told());
  await page.assertNoErrors();
});

test("position on the board is judged while a long match is analysed, which then goes on", async () => {
  const page = await openBackgammon();
  await setRunning(page, false);
  await page.getByText("Matches and analysis").click();
  await page.getByRole("button", { name: "Look ahead" }).click();
  const card = await drop(page, "long.mat", readFileSync(LONG_MATCH, "utf8"));
  await card.getByRole("button", { name: "2 plies" }).click();
  const judged = async () => Number((await card.getByText(JUDGED).textContent()).match(/\d+/)[0]);
  await judged();
  const panel = page.locator(".look-ahead");
  await panel.getByRole("button", { name: "1 ply" }).click();
  await panel.getByText(/^Best plays for (Light|Dark) at 1 ply:$/).waitFor();
  const then = await judged(); // it has not ended
  await until("the analysis goes on", async () => (await judged()) > then);
  await card.getByRole("button", { name: "Cancel" }).click();
  await card.waitFor({ state: "detached" });
  await page.assertNoErrors();
});

// Matches of backgammon with the doubling cube: a visitor plays one to its end by what a visitor presses, and others
// are saved, resigned and ended before.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { hosts, openPage, test, until } from "./harness.mjs";
import { setRunning, untilLearning, untilText } from "./lab.mjs";

/** A button beside the board that can be seen. */
const button = (page, name) => page.locator(".backgammon-view").getByRole("button", { name, exact: true });
const text = (page, selector) => page.locator(selector).textContent();

/** Begins a match against the agent. `length` is the button in the dialog. */
async function startMatch(page, length) {
  await button(page, "Play a match").click();
  const dialog = page.getByRole("dialog", { name: "Play a match" });
  await dialog.getByRole("button", { name: length, exact: true }).click();
  await dialog.getByRole("button", { name: "Start" }).click();
  await page.locator(".match-cube").waitFor();
}

/** What the visitor can do now: a button of the match, a checker to move, or nothing. */
const choices = (page) =>
  page.evaluate(() => {
    const names = [...document.querySelectorAll(".match-buttons .button")].filter(
      (node) => node.getClientRects().length,
    );
    return {
      buttons: names.map((node) => node.textContent),
      moves: document.querySelectorAll(".mark-source, .mark-picked").length > 0,
      done: !document.querySelector(".game-controls .primary")?.disabled,
    };
  });

/** Waits until a button of the match is gone, because its press has reached the lab. */
const untilGone = (page, name) =>
  until(`${name} is done`, async () => !(await choices(page)).buttons.includes(name), { every: 20 });

/** Plays a turn with keys: each time the first checker to its first target. */
async function playTurn(page) {
  for (let press = 0; press < 30; press++) {
    const { moves, done } = await choices(page);
    if (!moves && !done) return;
    await page.keyboard.press("Enter");
  }
}

/** While an earlier turn is reviewed, neither buttons nor keys decide about the cube. */
async function assertRestsInReview(page) {
  await page.locator(".move").first().click();
  await until("the button rests", () => button(page, "Roll").isDisabled());
  await page.keyboard.press("r");
  await page.keyboard.press("Escape");
  await until("the visitor is still asked", () => button(page, "Roll").isEnabled());
  // Enter is to play on the board, not to press the row again.
  await page.evaluate(() => document.activeElement.blur());
}

/**
 * Opens the lab as a new visitor, who pauses the training: a match needs none, and without motion takes half the time.
 */
async function openPaused() {
  const options = { viewport: { width: 1280, height: 960 }, reducedMotion: "reduce" };
  const page = await openPage(hosts.isolated, "#/backgammon", options);
  await untilLearning(page);
  await setRunning(page, false);
  await button(page, "Play a match").waitFor({ state: "hidden" }); // folded away at first
  await page.getByText("Matches and analysis").click();
  return page;
}

test("match to 3 is played with the cube to its end", async () => {
  const page = await openPaused();
  await startMatch(page, "3");
  assert.match(await text(page, ".match-score"), /^Match to 3 points\. You need 3, the agent needs 3\.$/);
  assert.equal(await text(page, ".match-cube-value"), "1", "a cube in the middle");
  // How often the visitor doubled, how often the agent did, and the games.
  const seen = { doubles: 0, agents: 0, games: 1 };
  await until(
    "the end of the match",
    async () => {
      const { buttons, moves, done } = await choices(page);
      if (buttons.includes("New match")) return true;
      if (buttons.includes("Next game")) {
        assert.match(await text(page, ".status-now"), /wins? .*\d points?\./);
        seen.games++;
        await page.keyboard.press("n");
        await untilGone(page, "Next game");
      } else if (buttons.includes("Take")) {
        assert.match(await text(page, ".status-now"), /doubles to \d+\. Do you take or pass\?/);
        seen.agents++;
        await button(page, "Take").click();
        await untilGone(page, "Take");
      } else if (buttons.includes("Roll")) {
        assert.match(await text(page, ".status-now"), /^Your turn: roll, or (re)?double to \d+ first\./);
        if (seen.doubles === 0) await assertRestsInReview(page);
        seen.doubles++;
        await page.keyboard.press("d");
        await untilGone(page, "Roll");
      } else if (moves || done) await playTurn(page);
      // Nobody has to wait for the agent.
      else await page.keyboard.press("n");
      return false;
    },
    { every: 30 },
  );
  console.log(JSON.stringify(seen));
  assert.ok(seen.doubles > 0, "the visitor doubled");
  // A match to 3 points; the last game may bring more than are missing.
  const [, won, lost] = /wins? the match (\d+) to (\d+)\./.exec(
    await untilText(page.locator(".status-now"), /the match/),
  );
  assert.ok(Number(won) >= 3 && Number(lost) < 3, `${won} to ${lost}`);
  assert.match(await text(page, ".board-words"), /wins? the match/);

  // The analysis by the expert, which makes cards of mistakes too, and the match as a file.
  const [file] = await Promise.all([page.waitForEvent("download"), button(page, "Save as .mat").click()]);
  assert.equal(file.suggestedFilename(), "learnery-match.mat");
  const lines = readFileSync(await file.path(), "utf8").split("\n");
  assert.ok(lines.some((line) => line.trim() === "3 point match"));
  assert.ok(lines.some((line) => line.trim() === "Game 1") && lines.some((line) => /Doubles => 2/.test(line)));
  await button(page, "Analysis").click();
  const dialog = page.getByRole("dialog", { name: "Visitor against Learnery, match to 3 points" });
  await dialog.waitFor();
  const rows = await dialog.locator(".report-table").last().locator("tr").allTextContents();
  assert.match(
    rows.join("; "),
    /^Visitor \(light\)Learnery \(dark\); Rating[A-Z].*; Error rate\d+\.\d\d+\.\d; Equity lost.*; Decisions\d+; Luck/,
  );
  assert.ok((await dialog.locator(".move").count()) > 20, "the decisions of a match");
  assert.ok(await dialog.getByRole("group", { name: "Practise the mistakes of" }).isVisible());
  await dialog.getByRole("button", { name: "Close" }).click();
  await button(page, "New match").click();
  await page.getByRole("dialog", { name: "Play a match" }).waitFor();
  await page.assertNoErrors();
});

test("match under way is saved and resigned, and ends only when the visitor says so", async () => {
  const page = await openPaused();
  // A double press opens one dialog.
  await button(page, "Play a match").evaluate((node) => {
    node.click();
    node.click();
  });
  await page.getByRole("dialog", { name: "Play a match" }).waitFor();
  assert.equal(await page.locator("dialog[open]").count(), 1);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Play a match" }).waitFor({ state: "hidden" });
  await startMatch(page, "3");

  const watch = page.locator('.players [data-value="watch"]');
  const question = page.getByRole("dialog", { name: "A match is under way. End it?" });
  await watch.click();
  await question.getByRole("button", { name: "Keep playing" }).click();
  await question.waitFor({ state: "detached" });
  assert.ok(await page.locator(".match-score").isVisible());

  const save = async () => {
    const [file] = await Promise.all([page.waitForEvent("download"), button(page, "Save as .mat").click()]);
    assert.equal(file.suggestedFilename(), "learnery-match.mat");
    return readFileSync(await file.path(), "utf8");
  };
  assert.match(await save(), /3 point match\n\n Game 1\n Visitor : 0 +Learnery : 0/);

  await until("the visitor's turn", async () => {
    if (await button(page, "Resign").isEnabled()) return true;
    if (await button(page, "Take").isVisible()) await button(page, "Take").click();
    return false;
  });
  await button(page, "Resign").click();
  const resign = page.getByRole("dialog", { name: "Resign this game?" });
  await resign.getByText("The agent wins 1 point. It declines if it expects to win more.").waitFor();
  await resign.getByRole("button", { name: "Backgammon" }).click();
  await resign.getByText(/^The agent wins \d+ points\.$/).waitFor();
  await resign.getByRole("button", { name: "Resign", exact: true }).click();
  await until("the match is over", async () =>
    /^You resign: the agent wins \d points\. The agent wins the match \d to 0\. /.test(await text(page, ".status-now")),
  );
  await button(page, "Resign").waitFor({ state: "hidden" });
  // Now nothing is lost.
  await watch.click();
  await page.locator(".match-score").waitFor({ state: "hidden" });

  // A run that replaces the open one ends the match, and a question about it.
  await startMatch(page, "5");
  await watch.click();
  await question.waitFor();
  await page.evaluate(() => document.querySelector(".dock .restart").click());
  await page.getByText("Another run was opened, so the match has ended.").waitFor();
  await question.waitFor({ state: "detached" });
  await page.locator(".match-score").waitFor({ state: "hidden" });

  // Dialogs end with the lab.
  await startMatch(page, "5");
  await watch.click();
  await question.waitFor();
  await page.evaluate(() => (location.hash = "#/control"));
  await page.locator(".control-view").waitFor();
  await until("no dialog is left", async () => (await page.locator("dialog[open]").count()) === 0);
  await page.assertNoErrors();
});

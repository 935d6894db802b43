// A duel of two agents in the tool "Compare": by two links, with the open run, and by the link of a duel.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { hosts, openPage, test, until } from "./harness.mjs";
import { openTool, untilTold } from "./lab.mjs";

/** A small run of the control lab, which keeps the pole up after a few iterations. */
const SMALL = "worlds=32&horizon=64&epochs=6&minibatches=16";

const section = (page) => page.locator("[aria-labelledby='duel-title']");

/** Presses the button, waits for the end of the duel, and returns what is said. */
async function duel(page) {
  const part = section(page);
  await part.getByRole("button", { name: /Start the duel|Duel again/ }).click();
  await until("the duel has ended", async () => (await part.locator(".primary").textContent()) !== "Stop");
  const problems = await part.locator(".compare-problem").allTextContents();
  return [...problems, await part.locator(".compare-result").textContent()].join("");
}

test("control: links that cannot meet are refused, the better agent wins, and the duel's link prepares it", async () => {
  const page = await openPage(hosts.isolated, `#/control?seed=3&${SMALL}&units=10`);
  await until("the run has stopped", () => page.evaluate(() => globalThis.learnery?.progress.units === 10));
  await openTool(page, "Compare");
  const second = section(page).getByLabel("Second agent");
  await second.fill("#/cube?units=4");
  assert.match(await duel(page), /leads to Cube, and the open lab is Control/);
  await second.fill("#/control?world=pendulum&worlds=8&horizon=8&minibatches=1&units=1");
  assert.match(await duel(page), /live in different worlds/);
  await second.fill(`https://example.org/#/control?seed=5&${SMALL}&units=1`);
  assert.match(await duel(page), /^The first agent wins with .* steps more on average, give or take /);
  const rows = await section(page).locator("tbody tr").allTextContents();
  assert.match(rows[0], /the open run, iteration 10, seed 3/);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await section(page).getByRole("button", { name: "Copy a link to this duel" }).click();
  await section(page).getByRole("button", { name: "Copied" }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /units=10&bits=fused:\w+&duel=seed%3D5/);

  await page.assertNoErrors();
  await page.close();

  const friend = await openPage(hosts.isolated, new URL(link).hash);
  const fields = section(friend).getByRole("textbox");
  await fields.first().waitFor();
  assert.match(await fields.first().inputValue(), /^#\/control\?seed=3&.*&bits=/);
  assert.match(await fields.last().inputValue(), /^#\/control\?seed=5&.*units=1$/);
  // A lab without duels says that it ignores the link's part, and the run starts.
  await friend.goto(
    friend.address(
      "#/language?source=copy&width=16&layers=1&heads=2&batch=8&updates=2&units=1&duel=seed%3D2%26units%3D1",
    ),
  );
  await untilTold(friend, /^Language has no duels, so “duel” in this link is ignored\.$/);
  await friend.assertNoErrors();
});

test("backgammon: the same agent twice is a draw, and their match can be saved", async () => {
  const run = "#/backgammon?seed=1&games=8&horizon=8&replay=256&hidden=8&second=4&race=4&eval_every=0&units=1";
  const page = await openPage(hosts.isolated, run);
  await until("the run has stopped", () => page.evaluate(() => globalThis.learnery?.progress.units === 1));
  await openTool(page, "Compare");
  await section(page).getByLabel("Second agent").fill(run);
  assert.match(await duel(page), /^A draw: both had the same result in each of the 500 pairs of games\.$/);
  const words = await section(page).locator(".compare-results").textContent();
  const [, winner, won, lost] = /The (first|second) agent won it (\d+) to (\d+), in \d+ games?\./.exec(words);
  const saved = page.waitForEvent("download");
  await section(page).getByRole("button", { name: "Save the match" }).click();
  const file = readFileSync(await (await saved).path(), "utf8");
  assert.match(file, /^ 7 point match\n\n Game 1\n First_agent : 0 +Second_agent : 0\n/);
  // The last game, at the score before it, ends on the winner's side of the file.
  const [score] = file.match(/First_agent : \d+ +Second_agent : \d+/g).slice(-1);
  const before = score.match(/\d+/g).map(Number);
  assert.ok(Math.max(...before) < 7 && Number(won) >= 7, words);
  assert.equal(before[winner === "first" ? 1 : 0], Number(lost));
  await page.assertNoErrors();
});

/** A small network that solves scrambles of up to three turns after three iterations, and few after one. */
const LEARNING_CUBE = "#/cube?hidden_1=64&hidden_2=0&batch=256&updates=100&judge_every=1&judge_within=3";

/**
 * Labs whose duels are about tasks: the links of two runs, what the results count, how many tasks there are and their
 * name, and the least and the most that a result may be.
 */
const ON_STAGES = [
  {
    lab: "cube",
    runs: [`${LEARNING_CUBE}&seed=1&units=3`, `${LEARNING_CUBE}&seed=2&units=1`],
    unit: "turns",
    tasks: [56, "scrambles"],
    results: [1, 40],
  },
  {
    lab: "logic",
    runs: ["#/logic?seed=1&batch=1&steps=8&units=12", "#/logic?seed=2&batch=1&steps=8&units=1"],
    unit: "wrong cells",
    tasks: [30, "holes"],
    results: [0, 256],
  },
];

for (const { lab, runs, unit, tasks, results } of ON_STAGES)
  test(`${lab}: a duel is played to its end, and its sentence fits the scores`, async () => {
    const page = await openPage(hosts.isolated, runs[0]);
    const { units } = Object.fromEntries(new URLSearchParams(runs[0].split("?")[1]));
    await until("the run has stopped", () =>
      page.evaluate((units) => globalThis.learnery?.progress.units === units, Number(units)),
    );
    await openTool(page, "Compare");
    const fields = ["First agent", "Second agent"].map((name) => section(page).getByLabel(name));
    for (const [i, link] of runs.entries()) await fields[i].fill(link);
    const words = await duel(page);
    // The mean result of each side, and the tasks in which it was better.
    const numbers = (await section(page).locator("tbody td").allTextContents()).map(Number);
    assert.equal(numbers.length, 4);
    const [first, second] = [numbers.slice(0, 2), numbers.slice(2)];
    for (const [mean, better] of [first, second]) {
      assert.ok(mean >= results[0] && mean <= results[1], `${mean}: ${words}`);
      assert.ok(better <= tasks[0]);
    }
    assert.notDeepEqual(first, second);
    assert.ok(first[1] + second[1] <= tasks[0]);
    // Who is ahead has fewer, by as much as is said. All three numbers are rounded.
    const [, ahead, lead] = /(first|second) agent (?:wins|is ahead) with ([\d.]+)/i.exec(words);
    const better = ahead.toLowerCase() === "first" ? [first, second] : [second, first];
    assert.ok(Math.abs(better[1][0] - better[0][0] - Number(lead)) < 0.11, `${numbers.join(", ")}: ${words}`);
    assert.match(words, new RegExp(`fewer|${unit}`));
    assert.match(await section(page).textContent(), new RegExp(`${tasks[1]} in which it was better`, "i"));
    await page.assertNoErrors();
  });

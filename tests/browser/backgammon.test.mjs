// The backgammon lab: a visitor watches self-play, plays by mouse, finger and keys, gets each play evaluated, takes
// plays back, and reviews earlier turns.

import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import { closeAll, closePages, hosts, openPage, until } from "./harness.mjs";
import { untilLearning } from "./lab.mjs";

afterEach(closePages);
after(closeAll);

/** The sentence below the board. */
const status = (page) => page.locator(".status-now").textContent();
/** The number of turns played in this game. */
const turns = (page) => page.locator(".move").count();
/** A button beside the board, or of the choice of players. */
const button = (page, name) => page.locator(".backgammon-view, .players").getByRole("button", { name });

/** Opens the lab as a fresh visitor and waits until it learns. */
async function opened(host, options) {
  const page = await openPage(host, "#/backgammon", { viewport: { width: 1280, height: 960 }, ...options });
  await untilLearning(page);
  await page.locator("svg.board").waitFor();
  return page;
}

/** The positions of all checkers as they are drawn. */
const checkers = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".disc")]
      .map((disc) => `${disc.className.baseVal} ${disc.style.transform}`)
      .sort()
      .join("\n"),
  );

/** Starts a game against the learner and waits for the visitor's turn. */
async function startGame(page) {
  await button(page, "Play the agent").click();
  await untilVisitorsTurn(page);
}

const untilVisitorsTurn = (page) =>
  until("the visitor's turn", () => page.locator(".mark-source").count(), { every: 30 });

/** The centre of the first mark of a kind on the screen, after scrolling it into sight. */
async function scrollTo(page, mark) {
  await page
    .locator(mark)
    .first()
    .evaluate((node) => node.scrollIntoView({ block: "center" }));
  return centreOf(page, mark);
}

/** The centre of a mark on the screen. */
async function centreOf(page, mark) {
  const box = await page.locator(mark).first().boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** Plays a whole turn by clicks: always the first movable checker, to its first target. */
async function clickTurn(page) {
  while (!(await button(page, "Finish turn").isEnabled())) {
    await page.mouse.click(...(await scrollTo(page, ".mark-source")));
    await page.locator(".mark-picked").waitFor();
    const target = (await page.locator(".mark-target").count()) > 0 ? ".mark-target" : ".mark-tray";
    await page.mouse.click(...(await scrollTo(page, target)));
  }
  await button(page, "Finish turn").click();
}

test("self-play can be watched at several speeds, and earlier turns reviewed", async () => {
  const page = await opened(hosts.isolated);
  assert.equal(await page.locator(".disc").count(), 30, "fifteen checkers for each side");
  assert.ok((await page.locator(".die").count()) >= 2);
  await button(page, "Max").click();
  await until("some turns", async () => (await turns(page)) >= 5, { every: 50 });
  assert.match(await page.locator(".outlook").textContent(), /Light wins \d+%.*Dark wins \d+%/);
  assert.match(await page.locator(".candidate-name").first().textContent(), /\d|bar|^$/);

  await button(page, "Pause").click();
  const turnsBefore = await turns(page);
  await button(page, "Next turn").click();
  await until("one turn more", async () => (await turns(page)) === turnsBefore + 1, { every: 30 });

  // A search runs a little in each frame. Its visits are listed and drawn.
  const text = (selector) => page.locator(selector).first().textContent();
  await until("visits of the search are listed", async () => {
    if (/\d%/.test(await text(".candidate-visits"))) return true;
    // Without a choice there is no search, so the game goes on to the next turn.
    if (/^(1 play|no legal)/.test(await text(".candidates-figure .quiet.num"))) await button(page, "Next turn").click();
    return false;
  });
  await page.locator(".move-arrow").first().waitFor();

  // The first evaluation comes with the first unit (training iteration). Its result has a margin of error.
  const firstEvaluated = () =>
    page.evaluate(() => {
      const { series } = globalThis.learnery;
      return series.units[series.column("points").findIndex(Number.isFinite)];
    });
  assert.equal(await until("an evaluation", firstEvaluated), 1);
  await until("its margin of error is shown", async () => /\d ± \d/.test(await text(".chart.large .chart-now")));

  // Before its first turn every game has the starting position.
  await page.locator(".move").first().click();
  assert.match(await status(page), /^Turn 1: (Light|Dark) rolled/);
  await until("the first position is shown", () =>
    page.evaluate(
      () => document.querySelector(".point-number") !== null && document.querySelectorAll(".move-arrow").length > 0,
    ),
  );
  const first = await checkers(page);
  await page.keyboard.press("Escape");
  await until("the present position is shown again", async () => (await checkers(page)) !== first);

  await page.goto(page.address("#/labs"));
  await page.getByText(/^Your run: round \d/).waitFor();
  await page.assertNoErrors();
});

test("visitor plays with mouse and keys, gets plays evaluated, takes back, asks for hints", async () => {
  const page = await opened(hosts.isolated);
  await startGame(page);
  const [checkersBefore, statusBefore, turnsBefore] = [await checkers(page), await status(page), await turns(page)];
  assert.match(statusBefore, /^You rolled/);

  // The candidates are hidden until the visitor asks for a hint.
  assert.ok(await page.locator(".veil").isVisible());
  assert.equal(await page.locator(".move-arrow").count(), 0);
  await page.keyboard.press("h");
  await page.locator(".move-arrow").first().waitFor();
  assert.ok(await page.locator(".veil").isHidden());

  // A move by keys is made and taken back: choose a checker, pick it, place it.
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.locator(".mark-cursor").waitFor();
  await page.keyboard.press("Enter");
  await until("a checker has moved", async () => (await checkers(page)) !== checkersBefore);
  await page.keyboard.press("Backspace");
  await until("the move is taken back", async () => (await checkers(page)) === checkersBefore);

  await clickTurn(page);
  await until("an assessment", async () => /^Your /.test(await page.locator(".status-verdict").textContent()));
  await button(page, "Undo").click();
  await until("the turn is taken back", async () => (await turns(page)) === turnsBefore);
  await untilVisitorsTurn(page);
  assert.equal(await checkers(page), checkersBefore);
  assert.equal(await status(page), statusBefore, "with the same roll");

  // The same move once more, now by dragging the checker.
  await page.mouse.click(...(await scrollTo(page, ".mark-source")));
  await page.locator(".mark-target").first().waitFor();
  const [from, to] = [await centreOf(page, ".mark-picked"), await centreOf(page, ".mark-target")];
  await page.keyboard.press("Escape");
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2);
  assert.equal(await page.locator(".disc.held").count(), 1);
  await page.mouse.move(...to);
  await page.mouse.up();
  await until("the checker has moved", async () => (await checkers(page)) !== checkersBefore);
  await clickTurn(page);
  for (let turn = 0; turn < 2; turn++) {
    await untilVisitorsTurn(page);
    await clickTurn(page);
  }
  await button(page, "New game").click();
  await until("a new game", async () => (await turns(page)) <= 1);

  await button(page, "Play the expert").click();
  await page.locator(".seat-name", { hasText: "The expert" }).waitFor();
  await untilVisitorsTurn(page);
  await clickTurn(page);
  await until("an assessment by the expert", async () =>
    /^Your /.test(await page.locator(".status-verdict").textContent()),
  );
  await page.assertNoErrors();
});

test("board on a phone is rotated and played with a finger, on one thread", async () => {
  const page = await opened(hosts.plain, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.locator("svg.board.standing").waitFor(); // rotated
  const { width } = await page.locator("svg.board").boundingBox();
  assert.ok(width <= 390 && (await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  await button(page, "Play the agent").tap();
  await untilVisitorsTurn(page);
  const before = await checkers(page);
  await page.locator("svg.board").scrollIntoViewIfNeeded();
  await page.touchscreen.tap(...(await scrollTo(page, ".mark-source")));
  await page.locator(".mark-picked").waitFor();
  await page.touchscreen.tap(...(await scrollTo(page, ".mark-target")));
  await until("a checker has moved", async () => (await checkers(page)) !== before);
  await page.setViewportSize({ width: 1200, height: 900 });
  await page.locator("svg.board:not(.standing)").waitFor();
  await page.assertNoErrors();
});

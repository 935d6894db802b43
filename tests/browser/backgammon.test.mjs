// The backgammon lab: a visitor watches self-play, plays by mouse, finger and keys, gets each play evaluated, takes
// plays back, and reviews earlier turns.

import assert from "node:assert/strict";
import { hosts, openPage, test, until } from "./harness.mjs";
import { setRunning, untilLearning, untilStill, untilText, untilTold, untilViews } from "./lab.mjs";

/** The sentence below the board. */
const status = (page) => page.locator(".status-now").textContent();
/** The number of turns played in this game. */
const turns = (page) => page.locator(".move").count();
/** A button beside the board, or of the choice of players. */
const button = (page, name) => page.locator(".backgammon-view, .players").getByRole("button", { name });

/** Opens the lab as a fresh visitor and waits until it has learned a little. Games need no more training. */
async function opened(host, options) {
  const page = await openPage(host, "#/backgammon", { viewport: { width: 1280, height: 960 }, ...options });
  await untilLearning(page);
  await setRunning(page, false);
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
  // The sentence beside the board is that of the agent's play until the board has shown it.
  await untilText(page.locator(".status-now"), /^You rolled/);
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

/** Makes all moves of a turn by clicks: always of the first movable checker, to its first target. */
async function clickMoves(page) {
  while (!(await button(page, "Finish turn").isEnabled())) {
    await page.mouse.click(...(await scrollTo(page, ".mark-source")));
    await page.locator(".mark-picked").waitFor();
    const target = (await page.locator(".mark-target").count()) > 0 ? ".mark-target" : ".mark-tray";
    await page.mouse.click(...(await scrollTo(page, target)));
  }
}

/** Plays a whole turn by clicks. */
async function clickTurn(page) {
  await clickMoves(page);
  await button(page, "Finish turn").click();
}

test("self-play can be watched at several speeds, and earlier turns reviewed", async () => {
  const page = await opened(hosts.isolated);
  assert.equal(await page.locator(".disc").count(), 30, "fifteen checkers for each side");
  assert.ok((await page.locator(".die").count()) >= 2);
  await button(page, "Fast").click();
  await until("some turns", async () => (await turns(page)) >= 5, { every: 50 });
  assert.match(
    await page.locator(".outlook").textContent(),
    /Light wins \d+%:\d+% single, .*equity: (Light leads by|Dark leads by|Both are level at) \d\.\d\d points a game.*Dark wins \d+%/,
  );
  assert.match(await page.locator(".candidate-name").first().textContent(), /\d|bar|^$/);

  await button(page, "Stop").click();
  await untilViews(page); // a turn may have been on its way
  const turnsBefore = await untilStill(page, () => turns(page));
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
  // The order is that of the equities, and the column says so; shares of the search have another order.
  assert.match(await text(".candidates-figure figcaption"), /^Best plays for (Light|Dark), highest equity first/);
  assert.match(await text(".candidate-head"), /^play, numbered from its side ?share of search \(bar\) ?equity ↓$/);
  const equities = await page.locator(".candidate:not(.none) .candidate-value").allTextContents();
  const sorted = equities.map((each) => Number(each.replace("−", "-")));
  assert.deepEqual(
    sorted,
    sorted.toSorted((a, b) => b - a),
  );
  await until("the search's moves are drawn", () => page.locator(".move-arrow").count());

  // Each column of the record says whose it is, and each row too, for screen readers.
  const heads = await page.locator(".moves-head").allInnerTexts();
  assert.deepEqual(heads, ["Light: dice, play", "Dark: dice, play"]);
  assert.match(await page.locator(".move").first().textContent(), /^(Light|Dark): \d-\d/);

  // The parts of the bar have their colours beside their numbers.
  const colours = (selector) =>
    page.locator(selector).evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor));
  const [bar, keys] = [await colours(".outlook-part"), await colours(".outlook-key")];
  // In the bar they lie from the left to the right, the triple wins at its ends.
  assert.deepEqual(keys, [...bar.slice(0, 3).reverse(), ...bar.slice(3)]);
  assert.equal(new Set(keys).size, 6);

  // The first evaluation comes with the first unit (training iteration). Its result has a margin of error.
  const firstEvaluated = () =>
    page.evaluate(() => {
      const { series } = globalThis.learnery;
      return series.units[series.column("points").findIndex(Number.isFinite)];
    });
  assert.equal(await until("an evaluation", firstEvaluated), 1);
  await until("its margin of error is shown", async () => /\d ± \d/.test(await text(".chart.large figcaption")));

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
  await until("the front shows the run", () => page.getByText(/^Your run: round \d/).isVisible());
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

  // A move by keys is made and taken back. An arrow key leads to the board, to the first checker that can move.
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.locator(".mark-picked").waitFor();
  await page.keyboard.press("Enter");
  await until("a checker has moved", async () => (await checkers(page)) !== checkersBefore);
  await page.keyboard.press("Backspace");
  await until("the move is taken back", async () => (await checkers(page)) === checkersBefore);

  await clickTurn(page);
  await until("an assessment", async () =>
    /^(Your|The agent thinks your) /.test(await page.locator(".status-verdict").textContent()),
  );
  await button(page, "Undo").click();
  await until("the turn is taken back", async () => (await turns(page)) === turnsBefore);
  await untilVisitorsTurn(page);
  await until("the checkers are where they were", async () => (await checkers(page)) === checkersBefore);
  await until("with the same roll", async () => (await status(page)) === statusBefore);

  // The same move once more, now by dragging the checker.
  await page.mouse.click(...(await scrollTo(page, ".mark-source")));
  await page.locator(".mark-target").first().waitFor();
  const [from, to] = [await centreOf(page, ".mark-picked"), await centreOf(page, ".mark-target")];
  await page.keyboard.press("Escape");
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2);
  await until("the checker is held", async () => (await page.locator(".disc.held").count()) === 1);
  await page.mouse.move(...to);
  await page.mouse.up();
  await until("the checker has moved", async () => (await checkers(page)) !== checkersBefore);
  await clickTurn(page);
  for (let turn = 0; turn < 2; turn++) {
    await untilVisitorsTurn(page);
    // What the agent has played is said to screen readers.
    await untilText(page.locator(".status-now"), /^You rolled .*\. The agent (played|could not move)/);
    await clickTurn(page);
  }
  await button(page, "New game").click();
  await until("a new game", async () => (await turns(page)) <= 1);

  await button(page, "Play the expert").click();
  await page.locator(".seat-name", { hasText: "The expert" }).waitFor();
  // The column beside the board speaks of the expert, and not of the agent in training.
  await page.locator(".story", { hasText: /^You play the expert, .* 0\.64 points a game/ }).waitFor();
  const goal = page.locator(".goal");
  await untilText(goal, /^The expert's score against pubeval0\.64points a game.*100,000 games/);
  await goal.locator(".chart").waitFor({ state: "hidden" });
  await page.locator(".phases").waitFor({ state: "hidden" });
  await until("no outlook", async () => (await page.locator(".story-outlook").textContent()) === "");
  await untilVisitorsTurn(page);
  await clickTurn(page);
  await until("an assessment by the expert", async () =>
    /^(Your|The expert thinks your) /.test(await page.locator(".status-verdict").textContent()),
  );
  await button(page, "Watch").click();
  await goal.locator(".chart").waitFor();
  await page.locator(".score-name", { hasText: "Score against pubeval" }).waitFor();
  await page.locator(".story", { hasNotText: "expert" }).waitFor();
  await page.assertNoErrors();
});

/** The centre on the screen of a point of the board in the dialog that sets up a position. */
async function pointInDialog(page, point) {
  const path = page
    .getByRole("dialog", { name: "Set up a position" })
    .locator("path.point")
    .nth(point - 1);
  await path.evaluate((node) => node.scrollIntoView({ block: "center" }));
  const box = await path.boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

const pressPoint = async (page, point) => page.mouse.click(...(await pointInDialog(page, point)));

/** Waits until the position of a link has been played from by a roll of 6 and 2, and checks it before that turn. */
async function assertShown(page) {
  await until("the turn of the link is played", async () => {
    const roll = page.locator(".move-dice").first();
    return (await roll.count()) > 0 && (await roll.textContent()) === "6-2";
  });
  assert.equal(await page.locator('.players [data-value="watch"]').getAttribute("aria-pressed"), "true");
  await page.locator(".move").first().click();
  assert.match(await status(page), /^Turn 1: Dark rolled 6 2 /);
  await until("its position is shown", async () => {
    const pips = await page.locator(".seat-figure:nth-child(3) .num").allTextContents();
    return pips.join() === "37,112";
  });
}

/** After a roll of 3 and 1: presses the dice, plays the 1 by a double press on a checker, and takes everything back. */
async function swapDice(page) {
  const dice = (read) =>
    page.locator(".die.south").evaluateAll((dice, read) => dice.map(new Function("die", read)), read);
  const pips = () => dice("return die.querySelectorAll('circle').length");
  const spent = () => dice("return die.classList.contains('spent')");
  assert.deepEqual(await pips(), [3, 1]);
  await page.locator(".die.south").first().click();
  assert.deepEqual(await pips(), [1, 3]);
  const checker = await scrollTo(page, ".mark-source");
  await page.mouse.click(...checker);
  await page.mouse.click(...checker);
  await until("the 1 is played", async () => (await spent()).join() === "true,false");
  await page.keyboard.press("Backspace");
  await until("it is taken back", async () => (await spent()).join() === "false,false");
  await page.keyboard.press("x");
  assert.deepEqual(await pips(), [3, 1]);
}

test("position is set up by hand and as an XGID, played from, and shown by a link", async () => {
  const page = await opened(hosts.isolated);
  await button(page, "Stop").click();
  await page.getByText("Matches and analysis").click();
  await button(page, "Set up a position").click();
  const dialog = page.getByRole("dialog", { name: "Set up a position" });
  await dialog.waitFor();
  const inDialog = (name) => dialog.getByRole("button", { name, exact: true });
  const press = (name) =>
    dialog
      .getByRole("group", { name: "What a press on the board does" })
      .getByRole("button", { name, exact: true })
      .click();
  const field = dialog.getByLabel("XGID");
  const counts = dialog.locator(".set-up-counts");
  const id = (checkers, side = 1) => `XGID=${checkers}:0:0:${side}:00:0:0:0:0:10`;

  // By hand: a checker is removed from point 6 and put on point 5, then a checker of the other side takes its place.
  await inDialog("Starting position").click();
  await inDialog("Random").click();
  await dialog.getByRole("group", { name: "Who rolls" }).getByRole("button").first().click();
  assert.equal(await field.inputValue(), id("-b----E-C---eE---c-e----B-"));
  await press("Remove");
  await pressPoint(page, 6);
  await until("a checker is removed", async () => (await field.inputValue()) === id("-b----D-C---eE---c-e----B-"));
  assert.equal(await counts.textContent(), "Light: 14 checkers, 161 pips. Dark: 15 checkers, 167 pips.");
  await press("Light");
  await pressPoint(page, 5);
  assert.equal(await field.inputValue(), id("-b---AD-C---eE---c-e----B-"));
  await pressPoint(page, 5);
  await dialog.getByText("All Light checkers are on the board.").waitFor();
  await press("Remove");
  await pressPoint(page, 1);
  await press("Dark");
  await pressPoint(page, 5);
  assert.equal(await field.inputValue(), id("-a---aD-C---eE---c-e----B-"));

  // By keys: the cursor begins on point 13, and the checker that is removed there is put beside it.
  await press("Light");
  await dialog.locator("svg.board").focus();
  await page.keyboard.press("ArrowRight");
  await dialog.getByText("Point 13: 5 Light checkers").waitFor({ state: "attached" });
  await page.keyboard.press("Delete");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await dialog.getByText("Point 14: 1 Light checker").waitFor({ state: "attached" });
  assert.equal(await field.inputValue(), id("-a---aD-C---eDA--c-e----B-"));

  // A side without checkers, and an XGID that is wrong, are told; the board keeps its state.
  await inDialog("Clear").click();
  await dialog.getByText("There are no checkers on the board.").waitFor();
  assert.ok(await inDialog("Play from here").isDisabled());
  await field.fill("XGID=-b----E-C---eE---c-e----B-:0:0:1:37:0:0:0:0:10");
  await dialog.getByText("“37” is not allowed for the dice").waitFor();
  assert.ok(await inDialog("Play from here").isDisabled());
  assert.match(await counts.textContent(), /^Light: 0 checkers/);

  // Light has two checkers on point 6 and one on the bar; both dice can be played.
  const position = "-bb---B-------------bb---A";
  await field.fill(`XGID=${position}:0:0:1:31:0:0:0:0:10`);
  await until("the board follows", async () => /^Light: 3 checkers, 37 pips\./.test(await counts.textContent()));
  await inDialog("Play the agent").click();
  await inDialog("Play from here").click();
  await dialog.waitFor({ state: "hidden" });
  await untilVisitorsTurn(page);
  assert.match(await status(page), /^You rolled 3 and 1\./);
  assert.deepEqual(await page.locator(".seat-figure:nth-child(3) .num").allTextContents(), ["37", "112"]);
  assert.equal(await turns(page), 0);
  await swapDice(page);
  await clickTurn(page);
  await until("the turn is recorded", async () => (await turns(page)) > 0);
  assert.equal(await page.locator(".move-dice").first().textContent(), "3-1");
  assert.match(await page.locator(".move-play").first().textContent(), /^bar\//);

  // A link shows the position to a new visitor, and on the open page. The agent plays both sides.
  const shown = `#/backgammon?show=${position}:0:0:-1:62:0:0:0:0:10`;
  const newcomer = await openPage(hosts.isolated, shown, { viewport: { width: 1280, height: 960 } });
  await assertShown(newcomer);
  await page.goto(page.address(shown));
  await assertShown(page);
  assert.doesNotMatch(page.url(), /show=/, "the address is that of the run again");

  // A position that the lab refuses is told below the board, and the game goes on.
  await page.goto(page.address("#/backgammon?show=nonsense"));
  await until("the refusal", async () =>
    /^The position: .*\.$/.test(await page.locator(".status-problem").textContent()),
  );
  // A lab without positions says that it ignores the link's part.
  await page.goto(page.address("#/logic?show=nonsense"));
  await untilTold(page, /“show” in this link is ignored\./);
  await untilLearning(page);
  await page.assertNoErrors();
  await newcomer.assertNoErrors();
});

test("board and buttons are in sight in low windows, and a press on the dice finishes a turn", async () => {
  const page = await opened(hosts.isolated, { viewport: { width: 1280, height: 720 } });
  await startGame(page);
  for (const [width, height] of [
    [1440, 900],
    [1366, 768],
    [1280, 720],
  ]) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => scrollTo(0, 0));
    const parts = { board: page.locator("svg.board"), finish: button(page, "Finish turn"), undo: button(page, "Undo") };
    for (const [name, part] of Object.entries(parts)) {
      await until(`${name} is above the tabs at ${width} × ${height}`, async () => {
        const [box, tabs] = [await part.boundingBox(), await page.locator(".tool-tabs").boundingBox()];
        return box.y >= 0 && box.y + box.height <= tabs.y;
      });
    }
  }
  const before = await turns(page);
  const die = page.locator(".die.south").first();
  await die.click(); // before the moves are made it swaps the dice
  assert.equal(await turns(page), before);
  await clickMoves(page);
  await page.locator(".board.turn-done").waitFor();
  await die.click();
  await until("the turn is played", async () => (await turns(page)) > before);
  await until("an assessment", async () =>
    /^(Your|The agent thinks your) /.test(await page.locator(".status-verdict").textContent()),
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

  // The board on which a position is set up is rotated too, and fits.
  await page.getByText("Matches and analysis").tap();
  await button(page, "Set up a position").tap();
  const dialog = page.getByRole("dialog", { name: "Set up a position" });
  const board = await dialog.locator("svg.board.standing").boundingBox();
  assert.ok(board.x >= 0 && board.x + board.width <= 390 && board.height > board.width);
  await dialog.getByRole("button", { name: "Starting position" }).tap();
  await dialog.getByRole("button", { name: "Remove" }).tap();
  await page.touchscreen.tap(...(await pointInDialog(page, 6)));
  await dialog.getByText("Light: 14 checkers, 161 pips.").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await page.setViewportSize({ width: 1200, height: 900 });
  await page.locator("svg.board:not(.standing)").waitFor();
  await page.assertNoErrors();
});

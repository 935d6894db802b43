// Backgammon by keys alone, as with a screen reader: everything is found in the accessibility tree by role and name. A
// game is played to its end, and what is announced in it is compared with the lab's record.

import assert from "node:assert/strict";
import { hosts, openPage, test, until } from "./harness.mjs";
import { setRunning, untilLearning } from "./lab.mjs";

/** The places as they lie on the board. */
const ROWS = [
  ["13", "14", "15", "16", "17", "18", "bar", "19", "20", "21", "22", "23", "24", "borne off"],
  ["12", "11", "10", "9", "8", "7", "bar", "6", "5", "4", "3", "2", "1", "borne off"],
];
const COUNTS = "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split(" ");
/** More presses of Tab than there are stops on the page. */
const MAX_STOPS = 200;
/** A game takes fewer turns of the visitor. */
const MAX_TURNS = 400;

const places = (page) => page.getByRole("listbox", { name: /^The board\./ }).getByRole("option");
const movable = (page) => places(page).and(page.getByRole("option", { name: /, can move$/ }));
const targets = (page) => places(page).and(page.getByRole("option", { name: /, possible target$/ }));
const picked = (page) => places(page).and(page.getByRole("option", { selected: true }));
const button = (page, name) => page.locator(".backgammon-view").getByRole("button", { name, exact: true });
const namesOf = (options) => options.evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
/** The place in the name of an item, as in `ROWS`. */
const placeOf = (name) => /^(?:point )?([^,]*)/.exec(name)[1];
/** A place in the middle of a sentence. */
const inSentence = (place) => (place === "bar" ? "the bar" : `point ${place}`);

/** Presses Tab, or Shift and Tab, until an element has the focus. */
async function tabTo(page, what, part, key = "Tab") {
  for (let press = 0; press < MAX_STOPS; press++) {
    if ((await part.and(page.locator(":focus")).count()) > 0) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${key} does not lead to ${what}`);
}

/** The name of the item that has the focus. */
async function focused(page) {
  const [name, ...others] = await namesOf(places(page).and(page.locator(":focus")));
  assert.ok(name !== undefined && others.length === 0, "an item of the board has the focus");
  return name;
}

/** Moves the focus to a place by arrow keys: along the row, then to the other one. */
async function walkTo(page, place) {
  const columnOf = (each) => ROWS.find((row) => row.includes(each)).indexOf(each);
  const steps = columnOf(place) - columnOf(placeOf(await focused(page)));
  for (let step = 0; step < Math.abs(steps); step++) await page.keyboard.press(steps > 0 ? "ArrowRight" : "ArrowLeft");
  if (placeOf(await focused(page)) !== place)
    await page.keyboard.press(ROWS[0].includes(place) ? "ArrowUp" : "ArrowDown");
  assert.equal(placeOf(await focused(page)), place);
}

/** Collects what is announced, each with the number of turns in the record at that time, and the lab's stage. */
const listen = (page) =>
  page.evaluate(() => {
    globalThis.heard = [];
    const status = document.querySelector(".status-now");
    const note = () => {
      const [now, last] = [...status.querySelectorAll(":scope > span")].map((part) => part.textContent);
      globalThis.heard.push({ now, last, turns: document.querySelectorAll(".move").length });
    };
    note();
    new MutationObserver(note).observe(status, { childList: true, characterData: true, subtree: true });
    globalThis.learnery.on("view", ({ stage }) => (globalThis.stage = stage));
  });

/** The state of the game in the lab. */
const stageOf = (page) => until("a view", () => page.evaluate(() => globalThis.stage));
/** The sentence that is announced now. */
const status = (page) => page.locator(".status-now > span").first().textContent();
const turns = (page) => page.locator(".move").count();
const isOver = async (page) => /wins? (the game|a gammon|a backgammon): [123] points?\.$/.test(await status(page));

/** Before a visitor's turn: the names of all points say what lies on them in the lab. */
async function assertNames(page) {
  const { board } = await stageOf(page);
  const expected = board.slice(1, 25).map((count, i) => {
    const whose = count > 0 ? "of yours" : "of the agent's";
    return `point ${i + 1}, ${count === 0 ? "empty" : `${COUNTS[Math.abs(count)]} ${whose}`}`;
  });
  const names = new Map((await namesOf(places(page))).map((name) => [placeOf(name), name]));
  const shown = expected.map((_, i) => names.get(String(i + 1)).replace(/, (can move|possible target)$/, ""));
  assert.deepEqual(shown, expected);
}

/** Picks up the checker of a place, and puts it down on the target that has the focus then, or on the last one. */
async function move(page, source, { toLast = false, key = "Enter" } = {}) {
  await walkTo(page, source);
  await page.keyboard.press(key);
  if (toLast) await walkTo(page, placeOf((await namesOf(targets(page))).at(-1)));
  const name = await focused(page);
  assert.match(name, /, possible target$/);
  await page.keyboard.press(key);
  const target = placeOf(name);
  const moved =
    target === "borne off"
      ? `Bore off from ${inSentence(source)}.`
      : `Moved from ${inSentence(source)} to ${inSentence(target)}.`;
  await until(`“${moved}” is announced`, async () => {
    const said = await page.locator(".status-text [aria-live=assertive]").textContent();
    return said.startsWith(moved) && /^( Hit on point \d+\.)*$/.test(said.slice(moved.length));
  });
}

/** Moves while a checker can move. */
async function moveAll(page, options) {
  for (;;) {
    const [name] = await namesOf(movable(page));
    if (name === undefined) return;
    await move(page, placeOf(name), options);
  }
}

/** The first turn, with a checker put back, a move undone, and its end by the button. */
async function playFirstTurn(page) {
  await tabTo(page, "the board", places(page));
  assert.match(await focused(page), /, can move$/);
  const stroke = await page.locator(".board-place:focus").evaluate((node) => getComputedStyle(node).stroke);
  assert.notEqual(stroke, "none", "the place that has the focus is outlined");
  await page.keyboard.press("Tab");
  assert.equal(await places(page).and(page.locator(":focus")).count(), 0, "the board is one stop");
  await page.keyboard.press("Shift+Tab");

  const before = await namesOf(places(page));
  const source = placeOf(await focused(page));
  assert.equal(await picked(page).count(), 0);
  await page.keyboard.press("Space");
  assert.deepEqual((await namesOf(picked(page))).map(placeOf), [source]);
  assert.match((await namesOf(picked(page)))[0], /, picked up$/);
  assert.ok((await targets(page).count()) > 0);
  await page.keyboard.press("Escape");
  assert.equal(placeOf(await focused(page)), source);
  assert.deepEqual(await namesOf(places(page)), before, "the checker is back");
  await page.getByText(`Put back on ${inSentence(source)}.`).waitFor({ state: "attached" });

  await move(page, source, { key: "Space" });
  await tabTo(page, "the button", button(page, "Undo"));
  await page.keyboard.press("Enter");
  await until("the move is undone", async () => String(await namesOf(places(page))) === String(before));
  await tabTo(page, "the board", places(page), "Shift+Tab");
  await moveAll(page, { toLast: true });
  await tabTo(page, "the button", button(page, "Finish turn"));
  await page.keyboard.press("Enter");
}

/** Compares what was announced with the record of the game. Returns the turns whose roll was announced. */
function compared(heard, { record, first }) {
  const lines = record.split("\n");
  const who = (turn) => ((first + turn) % 2 === 0 ? "You" : "The agent");
  const rolls = new Set();
  const plays = new Set();
  for (const { now, last, turns } of heard) {
    const roll = /^(You|The agent) rolled (?:double (\d)|(\d) and (\d))/.exec(now);
    if (roll) {
      const dice = [roll[2] ?? roll[3], roll[2] ?? roll[4]].sort();
      assert.deepEqual(
        [roll[1], ...dice],
        [who(turns), ...[...lines[turns].slice(0, 2)].sort()],
        `turn ${turns}: ${now}`,
      );
      rolls.add(turns);
    }
    if (turns === 0) continue;
    const play = /^(You|The agent) (?:played (.*)|could not move)\.$/.exec(last);
    assert.ok(play, `a play is announced: “${last}”`);
    assert.deepEqual([play[1], play[2] ?? "(no play)"], [who(turns - 1), lines[turns - 1].slice(3)]);
    plays.add(turns - 1);
  }
  return { rolls, plays, turns: lines.length };
}

test("whole game is played by keys alone, and every announced roll and play is that of the record", async () => {
  const page = await openPage(hosts.isolated, "#/backgammon", { viewport: { width: 1280, height: 960 } });
  await untilLearning(page);
  await setRunning(page, false); // a game needs no training
  // The agent's turns have the speed of the watched game.
  await tabTo(page, "the speed of the game", button(page, "Fast"));
  await page.keyboard.press("Enter");
  const players = page.getByRole("group", { name: "Players" });
  await tabTo(page, "the players", players.getByRole("button", { name: /^Play the agent/ }), "Shift+Tab");
  await page.keyboard.press("Enter");
  await until("the visitor's turn", () => movable(page).count());
  await listen(page);

  const visitorsTurns = [];
  const untilMovableOrOver = () =>
    until("a turn or the end", async () =>
      (await isOver(page)) ? "over" : (await movable(page).count()) > 0 && "turn",
    );
  while ((await untilMovableOrOver()) === "turn") {
    const before = await turns(page);
    visitorsTurns.push(before);
    assert.ok(visitorsTurns.length < MAX_TURNS);
    await assertNames(page);
    if (visitorsTurns.length === 1) await playFirstTurn(page);
    else {
      // A finished turn may leave the focus on a button that cannot be pressed any more.
      await tabTo(page, "the board", places(page), "Shift+Tab");
      await moveAll(page);
      await page.keyboard.press("Enter");
    }
    await until("the turn is recorded", async () => (await turns(page)) > before);
  }

  const stage = await until("the end in the lab", async () => {
    const stage = await stageOf(page);
    return stage.result !== 0 && stage;
  });
  const won = stage.result > 0;
  const result = ["", "the game: 1 point", "a gammon: 2 points", "a backgammon: 3 points"][Math.abs(stage.result)];
  assert.equal(await status(page), won ? `You win ${result}.` : `The agent wins ${result}.`);
  const off = (await namesOf(places(page))).find((name) => name.startsWith("borne off"));
  assert.ok(off.includes(won ? "fifteen of yours" : "fifteen of the agent's"), off);

  const { rolls, plays, turns: played } = compared(await page.evaluate(() => globalThis.heard), stage);
  assert.equal(played, await turns(page));
  for (const turn of visitorsTurns) {
    assert.ok(rolls.has(turn), `the roll of turn ${turn} was announced`);
    assert.ok(turn === 0 || plays.has(turn - 1), `the agent's play of turn ${turn - 1} was announced`);
  }
  assert.ok(plays.has(played - 1), "the last play was announced");
  assert.ok(
    visitorsTurns.some((turn) => plays.has(turn)),
    "plays of the visitor were announced",
  );
  await page.assertNoErrors();
});

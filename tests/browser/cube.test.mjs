// The cube lab: the cube on the page can be turned by mouse, touch and keys, the lab's own cube in the worker follows,
// the learner solves it, and the columns that show the solved states by their distance from solved fill.

import assert from "node:assert/strict";
import { at, drag, restFinger } from "./drawn-cube.mjs";
import { hosts, openPage, test, until } from "./harness.mjs";
import { SMALL_CUBE, openTool, state, untilLearning, untilText, untilViews } from "./lab.mjs";

const SOLVED = "UUUURRRRFFFFDDDDLLLLBBBB";

/** The cube's colours in words, as it is held on the page: "up: white …". */
const net = (page) => page.locator(".net").getAttribute("aria-label");
/** A number shown beside the cube, such as the lab's distance. */
const readout = async (page, name) =>
  Number(await page.locator(".cube-stage .stage-facts div", { hasText: name }).locator("dd").textContent());
/** The drawing of the cube, to be compared. */
const drawn = (page) =>
  page.evaluate(() => [...document.querySelectorAll(".cube-svg path")].map((p) => p.getAttribute("d")).join());

/** Opens the lab as a fresh visitor, with the small network. */
async function openCube(host, options) {
  const page = await openPage(host, SMALL_CUBE, options);
  await untilLearning(page);
  await page.locator(".cube-svg path").first().waitFor({ state: "attached" });
  return page;
}

/** Takes over from the automatic play and places a solved cube. */
async function placed(page) {
  await page.keyboard.press("u");
  await page.evaluate((stickers) => globalThis.learnery.command({ type: "place", stickers }), SOLVED);
  await until("the lab's cube is solved", async () => (await readout(page, "distance")) === 0);
  await until("the page's cube is solved", async () => (await net(page)).includes("up: white white white white"));
}

test("faces turn by key, and the lab follows in every orientation of the cube", async () => {
  const page = await openCube(hosts.isolated);
  await placed(page);
  const solved = await net(page);
  await page.keyboard.press("r");
  // The right column of the front face is on top now.
  await until("the right face turned", async () => (await net(page)).includes("up: white green white green"));
  await until("the lab has received the turn", async () => (await readout(page, "distance")) === 1);
  for (const key of ["u", "l", "f", "x", "d", "b"]) await page.keyboard.press(key);
  await until("the lab has received more turns", async () => (await readout(page, "distance")) > 1);
  // If the lab's cube differed, its next views would replace the page's.
  await untilViews(page, 3);
  const turned = await net(page);
  await untilViews(page, 10);
  assert.equal(await net(page), turned, "the lab and the page agree");
  for (const key of ["B", "D", "X", "F", "L", "U", "R"]) await page.keyboard.press(`Shift+${key}`);
  await until("all turns are undone", async () => (await net(page)) === solved);
  await until("they are undone in the lab too", async () => (await readout(page, "distance")) === 0);
  await page.locator(".cube-end.shown", { hasText: "You solved it" }).waitFor();
  await untilViews(page, 3);
  assert.equal(await net(page), solved);
  await page.assertNoErrors();
});

test("drag on a face turns a layer, beside it the whole cube; bars are buttons", async () => {
  const page = await openCube(hosts.isolated);
  await placed(page);
  const before = await net(page);
  // From a sticker of the front face to the right, along its row; then beside the cube.
  await drag(page, [-70, 10], [60, 60]);
  await until("a layer has turned", async () => (await readout(page, "distance")) === 1);
  await until("it has turned on the page", async () => (await net(page)) !== before);
  const turned = await net(page);
  const look = await drawn(page);
  await drag(page, [-185, 100], [-45, 100]);
  await until("the whole cube has another orientation", async () => (await net(page)) !== turned);
  await until("it is drawn", async () => (await drawn(page)) !== look);
  assert.equal(await readout(page, "distance"), 1);

  const made = await readout(page, "turns made");
  const bar = page.locator(".turn-value", { hasText: "F′" });
  await untilText(bar.locator(".turn-value-number"), /^\d+\.\d$/);
  await bar.click();
  await until("the button has turned a layer", async () => (await readout(page, "turns made")) === made + 1);
  await page.assertNoErrors();
});

test("cube is scrambled and solved by the learner, and all states are counted", async () => {
  const page = await openCube(hosts.isolated);
  await placed(page);
  await page.locator(".cube-scramble input").fill("2");
  await page.getByRole("button", { name: "Scramble", exact: true }).click();
  await until("it is scrambled", async () => (await readout(page, "distance")) === 2);
  await page.getByRole("button", { name: "Solve with the agent" }).click();
  const ended = page.locator(".cube-end.shown", { hasText: /^(Solved in|Not solved: after) \d+ turns?/ });
  await ended.waitFor();

  await page.locator(".remark", { hasText: /the agent solves [\d.]+%/ }).waitFor();
  const columns = page.getByRole("listitem").and(page.locator(".distance"));
  assert.equal(await columns.count(), 15, "no state is farther than 14 quarter turns from solved");
  assert.equal(await columns.nth(11).locator(".distance-count").textContent(), "1.4\u202fM", "states at distance 11");
  await page.mouse.move(0, 0);
  await columns.nth(3).focus();
  await untilText(page.locator(".remark"), /^120 states 3 turns from solved: the agent solves \d+ of them/);
  const here = page.locator(".distance.here .distance-turns");
  await until(
    "the column of the cube",
    async () => (await here.textContent()) === String(await readout(page, "distance")),
  );
  await untilText(page.locator(".level"), /scrambles of up to \d+ turns/);
  await columns.nth(7).click();
  await until("a state of that column", async () => (await readout(page, "distance")) === 7);
  const closer = page.locator(".turn-value.closer");
  await until("the turns that lead closer are marked", async () => (await closer.count()) > 0);
  await closer.first().click();
  await until("such a turn has led closer", async () => (await readout(page, "distance")) === 6);

  await page.getByRole("link", { name: "Learnery" }).click();
  await page.getByText(/^Your run: iteration \d/).waitFor();
  await page.assertNoErrors();
});

test("picture that says that a cube was not solved does not say that the goal is reached", async () => {
  const page = await openCube(hosts.isolated);
  await page.keyboard.press("Space"); // as it is now, the network solves next to nothing
  await placed(page);
  const pill = page.locator(".solved-pill");
  await pill.evaluate((element) => (element.hidden = false));
  const visibility = () => pill.evaluate((element) => getComputedStyle(element).visibility);
  assert.equal(await visibility(), "visible");
  await page.locator(".cube-stage .check", { hasText: "Repeat" }).click();
  // Both are read at one moment, because the sentence disappears when the next attempt begins.
  const whileNotSolved = await page.waitForFunction(() => {
    const text = document.querySelector(".cube-end.bad.shown")?.textContent ?? "";
    if (!/^(Not solved: after|Stopped after) \d+ turns/.test(text)) return null;
    return getComputedStyle(document.querySelector(".solved-pill")).visibility;
  });
  assert.equal(await whileNotSolved.jsonValue(), "hidden");
  await page.assertNoErrors();
});

test("trained network is introduced, evaluated at once, and solves distant states", async () => {
  const page = await openCube(hosts.isolated);
  // It is introduced until the evaluation has ended, which does not take long.
  await page.evaluate(() => {
    globalThis.stories = [];
    const note = () => globalThis.stories.push(document.querySelector(".story")?.textContent);
    new MutationObserver(note).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
  await page.getByRole("button", { name: "Load a trained network" }).click();
  const remark = page.locator(".remark", { hasText: /^All 3,674,160 states: the agent solves 100%/ });
  await remark.waitFor();
  const stories = await page.evaluate(() => globalThis.stories);
  const introduction =
    "This network was trained before, for 48 seconds on one core. It solved all of the 3,674,160 states";
  assert.ok(stories.some((story) => story?.startsWith(introduction)));
  await page.locator(".story", { hasText: /^Goal reached: it solves 100% of all states\./ }).waitFor();
  await page.keyboard.press("u");
  await page.getByRole("listitem").and(page.locator(".distance")).nth(12).click();
  await until("a state of that column", async () => (await readout(page, "distance")) === 12);
  await page.getByRole("button", { name: "Solve with the agent" }).click();
  await page.locator(".cube-end.shown", { hasText: "Solved in 12 turns, the fewest possible" }).waitFor();
  // Nothing says how the network was trained, so no link, command or recipe claims to repeat the run.
  await openTool(page, "Share and save");
  await page.getByText("To give this agent to somebody, send the file that “Save checkpoint” makes").waitFor();
  for (const id of ["share-link", "share-command", "share-stop"])
    assert.equal(await page.locator(`#${id}`).isVisible(), false, id);
  assert.equal(await page.getByRole("link", { name: "Put this run on your page" }).isVisible(), false);
  await page.getByRole("button", { name: "Save recipe" }).click();
  await page.getByText("nothing says how that was trained").waitFor();
  await page.getByRole("button", { name: "Make a link to this moment" }).click();
  await page.getByText("send the file that “Save checkpoint” below makes").waitFor();
  await page.assertNoErrors();
});

test("what the visitor has done while the run is paused is not suggested", async () => {
  const page = await openCube(hosts.isolated);
  // This network reaches the goal in its first evaluation, after which the run is paused.
  await page.getByRole("button", { name: "Load a trained network" }).click();
  const hardest = page.locator(".solved-next").getByRole("button", { name: "Give it one of the hardest cubes" });
  await hardest.waitFor();
  await until("it is paused", async () => !(await state(page)).running);
  const { units } = await state(page);
  await page.keyboard.press("u"); // ends the automatic play
  const columns = page.getByRole("listitem").and(page.locator(".distance"));
  await columns.last().click();
  await hardest.waitFor({ state: "detached" });
  await columns.nth(7).click();
  await hardest.waitFor();
  assert.equal((await state(page)).units, units);
  await page.assertNoErrors();
});

test("cube on a phone is turned by finger, and nothing overflows sideways", async () => {
  const page = await openCube(hosts.plain, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await placed(page);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  await page.locator(".cube-svg").scrollIntoViewIfNeeded();
  const client = await page.context().newCDPSession(page);
  const touch = async (type, point) => {
    const touchPoints = point ? [{ x: point[0], y: point[1] }] : [];
    await client.send("Input.dispatchTouchEvent", { type, touchPoints });
  };
  await touch("touchStart", await at(page, -70, 10));
  for (let i = 1; i <= 10; i++) await touch("touchMove", await at(page, -70 + 13 * i, 10 + 5 * i));
  await restFinger(page);
  await touch("touchEnd");
  await until("a layer has turned", async () => (await readout(page, "distance")) === 1);
  assert.equal((await state(page)).bundle, "simple");
  await page.assertNoErrors();
});

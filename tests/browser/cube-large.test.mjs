// The 3x3x3 in the cube lab: the cube on the page is turned, scrambled and entered, the lab's own cube follows and
// refuses impossible ones, the agent solves it by searches, and its solution is played turn by turn.

import assert from "node:assert/strict";
import { drag } from "./drawn-cube.mjs";
import { hosts, openPage, test, until } from "./harness.mjs";
import { SMALL_CUBE, untilLearning, untilStill, untilText, untilTold, untilViews } from "./lab.mjs";

const SOLVED = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
/** After the turns R U F'. */
const SCRAMBLED = "UUUUUUURRBBBDRRDRRRDDRFFRFFDLLDDBDDBFFFLLFLLFLLLUBBUBB";
/** The solved cube with one corner twisted on its own. */
const TWISTED = "UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
/** Drawn uniformly from all states: the first of `learnery cube eval` with the seed 0. */
const RANDOM = "RDUUURFULFBLBRBBDBURDFFLRFRURDDDRDLLDLRULLLBBFFFUBFUDB";
/** The 3x3x3 on a small network, so that it learns fast and is evaluated soon. */
const LARGE_CUBE =
  "#/cube?puzzle=3x3x3&learner=cayleypy&hidden_1=16&hidden_2=0&batch=64&updates=10&scramble=6" +
  "&judge_every=1&evaluate_states=2&evaluate_beam=16&evaluate_scramble=2";

/** The cube's colours in words: "up: white …". */
const net = (page) => page.locator(".cube3-net .net").getAttribute("aria-label");
/** A number shown beside the cube. */
const readout = async (page, name) =>
  Number(await page.locator(".cube3-stage .stage-facts div", { hasText: name }).locator("dd").textContent());
const dialog = (page) => page.getByRole("dialog", { name: "Enter your own cube" });
const field = (page) => page.getByLabel(/54 letters, face by face/);
/** Whether each face has one colour. */
const isSolved = async (page) => {
  const faces = (await net(page)).match(/: [a-z ]+/g);
  assert.equal(faces.length, 6);
  return faces.every((face) => new Set(face.slice(2).split(" ")).size === 1);
};

/** Opens the lab as a fresh visitor, with the small network. */
async function openLarge(host, options) {
  const page = await openPage(host, LARGE_CUBE, options);
  await untilLearning(page);
  await page.locator(".cube3-stage .cube-svg path").first().waitFor({ state: "attached" });
  return page;
}

/** Enters a cube as 54 letters. */
async function enter(page, stickers) {
  await page.getByRole("button", { name: "Enter your own cube" }).click();
  await field(page).fill(stickers);
  await page.getByRole("button", { name: "Use this cube" }).click();
  await dialog(page).waitFor({ state: "detached" });
}

test("own cube is entered, refused with a reason if it is impossible, and solved turn by turn", async () => {
  const page = await openLarge(hosts.isolated);
  await page.getByRole("button", { name: "Enter your own cube" }).click();
  const problem = dialog(page).getByRole("alert").first();
  await field(page).fill("UUU");
  await dialog(page).getByText("this text has 3 letters").waitFor();
  assert.equal(await page.getByRole("button", { name: "Use this cube" }).isDisabled(), true);
  await field(page).fill(TWISTED);
  await page.getByRole("button", { name: "Use this cube" }).click();
  await until("the twisted corner is named", async () => /corner is twisted/.test(await problem.textContent()));

  // By painting: one sticker too many of a colour.
  await page.getByRole("button", { name: "Reset to solved" }).click();
  assert.equal(await field(page).inputValue(), SOLVED);
  await dialog(page).getByRole("button", { name: /red/ }).and(page.locator(".cube3-colour")).click();
  await dialog(page).getByRole("button", { name: "Front, row 1, column 1: green" }).click();
  await dialog(page).getByText("10 of 9").waitFor();
  await page.getByRole("button", { name: "Use this cube" }).click();
  await until("the lab refuses it", async () => /10 stickers are red; expected 9/.test(await problem.textContent()));
  // By keys: a letter of a face, or its number in the order U R F D L B, gives the sticker in focus the face's colour.
  const sticker = dialog(page).getByRole("button", { name: "Front, row 1, column 1: red" });
  await sticker.focus();
  await page.keyboard.press("f");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("1");
  await dialog(page).getByRole("button", { name: "Front, row 1, column 2: white" }).waitFor();
  await page.keyboard.press("3");
  assert.equal(await field(page).inputValue(), SOLVED);

  await field(page).fill(SCRAMBLED.toLowerCase());
  await page.getByRole("button", { name: "Use this cube" }).click();
  await dialog(page).waitFor({ state: "detached" });
  await until("it is shown", async () =>
    (await net(page)).startsWith(`The cube unfolded. up: ${"white ".repeat(7)}red red;`),
  );

  await page.getByRole("button", { name: "Solve with the agent" }).click();
  await until("there is a solution", async () => (await page.locator(".cube3-turns li").count()) > 0);
  await untilText(page.locator(".cube3-search"), /^Best solution so far: \d+ turns?, after \d+ search/);
  await until("the search is shown", async () =>
    /^Depth \d+: /.test(await page.locator(".cube3-beam-figure .remark").textContent()),
  );
  // A turn of the solution ends the search, so that the solution stays the same.
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await until("the first turn is made", async () => (await readout(page, "turns made")) > 0);
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await until("it is taken back", async () => (await readout(page, "turns made")) === 0);
  // A half turn is one item of the list, and two turns.
  const listed = await page.locator(".cube3-turns li").allTextContents();
  const length = await readout(page, "solution length");
  let made = 0;
  for (const [i, name] of listed.entries()) {
    assert.notEqual(name, listed[i - 1], "two equal turns are one half turn");
    made += name.endsWith("2") ? 2 : 1;
    await page.keyboard.press("n");
    await until(`${name} is made`, async () => (await readout(page, "turns made")) === made);
    await until("it is marked", async () => (await page.locator(".cube3-turns .made").count()) === i + 1);
  }
  assert.equal(made, length);
  await page.locator(".cube-end.shown", { hasText: `Solved in ${length} turn` }).waitFor();
  assert.ok(await isSolved(page));
  await page.assertNoErrors();
});

/** Presses "Use this cube", and types another text before the lab can have answered. */
function useAndType(page, text) {
  return page.evaluate((text) => {
    const dialog = document.querySelector("dialog.cube3-enter");
    [...dialog.querySelectorAll("button")].find(({ textContent }) => textContent === "Use this cube").click();
    const field = dialog.querySelector("#cube3-enter-text");
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }, text);
}

test("what is typed while the lab answers stays in the dialog, without the answer to the cube before", async () => {
  const page = await openLarge(hosts.isolated);
  await page.getByRole("button", { name: "Enter your own cube" }).click();
  await field(page).fill(SCRAMBLED);
  await useAndType(page, SOLVED);
  await until("the lab has placed the first cube", async () => (await net(page)).includes("white red red;"));
  assert.equal(await field(page).inputValue(), SOLVED);

  await field(page).fill(TWISTED);
  const refusal = page.evaluate(
    () =>
      new Promise((resolve) => {
        globalThis.learnery.on("refused", ({ message }) => resolve(message));
      }),
  );
  await useAndType(page, SCRAMBLED);
  assert.match(await refusal, /corner is twisted/);
  assert.deepEqual(await dialog(page).getByRole("alert").allTextContents(), ["", ""]);
  assert.equal(await field(page).inputValue(), SCRAMBLED);
  await page.assertNoErrors();
});

test("cube is scrambled and its solution played, and the network's predictions and the evaluation are shown", async () => {
  const page = await openLarge(hosts.isolated);
  await enter(page, SOLVED);
  await page.locator(".cube-scramble input").fill("2");
  await page.getByRole("button", { name: "Scramble", exact: true }).click();
  await until("it is scrambled", async () => !(await isSolved(page)));
  await page.keyboard.press("g");
  await until("there is a solution", async () => (await page.locator(".cube3-turns li").count()) > 0);
  await page.keyboard.press("m");
  await page.locator(".cube-end.shown", { hasText: /^Solved in \d+ turns?/ }).waitFor();
  assert.ok(await isSolved(page));

  const chart = page.locator(".cube3-guess");
  assert.match(await chart.getAttribute("aria-label"), /1: [\d.−]+, 5: .* 30: [\d.−]+\.$/);
  const solved = page.locator(".cube3-tested-facts dd").first();
  await until("there is an evaluation", async () => /^[\d.]+%$/.test(await solved.textContent()));
  await page.assertNoErrors();
});

test("trained network solves a random state", async () => {
  const page = await openLarge(hosts.isolated);
  await page.getByRole("button", { name: "Load a trained network" }).click();
  await untilTold(page, /^Opened /);
  // It is introduced with what was measured, beside the cube and below it.
  await page.locator(".story", { hasText: "it solved all of 1,000 random states, in 22.2 quarter turns" }).waitFor();
  await untilText(page.locator(".goal"), /^Random states solved100%Measured before, .* 22\.16 ± 0\.08/);
  await page.locator(".cube3-tested", { hasText: "Measured before" }).waitFor();
  const tested = () => page.locator(".cube3-tested-facts dd").allTextContents();
  await until("what was measured", async () => (await tested()).join() === "100%,22.2");
  await enter(page, RANDOM);
  await page.keyboard.press("g");
  await until("there is a solution", async () => (await page.locator(".cube3-turns li").count()) > 0);
  await page.keyboard.press("g"); // stops the search, so that the solution stays the same
  await page.getByRole("button", { name: "Fast", exact: true }).click();
  await page.keyboard.press("m");
  await page.locator(".cube-end.shown", { hasText: /^Solved in \d+ turns/ }).waitFor();
  assert.ok(await isSolved(page));
  await page.assertNoErrors();
});

test("faces turn by key and by drag, the view rotates, and the lab follows", async () => {
  const page = await openLarge(hosts.isolated);
  await enter(page, SOLVED);
  const solved = await net(page);
  await page.keyboard.press("r");
  await until("the right face turned", async () =>
    (await net(page)).includes("up: white white green white white green"),
  );
  // x rotates the whole cube, so that the next turns are of other faces.
  for (const key of ["u", "l", "f", "x", "d", "b"]) await page.keyboard.press(key);
  // The third view shows all turns. If the lab's cube differed, views after it would replace the page's.
  await untilViews(page, 3);
  const turned = await net(page);
  await untilViews(page, 10);
  assert.equal(await net(page), turned, "the lab and the page agree");
  for (const key of ["B", "D", "X", "F", "L", "U", "R"]) await page.keyboard.press(`Shift+${key}`);
  await until("all turns are undone", async () => (await net(page)) === solved);
  await page.locator(".cube-end.shown", { hasText: "You solved it" }).waitFor();
  const drawn = () =>
    page.evaluate(() => [...document.querySelectorAll(".cube-svg path")].map((path) => path.getAttribute("d")).join());
  const look = await untilStill(page, drawn); // the cube spins when it is solved
  // From and to, in pixels from the middle of the cube. First on a sticker, which turns a layer; then beside the cube,
  // which rotates the view.
  await drag(page, [-95, -25], [40, 15]);
  await until("a layer has turned", async () => (await net(page)) !== solved);
  const dragged = await net(page);
  await drag(page, [-185, 120], [-45, 120]);
  await until("the view has rotated", async () => (await drawn()) !== look);
  await untilViews(page, 3);
  assert.equal(await net(page), dragged, "the view is no turn");
  await page.locator(".cube-surface").focus();
  await page.keyboard.press("ArrowLeft");
  await untilViews(page, 3);
  assert.equal(await net(page), dragged);
  await page.assertNoErrors();
});

test("screen of the 3x3x3 is loaded when a run needs it, and goes with the run", async () => {
  const page = await openPage(hosts.plain, SMALL_CUBE);
  await untilLearning(page);
  const loadedLarge = () => page.loaded().some((file) => /\/screen-[^/]*\.js$/.test(file));
  assert.equal(loadedLarge(), false);
  await page.evaluate((hash) => void (location.hash = hash), LARGE_CUBE);
  await page.locator(".cube3-view").waitFor();
  await page.locator(".cube-view").waitFor({ state: "detached" });
  assert.equal(loadedLarge(), true);
  await untilLearning(page);
  await page.evaluate((hash) => void (location.hash = hash), SMALL_CUBE);
  await page.locator(".cube-view .turn-value").first().waitFor();
  await page.locator(".cube3-view").waitFor({ state: "detached" });
  await page.assertNoErrors();
});

/** A card above the picture, which chooses the cube. */
const card = (page, name) => page.getByRole("radiogroup", { name: "Cube" }).getByRole("radio", { name });
const untilChosen = (page, name) =>
  until(`the card ${name} is chosen`, () =>
    card(page, name)
      .and(page.getByRole("radio", { checked: true }))
      .count(),
  );
const puzzle = (page) => page.evaluate(() => globalThis.learnery.settings.puzzle);
const hasFocus = async (part) => assert.equal(await part.evaluate((node) => node === document.activeElement), true);

test("cards choose the puzzle and a cube of one's own by keys, and no dial does", async () => {
  const page = await openPage(hosts.isolated, SMALL_CUBE, { viewport: { width: 1280, height: 900 } });
  await untilLearning(page);
  await untilChosen(page, /^2x2x2/);
  assert.equal(await page.locator("#dial-puzzle").count(), 0);
  await card(page, /^2x2x2/).focus();
  await page.keyboard.press("ArrowRight");
  await hasFocus(card(page, /^3x3x3/));
  assert.equal(await puzzle(page), "2x2x2", "an arrow key begins no run");
  await page.keyboard.press("Enter");
  await until("the 3x3x3", async () => (await puzzle(page)) === "3x3x3");
  await untilChosen(page, /^3x3x3/);
  await page.locator(".cube3-stage .cube-svg path").first().waitFor({ state: "attached" });
  await until("the link has the puzzle", () => page.url().includes("puzzle=3x3x3"));

  await page.keyboard.press("ArrowRight");
  await hasFocus(card(page, /^Your cube/));
  await page.keyboard.press("Space");
  await field(page).fill(SCRAMBLED);
  await page.getByRole("button", { name: "Use this cube" }).click();
  await dialog(page).waitFor({ state: "detached" });
  await untilChosen(page, /^Your cube/);
  await until("it is shown", async () =>
    (await net(page)).startsWith(`The cube unfolded. up: ${"white ".repeat(7)}red red;`),
  );
  const own = await net(page);
  await card(page, /^3x3x3/).click(); // a scrambled cube again, in the same run
  await untilChosen(page, /^3x3x3/);
  await until("another cube is shown", async () => (await net(page)) !== own);

  await card(page, /^2x2x2/).click();
  await until("the 2x2x2", async () => (await puzzle(page)) === "2x2x2");
  await untilChosen(page, /^2x2x2/);
  // From the 2x2x2, the trained network of the 3x3x3 is loaded for the visitor's cube.
  await card(page, /^Your cube/).click();
  await dialog(page).waitFor();
  assert.equal(await puzzle(page), "3x3x3");
  await page.locator(".story", { hasText: "solved all of 1,000 random states" }).waitFor();
  await page.keyboard.press("Escape");
  await untilChosen(page, /^3x3x3/);

  await page.setViewportSize({ width: 375, height: 812 });
  const names = page.getByRole("radiogroup", { name: "Cube" }).locator(".choice-name");
  const cut = await names.evaluateAll((all) => all.filter((name) => name.scrollWidth > name.clientWidth).length);
  assert.equal(cut, 0, "names are cut on a phone");
  const tops = await names.evaluateAll((all) => new Set(all.map((name) => name.getBoundingClientRect().top)).size);
  assert.equal(tops, 1, "the cards stand in a row");
  await page.assertNoErrors();
});

test("cube of one's own is taken back while the network for it is loaded", async () => {
  const page = await openPage(hosts.isolated, SMALL_CUBE);
  await untilLearning(page);
  const network = /\/cube3[^/]*\.safetensors$/;
  /** The requests, which are answered when the test says so. */
  const held = [];
  await page.context().route(network, (route) => void held.push(route));
  const text = page.locator(".cube-own-text");
  await card(page, /^Your cube/).click();
  await untilChosen(page, /^Your cube/);
  await until("the network is asked for", () => held.length === 1);
  await untilText(text, /^Loading the trained network/);
  // The request ends without an answer, so there is nothing that could be opened.
  const ended = page.waitForEvent("requestfailed", (request) => network.test(request.url()));
  await card(page, /^2x2x2/).click();
  await ended;
  await untilChosen(page, /^2x2x2/);
  assert.equal(await text.textContent(), "");
  assert.equal(await puzzle(page), "2x2x2");

  // It can be asked for again.
  await card(page, /^Your cube/).click();
  await until("the network is asked for again", () => held.length === 2);
  await held[1].continue();
  await dialog(page).waitFor();
  assert.equal(await puzzle(page), "3x3x3");
  await page.assertNoErrors();
});

test("cube is painted by finger on a phone, and nothing overflows sideways", async () => {
  const page = await openLarge(hosts.plain, { viewport: { width: 390, height: 844 }, hasTouch: true });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  await page.getByRole("button", { name: "Enter your own cube" }).click();
  await dialog(page).waitFor();
  assert.equal(await dialog(page).evaluate((node) => node.scrollWidth - node.clientWidth), 0);
  const sizes = await page.locator(".cube3-facelet").evaluateAll((all) => all.map((each) => each.offsetWidth));
  const finger = 40; // pixels, wide enough to be hit
  assert.ok(Math.min(...sizes) >= finger, `stickers are ${Math.min(...sizes)} px wide`);
  await page.getByRole("button", { name: "Clear" }).click();
  await dialog(page).getByText("48 stickers have no colour yet").waitFor();
  const middle = async (sticker) => {
    const box = await page.locator(`[data-sticker="${sticker}"]`).boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const client = await page.context().newCDPSession(page);
  const touch = (type, points) => client.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  const [from, to] = [await middle(0), await middle(2)];
  await touch("touchStart", [from]);
  for (let i = 1; i <= 10; i++) await touch("touchMove", [{ x: from.x + ((to.x - from.x) * i) / 10, y: from.y }]);
  await touch("touchEnd", []);
  await until("three stickers are painted", async () => (await field(page).inputValue()).startsWith("UUU-U"));
  await page.assertNoErrors();
});

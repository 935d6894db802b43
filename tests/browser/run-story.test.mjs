// The story of a run, from its link and from the timeline; and a race against the agent.

import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { drag } from "./drawn-cube.mjs";
import { hosts, openPage, test, until } from "./harness.mjs";
import { recordTexts, setRunning, state, untilLearning, untilText } from "./lab.mjs";

const dialog = (page) => page.getByRole("dialog", { name: "The story of this run" });

test("story of a run is told by its link: its scenes with their numbers, paused and stepped", async () => {
  const page = await openPage(hosts.isolated, "#/control?seed=1&worlds=32&units=12&eval_episodes=20&story=1");
  await dialog(page).waitFor();
  const pause = dialog(page).getByRole("button", { name: "Pause" });
  await pause.waitFor();
  assert.equal((await state(page)).units, 12);
  await pause.click();
  const [title, sign] = [dialog(page).locator("h3"), dialog(page).locator(".run-story-sign")];
  const [previous, next] = ["Previous", "Next"].map((name) => dialog(page).getByRole("button", { name }));
  for (let i = 0; (await previous.isEnabled()) && i < 20; i++) await previous.click();
  await untilText(title, /^Iteration 0$/);
  await untilText(sign, /^iteration 0$/);
  const titles = [];
  for (let i = 0; i < 20; i++) {
    const text = await title.textContent();
    titles.push(text);
    if (!(await next.isEnabled())) break;
    await next.click();
    await until("the next scene", async () => (await title.textContent()) !== text);
  }
  const units = titles.map((text) => Number(/^Iteration (\d+)/.exec(text)?.[1]));
  assert.ok(units.every(Number.isInteger), titles.join("; "));
  assert.deepEqual(
    units,
    units.toSorted((a, b) => a - b),
  );
  assert.equal(units.at(-1), 12);
  // A behaviour that is claimed was measured at that iteration, and not before. Holding the pole up for the first time
  // is a mean return of 100 or more.
  const seen = titles.find((text) => text.includes("for the first time"));
  const first = await page.evaluate(() => {
    const { units, values } = globalThis.learnery.series.measured("examReturn");
    return units[values.findIndex((value) => value >= 100)] ?? null;
  });
  assert.equal(seen ? Number(/\d+/.exec(seen)[0]) : null, first);
  await dialog(page).getByRole("button", { name: "Close" }).click();
  assert.equal(await page.locator(".run-story").count(), 0);
  await page.assertNoErrors();
});

/** A world in which a disc stands in the middle, large beside a quarter of the picture that is empty. */
const DISC = `world "Disc"
state x = uniform(-1, 1)
action go: left, right
step 0.05 seconds
x' = clamp(x + 0.1 * (2 * go - 1), -1, 1)
reward 1 - abs(x)
limit 40 steps
camera at (0, 0) height 8
draw circle at (0, 0) radius 1
draw circle at (0, 3) radius 0.2 when x > 0
`;

test("story of a run in a world of one's own has pictures of that world", async () => {
  const command = JSON.stringify({ type: "world", name: "disc.world", text: DISC, parameters: {} });
  const data = `data=0:${deflateRawSync(command).toString("base64url")}`;
  const run = "seed=3&world=own&worlds=16&horizon=16&hidden=16&eval_episodes=4&units=10";
  const page = await openPage(hosts.isolated, `#/control?${run}&${data}&story=1`, { reducedMotion: "reduce" });
  const pictures = dialog(page).locator("figure .run-story-picture canvas");
  await pictures.first().waitFor();
  const drawn = await pictures.evaluateAll((canvases) =>
    canvases.map((canvas) => {
      const { width, height } = canvas;
      const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, width, height).data.buffer);
      const at = (x, y) => pixels[Math.floor(y * height) * width + Math.floor(x * width)];
      return at(0.5, 0.5) !== at(0.05, 0.9) && at(0.5, 0.55) === at(0.5, 0.5);
    }),
  );
  assert.ok(drawn.length > 0 && drawn.every(Boolean), `the disc is drawn in each picture: ${drawn}`);
  assert.equal(await dialog(page).getByText("There is no small picture").count(), 0);
  await page.assertNoErrors();
});

test("story of a run needs enough evaluations, and with reduced motion it is told by stills", async () => {
  const page = await openPage(hosts.isolated, "#/control?seed=1&worlds=16&units=2&eval_episodes=5", {
    reducedMotion: "reduce",
  });
  const story = page.getByRole("button", { name: "Story of this run" });
  await story.focus();
  await page.keyboard.press("Enter"); // the button is marked as disabled, and says why
  await untilText(page.locator(".timeline-words"), /A story needs at least 8 tests, and this run has had [12] so far/);
  assert.equal(await story.getAttribute("aria-disabled"), "true");
  // The link ends the run after two units. A unit that is under way would count as the first one here.
  await until("unit 2", async () => (await state(page)).units === 2 && !(await state(page)).running);
  for (let units = 3; units <= 9; units++) {
    await page.evaluate(() => globalThis.learnery.finishUnit());
    await until(`unit ${units}`, async () => (await state(page)).units >= units);
  }
  await until("there can be a story", async () => (await story.getAttribute("aria-disabled")) === "false");
  await story.evaluate((button) => {
    button.click();
    button.click(); // before the story is loaded
  });
  await dialog(page).locator("figure").first().waitFor();
  assert.equal(await page.locator(".run-story").count(), 1);
  assert.equal(await dialog(page).getByRole("button", { name: "Pause" }).count(), 0);
  assert.match(await dialog(page).locator("figcaption h3").first().textContent(), /^Iteration \d+/);
  // Another screen closes it.
  await page.evaluate(() => (location.hash = "#/"));
  await until("the story is closed", async () => (await page.locator(".run-story").count()) === 0);
  await page.assertNoErrors();
});

test("race against the agent: same start, both scores, and a winner by them", async () => {
  const page = await openPage(hosts.isolated, "#/control?seed=1&worlds=16&eval_episodes=5");
  await untilLearning(page);
  await setRunning(page, false);
  await page.getByRole("button", { name: "Race the agent" }).click();
  const race = page.getByRole("dialog", { name: "Race the agent: CartPole" });
  // A button pushes with the keyboard too, and is released when the window loses the focus.
  const push = race.locator(".push.ArrowRight");
  await push.focus();
  for (const key of ["Space", "Enter", "ArrowRight"]) {
    await page.keyboard.down(key);
    assert.match(await push.getAttribute("class"), /\bdown\b/, key);
    if (key === "ArrowRight") await page.evaluate(() => dispatchEvent(new Event("blur")));
    else await page.keyboard.up(key);
    assert.doesNotMatch(await push.getAttribute("class"), /\bdown\b/, key);
  }
  await page.keyboard.up("ArrowRight");
  const assertPushes = async (pushes, how) =>
    assert.equal(/\bdown\b/.test(await push.getAttribute("class")), pushes, how);
  await push.hover();
  await page.mouse.down();
  await assertPushes(true, "mouse");
  await page.mouse.move(0, 0); // it is held wherever the mouse is by now
  await assertPushes(true, "mouse beside it");
  await page.mouse.up();
  await assertPushes(false, "mouse");
  // At full speed an untrained agent's pole has fallen within a quarter of a second.
  await race.getByLabel("Both sides run at").selectOption({ label: "quarter speed" });
  const words = race.locator(".race-words");
  const untilSaid = await recordTexts(page, ".race-words");
  await race.getByRole("button", { name: "Start", exact: true }).click();
  // A finger holds the button from the countdown to the end.
  await untilSaid("Get ready");
  const client = await page.context().newCDPSession(page);
  const touch = (type, touchPoints) => client.send("Input.dispatchTouchEvent", { type, touchPoints });
  const button = await push.boundingBox();
  await touch("touchStart", [{ x: button.x + button.width / 2, y: button.y + button.height / 2 }]);
  await assertPushes(true, "finger");
  await untilSaid("Go!");
  const verdict = await untilText(words, /wins?\.|draw\./);
  await touch("touchEnd", []);
  await assertPushes(false, "finger");
  // Without a push to the right the cart would have gone to the left.
  const cart = race
    .locator(".race-lane")
    .first()
    .locator("g", { has: page.locator("rect.body") });
  const [, x] = /translate\((-?[\d.]+)/.exec(await cart.getAttribute("transform"));
  const middle = await cart.evaluate(
    ({ ownerSVGElement: { viewBox } }) => viewBox.baseVal.x + viewBox.baseVal.width / 2,
  );
  assert.ok(Number(x) > middle, `the cart is at ${x}`);
  const [, you, agent] = /You: (\d+) steps?\. The agent: (\d+) steps?\. Both ran at quarter speed\.$/
    .exec(verdict)
    .map(Number);
  const winner = you > agent ? "You win." : you < agent ? "The agent wins." : "A draw.";
  assert.ok(verdict.startsWith(winner), verdict);
  const scores = await race.locator(".race-title b").allTextContents();
  assert.deepEqual(
    scores.map((text) => parseInt(text)),
    [you, agent],
  );
  await untilText(race.locator(".quiet"), new RegExp(`iteration ${(await state(page)).units}\\.$`));
  await race.getByRole("button", { name: "Close" }).click();
  assert.equal(await page.locator(".race").count(), 0);
  await page.assertNoErrors();
});

test("race on the cube: same scramble, turns are counted, and the agent's are shown afterwards", async () => {
  const page = await openPage(hosts.isolated, "#/cube?seed=1");
  await untilLearning(page);
  await setRunning(page, false);
  await page.getByRole("button", { name: "Race the agent" }).click();
  const race = page.getByRole("dialog", { name: "Race the agent: 2×2×2" });
  await race.getByRole("slider").fill("1");
  await race.getByRole("button", { name: "Start", exact: true }).click();
  const words = race.locator(".race-words");
  await untilText(words, /^Solve your cube\./);
  assert.equal(await race.locator(".race-title b").last().textContent(), "");
  // A scramble of one turn is undone by one of these. Each other one is taken back. The first one is a drag, which
  // begins on the front face.
  const cube = race.locator(".cube-svg").first();
  const dragTo = (to) => () => drag(page, [-70, 10], to, cube);
  const press = (key) => () => page.keyboard.press(key);
  const tries = [
    [dragTo([60, 60]), dragTo([-200, -40])],
    ...["u", "r", "f"].flatMap((key) => {
      const [one, other] = [press(key), press(`Shift+${key}`)];
      return [
        [one, other],
        [other, one],
      ];
    }),
  ];
  const score = race.locator(".race-title b").first();
  let turns = 0;
  const make = async (act) => {
    await act();
    turns++;
    await untilText(score, new RegExp(`\\b${turns} turns?$`));
  };
  for (const [act, takeBack] of tries) {
    await make(act);
    if (!(await words.textContent()).startsWith("Solve")) break;
    await make(takeBack);
  }
  const you = `You: solved in ${turns === 1 ? "1 turn" : `${turns} turns`}.`;
  const verdict = await words.textContent();
  assert.ok(verdict.includes(you) && verdict.endsWith("It can be solved in 1 turn."), verdict);
  const [, outcome, agentTurns] = /The agent: (solved in|not solved after) (\d+) turns?\./.exec(verdict);
  const wins = outcome !== "solved in" || Number(agentTurns) > turns;
  const winner = wins ? "You win." : Number(agentTurns) < turns ? "The agent wins." : "A draw.";
  assert.ok(verdict.startsWith(winner), verdict);
  assert.match(await race.locator(".race-title b").last().textContent(), new RegExp(`${agentTurns} turn`));
  await race.getByRole("button", { name: "Close" }).click();
  await page.assertNoErrors();
});

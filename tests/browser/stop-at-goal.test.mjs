// Training that stops by itself at the goal, and that slows down while its tab is hidden.

import assert from "node:assert/strict";
import { hosts, openPage, test, until } from "./harness.mjs";
import { anotherRun, setHidden, state, untilLearning, untilSaved, untilTold, untilUnits } from "./lab.mjs";

const notice = (page) =>
  page.locator('[data-notice="stopped"]', {
    hasText: "The run has reached its goal, so it is paused",
  });
const choice = (page) => page.getByLabel("Stop at the goal");

/** Opens a run that reaches its goal within seconds at max speed. */
async function openQuickRun() {
  const page = await openPage(hosts.isolated, "#/control?seed=1", { stopsAtGoal: true });
  await untilLearning(page);
  return page;
}

const colourOf = (page, selector) => page.locator(selector).evaluate((element) => getComputedStyle(element).color);
/** The colour of the score in the dock, which a narrow window shows. */
const scoreColour = (page) => colourOf(page, ".counts-score");

const chooseMax = (page) =>
  page.getByRole("group", { name: "Speed of training" }).getByRole("button", { name: "Max" }).click();

test("run stops at its goal, stays there after a reload, and then goes on for good", async () => {
  const page = await openQuickRun();
  assert.ok(await choice(page).isChecked(), "it is on by default, which only these tests leave so");
  assert.equal(await scoreColour(page), await colourOf(page, ".counts"), "green is kept for a goal that was reached");
  await chooseMax(page);
  await notice(page).waitFor();
  const stopped = await state(page);
  assert.ok(stopped.solvedAt !== null && !stopped.running, JSON.stringify(stopped));
  await page.locator(".solved", { hasText: `The test at iteration ${stopped.solvedAt} reached it` }).waitFor();
  assert.notEqual(await scoreColour(page), await colourOf(page, ".counts"), "the score in the dock is green now");
  await untilSaved(page);

  await page.reload();
  await notice(page).waitFor();
  const { units, running } = await state(page);
  assert.ok(units >= stopped.units && !running, `iteration ${units}, running: ${running}`);
  await notice(page).getByRole("button", { name: "Train on" }).click();
  // The notice of the goal covered the one that the run was opened again.
  await page.locator("[data-notice=resumed]", { hasText: `Opened your run at iteration ${units}, saved` }).waitFor();
  await untilUnits(page, units + 3);
  assert.equal(await notice(page).count(), 0);
  assert.ok((await state(page)).running);
  await page.assertNoErrors();
});

test("run that stops at its goal at a slower speed, in the middle of an iteration, is saved at once", async () => {
  const page = await openQuickRun();
  const { stepsPerSecond } = await state(page);
  assert.notEqual(stepsPerSecond, null, "it is not at max speed, where every pause completes the iteration");
  // Only the save that the stop asks for at once is left: those every few seconds (`wait`) might come with the goal by chance.
  await page.evaluate(() => {
    const { learnery } = globalThis;
    const save = learnery.save.bind(learnery);
    globalThis.immediateSaves = [];
    learnery.save = (options) => {
      if (options.wait) return new Promise(() => {});
      globalThis.immediateSaves.push(learnery.progress.units);
      return save(options);
    };
  });
  await notice(page).waitFor();
  const stopped = await state(page);
  assert.ok(
    stopped.solvedAt !== null && stopped.units >= stopped.solvedAt && !stopped.running,
    JSON.stringify(stopped),
  );
  const immediateSaves = await page.evaluate(() => globalThis.immediateSaves);
  assert.ok(immediateSaves.length > 0, "it is saved at once");
  assert.ok(Math.min(...immediateSaves) >= stopped.solvedAt, `and not before its goal: at ${immediateSaves}`);
  const saved = await untilSaved(page);
  assert.ok(saved >= stopped.units, `saved at ${saved} of ${stopped.units}`);

  await page.reload();
  await notice(page).waitFor();
  const { units, running, solvedAt } = await state(page);
  assert.deepEqual({ units, running, solvedAt }, { units: saved, running: false, solvedAt: stopped.solvedAt });
  await page.locator(".solved", { hasText: `The test at iteration ${solvedAt} reached it` }).waitFor();
  await page.assertNoErrors();
});

test("run button goes on after the goal too", async () => {
  const page = await openQuickRun();
  await chooseMax(page);
  await notice(page).waitFor();
  const { units } = await state(page);
  await page.locator(".dock").getByRole("button", { name: "Run training", exact: true }).click();
  await untilUnits(page, units + 3);
  assert.equal(await notice(page).count(), 0);
  await page.assertNoErrors();
});

test("suggestion that changes the learning rate lets a run go on that has stopped at its goal", async () => {
  const page = await openQuickRun();
  await chooseMax(page);
  await notice(page).waitFor();
  const { units, config } = await state(page);
  const suggestion = (name) => page.locator(".solved-next").getByRole("button", { name });
  // Only some suggestions are shown; the one about the learning rate comes once another one was pressed.
  await suggestion(/^Push it/).click();
  await suggestion(/^Try to break it: learning rate/).waitFor();
  assert.equal((await state(page)).running, false, "a push is no reason to train");
  await suggestion(/^Try to break it: learning rate/).click();
  await untilUnits(page, units + 3);
  const now = await state(page);
  assert.ok(now.running && now.config.learning_rate > config.learning_rate, JSON.stringify(now));
  assert.equal(await notice(page).count(), 0);
  await page.assertNoErrors();
});

test("notice at the goal is of its lab, and is there again when the visitor comes back", async () => {
  const page = await openQuickRun();
  await chooseMax(page);
  await notice(page).waitFor();
  await page.goto(page.address("#/"));
  await page.locator(".front-card").first().waitFor();
  await until("it is not on the front", async () => (await notice(page).count()) === 0);
  await page.goto(page.address("#/control"));
  await notice(page).waitFor();
  const { units, running } = await state(page);
  assert.equal(running, false);
  await notice(page).getByRole("button", { name: "Train on" }).click();
  await untilUnits(page, units + 3);
  await page.assertNoErrors();
});

test("choice is switched off before and after the goal, and is remembered", async () => {
  const page = await openQuickRun();
  await choice(page).uncheck();
  await chooseMax(page);
  const solved = await until("solved", async () => (await state(page)).solvedAt);
  await untilUnits(page, solved + 5);
  assert.equal(await notice(page).count(), 0);

  await choice(page).check();
  // The run before may still stop at its goal, so the notice is waited for in another run.
  await anotherRun(page, () => page.locator(".dock .restart").click());
  await notice(page).waitFor();
  const { units } = await state(page);
  await choice(page).uncheck();
  await untilUnits(page, units + 3);
  await until("the sentence is gone", async () => (await notice(page).count()) === 0);
  await page.reload();
  await untilLearning(page);
  assert.equal(await choice(page).isChecked(), false);
  await page.assertNoErrors();
});

test("link with a last unit is repeated beyond the goal", async () => {
  const units = 40;
  const page = await openPage(
    hosts.isolated,
    `#/control?seed=3&worlds=32&horizon=64&epochs=6&minibatches=16&units=${units}`,
    { stopsAtGoal: true },
  );
  const { solvedAt } = await untilUnits(page, units);
  assert.ok(solvedAt !== null && solvedAt < units, `solved at ${solvedAt}`);
  assert.equal(await notice(page).count(), 0);
  await page.assertNoErrors();
});

test("run trains slowly while its tab is hidden, and says so afterwards", async () => {
  const page = await openPage(hosts.isolated, "#/control?worlds=8&horizon=16&epochs=1&minibatches=1&eval_every=0");
  await untilLearning(page);
  const untilPace = (pace) =>
    until(`${pace} steps per second`, async () => (await state(page)).stepsPerSecond === pace);
  const { stepsPerSecond } = await state(page);
  await setHidden(page, true);
  await untilPace(10);
  await untilUnits(page, (await state(page)).units + 2);
  await setHidden(page, false);
  await untilPace(stepsPerSecond);
  await untilTold(page, /^While this tab was hidden/);
  await page.assertNoErrors();
});

test("switch for the goal is in the sheet of a narrow window", async () => {
  const page = await openPage(hosts.isolated, "#/control", {
    viewport: { width: 390, height: 780 },
    hasTouch: true,
    stopsAtGoal: true,
  });
  await untilLearning(page);
  assert.equal(await choice(page).isVisible(), false);
  await page.getByRole("button", { name: "Dials" }).click();
  await choice(page).waitFor();
  assert.ok(await choice(page).isChecked());
  await choice(page).uncheck();
  assert.equal(await page.evaluate(() => globalThis.localStorage.getItem("learnery:stop-at-goal")), "off");
  await page.assertNoErrors();
});

// The control lab on both bundles: it learns in the tab, and its settings, buttons and keys work.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gzipSize } from "../../scripts/sizes.mjs";
import { assertResponsive, hosts, openPage, test, until } from "./harness.mjs";
import {
  ALL_PRESSES,
  anotherRun,
  isLoadedLater,
  openTool,
  setFullSpeed,
  setRunning,
  state,
  untilLearning,
  untilUnits,
  untilViews,
} from "./lab.mjs";

/** The largest first load, in kilobytes compressed by gzip, which every host supports. */
const MAX_FIRST_LOAD_KB = 400;

for (const host of [hosts.isolated, hosts.plain]) {
  test(`visitor loads little, sees the agent learn, and then solve the task: ${host.name} host`, async () => {
    const page = await openPage(host, "#/control");
    await untilLearning(page);
    // Only reported, because the time depends on the machine.
    const begun = await page.evaluate(() => performance.now());
    const needed = page.loaded().filter((file) => !isLoadedLater(file));
    const load = needed.reduce((sum, file) => sum + gzipSize(readFileSync(file)) / 1000, 0);
    console.log(`learning after ${(begun / 1000).toFixed(1)} s and ${load.toFixed(0)} kB by gzip`);
    assert.ok(load < MAX_FIRST_LOAD_KB, `a first visit loads ${load.toFixed(0)} kB`);
    assert.equal((await state(page)).bundle, host.bundle);
    await setFullSpeed(page);
    const solved = await until("solved", async () => (await state(page)).solvedAt);
    const reached = new RegExp(`The test at iteration ${solved} reached it, with (4\\d\\d|500), after [\\d,]+ `);
    await page.locator(".solved", { hasText: reached }).waitFor();
    // A single test may be luck, so badge, button, tab and sentence give a verdict only once tests agree.
    await page.locator(".solved.confirmed", { hasText: "Goal reached" }).waitFor();
    await page.locator(".solved-pill.confirmed", { hasText: "Goal reached" }).waitFor();
    await until("the tab is marked", async () => /^✓ /.test(await page.title()));
    await page
      .locator(".story", { hasText: /^Solved\. It balances the pole for (\d+ of 500 steps on average|all 500 steps)/ })
      .waitFor();
    await page.getByText("What to try next").waitFor();
    const suggestions = page.locator(".solved-next button");
    assert.equal(await suggestions.count(), 3);
    for (const text of await suggestions.allTextContents()) assert.match(text, /^[A-Z]/);
    await page.evaluate(() => {
      globalThis.pushes = [];
      globalThis.learnery.on("command", ({ type, strength }) => type === "push" && globalThis.pushes.push(strength));
    });
    await page.getByRole("button", { name: "Push it, and see whether it recovers" }).click();
    await until("it is pushed and released", () =>
      page.evaluate(() => globalThis.pushes.some((strength) => strength !== 0) && globalThis.pushes.at(-1) === 0),
    );
    await until("the push has made room", async () => !(await suggestions.allTextContents()).join().includes("Push"));
    // It trains on, so only the score of that iteration is the one that reached the goal.
    const score = await page.evaluate((unit) => {
      const { series, goal } = globalThis.learnery;
      return series.last(goal.metric, unit);
    }, solved);
    assert.ok(score >= 475, "the goal of CartPole: steps per episode");
    assert.ok((await state(page)).running, "it goes on after the goal, as it was told to");
    await page.assertNoErrors();
  });

  test(`pause, single steps and whole units work: ${host.name} host`, async () => {
    const page = await openPage(host, "#/control");
    await untilLearning(page);
    await setRunning(page, false);
    const paused = await state(page);
    await untilViews(page, 10);
    assert.deepEqual(await state(page), paused, "nothing changes while it is paused");
    await page.getByRole("button", { name: "Finish this iteration" }).click();
    await untilUnits(page, paused.units + 1);
    const finished = await state(page);
    await page.keyboard.press(".");
    // The first step of an iteration is one step in each of the 128 worlds.
    await until("one step", async () => (await state(page)).work === finished.work + 128);
    assert.equal((await state(page)).units, finished.units);
    await setRunning(page, true);
    await untilUnits(page, finished.units + 1);
    await page.assertNoErrors();
  });

  test(`live setting changes nothing else, another one waits for a restart: ${host.name} host`, async () => {
    const page = await openPage(host, "#/control");
    await untilLearning(page);
    const before = await untilUnits(page, 2);
    await openTool(page, "Settings");
    const rate = page.getByRole("textbox", { name: "learning rate" });
    await rate.fill("0.002");
    await rate.press("Enter");
    const after = await until("the setting is applied", async () => {
      const now = await state(page);
      return now.config.learning_rate === 0.002 && now;
    });
    assert.ok(after.units >= before.units, "it did not start over");

    const restart = page.locator(".dock .restart");
    assert.equal(await restart.textContent(), "Restart");
    const worlds = page.getByRole("textbox", { name: "worlds" });
    // What is typed stays while another setting changes.
    await worlds.fill("64");
    await page.evaluate(() => globalThis.learnery.configure({ learning_rate: 0.003 }));
    await until("another change", async () => (await state(page)).config.learning_rate === 0.003);
    assert.equal(await worlds.inputValue(), "64");
    await worlds.press("Enter");
    await page.getByText("Changes that need a restart: worlds 128 → 64.").waitFor();
    assert.equal(await restart.textContent(), "Restart to apply");
    assert.equal((await state(page)).config.worlds, 128);
    const restarted = await anotherRun(page, () => restart.click());
    assert.deepEqual([restarted.units, restarted.config.worlds, restarted.config.learning_rate], [0, 64, 0.003]);

    await worlds.fill("0");
    await worlds.press("Enter");
    const problem = page.getByText("it takes a whole number from 1 to 65536");
    await problem.waitFor();
    assert.equal(await worlds.inputValue(), "0", "the refused text can be corrected");
    await page.getByRole("button", { name: "worlds: reset to the default" }).click();
    assert.equal(await worlds.inputValue(), "128");
    assert.equal(await problem.count(), 0);
    await page.assertNoErrors();
  });
}

test("score, sentence, curve and iteration are those of one test while the agent learns", async () => {
  const page = await openPage(hosts.isolated, "#/control");
  await untilLearning(page);
  await setFullSpeed(page);
  // Until three tests have been shown, however fast they come.
  const told = await page.evaluate(async () => {
    const numberIn = (selector) => {
      const [digits] = /\d[\d.,]*/.exec(document.querySelector(selector)?.textContent) ?? [];
      return Number(digits?.replaceAll(",", ""));
    };
    const found = [];
    for (const units = new Set(); units.size < 3;) {
      await new Promise(requestAnimationFrame);
      const { series } = globalThis.learnery;
      const unit = numberIn(".score-when");
      const measured = series.column("examReturn")[series.units.indexOf(unit)];
      // The dock shows the score too, in a narrow window.
      const [score, dock, sentence] = [".score", ".counts-score", ".story"].map(numberIn);
      if (!Number.isFinite(score)) continue; // before the first test
      units.add(unit);
      found.push({ measured, score, dock, sentence });
    }
    return found;
  });
  /** Whether two numbers are the same, although either may be rounded to a whole number. */
  const isSame = (a, b) => Math.abs(a - b) <= 1;
  for (const { measured, ...shown } of told) {
    for (const value of Object.values(shown))
      assert.ok(isSame(value, measured), `${measured}: ${JSON.stringify(shown)}`);
  }
  // The curve is drawn a moment later.
  await setRunning(page, false);
  const numberIn = async (selector) => Number(await page.locator(selector).textContent());
  await until("the value above the curve is that of the score", async () =>
    isSame(await numberIn(".score"), await numberIn(".chart.large .chart-now")),
  );
  await page.assertNoErrors();
});

test("preset is offered by its title, and its settings wait for a restart", async () => {
  const page = await openPage(hosts.isolated, "#/control?seed=3");
  await untilLearning(page);
  await openTool(page, "Settings");
  const presets = page.getByRole("group", { name: "Presets" });
  const standard = presets.getByRole("button", { name: "CartPole", exact: true });
  const crowd = presets.getByRole("button", { name: "CartPole, 2,048 worlds" });
  await standard.waitFor();
  assert.equal(await standard.getAttribute("aria-pressed"), "true");
  await crowd.click();
  assert.equal(await crowd.getAttribute("aria-pressed"), "true");
  assert.equal(await crowd.getAttribute("data-value"), "crowd");
  assert.equal(await standard.getAttribute("aria-pressed"), "false");
  await page.getByText(/^Changes that need a restart:.* worlds 128 → 2048/).waitFor();
  await page.locator(".dock .restart").click();
  await until("a new run", async () => (await state(page)).config.worlds === 2048);
  assert.equal((await state(page)).seed, 3);
  await page.assertNoErrors();
});

test("slowest pace makes one step per second", async () => {
  const page = await openPage(hosts.isolated, "#/control");
  await untilLearning(page);
  await setRunning(page, false);
  const paused = await state(page);
  await page.getByRole("button", { name: "Finish this iteration" }).click();
  await untilUnits(page, paused.units + 1);
  for (let press = 0; press < ALL_PRESSES; press++) await page.keyboard.press("[");
  assert.equal(await page.locator(".pace").textContent(), "1.0 steps/s");
  await setRunning(page, true);
  // The first training steps of an iteration are one step each in each of the 128 worlds.
  const [steps, seconds] = await page.evaluate(async () => {
    const run = globalThis.learnery;
    const [work, begin] = [run.progress.work, performance.now()];
    while (run.progress.work < work + 5 * 128) await new Promise(requestAnimationFrame);
    return [(run.progress.work - work) / 128, (performance.now() - begin) / 1000];
  });
  // One was under way, and the news of steps may come together and late.
  assert.ok(steps <= seconds + 3, `${steps} steps in ${seconds} seconds`);
  await page.assertNoErrors();
});

for (const host of [hosts.isolated, hosts.plain]) {
  test(`page stays responsive while the agent learns at max speed: ${host.name} host`, async () => {
    const page = await openPage(host, "#/control");
    await untilLearning(page);
    await setFullSpeed(page);
    await assertResponsive(() => page.waitForTimeout(3000));
    await page.assertNoErrors();
  });
}

test("speedup from threads is measured, with identical values", async () => {
  const page = await openPage(hosts.isolated, "#/control");
  await untilLearning(page);
  await openTool(page, "Compare");
  await page.getByRole("button", { name: "Measure the speedup" }).click();
  await page
    .getByText(/threads are [\d.]+ times as fast as one\. Both runs measured identical values in all \d+ iterations/)
    .waitFor();
  await until("the visitor's own run goes on", async () => (await state(page)).running);
  await page.assertNoErrors();
});

test("speedup on one thread explains why there is none", async () => {
  const page = await openPage(hosts.plain, "#/control");
  await untilLearning(page);
  await openTool(page, "Compare");
  await page.getByText(/There is only one thread, so there is nothing to compare\. One thread:/).waitFor();
  assert.ok(await page.getByRole("button", { name: "Measure the speedup" }).isDisabled());
  await page.assertNoErrors();
});

test("visitor pushes the cart, and the agent pushes back", async () => {
  const page = await openPage(hosts.isolated, "#/control");
  await untilLearning(page);
  /** Whether the arrow of the visitor's push is shown. */
  const pushed = () => page.evaluate(() => document.querySelector(".arrow.visitor").classList.contains("shown"));
  assert.equal(await pushed(), false);
  await page.keyboard.down("ArrowRight");
  await until("the push is shown", pushed);
  await page.keyboard.up("ArrowRight");
  await until("the push is over", async () => !(await pushed()));
  await page.locator(".stage-svg").hover({ position: { x: 40, y: 150 } });
  await page.mouse.down();
  await until("the push of the drag is shown", pushed);
  await page.mouse.up();
  await page.assertNoErrors();
});

test("host without headers gets threads from the service worker", async () => {
  const page = await openPage(hosts.serviceWorker, "#/control?seed=4");
  await until("the page has been reloaded and is isolated", () =>
    page.evaluate(() => globalThis.crossOriginIsolated).catch(() => false),
  );
  await untilLearning(page);
  const now = await state(page);
  assert.equal(now.bundle, "threads");
  assert.equal(now.seed, 4, "the link survives the reload");
  await page.assertNoErrors();
});

// The tool "Compare": runs side by side, in step and to the same bits as the open run; many seeds as a band; failures
// in a sentence. The speedup from threads is in learn.test.mjs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { hosts, openPage, test, until } from "./harness.mjs";
import {
  downloaded,
  openTool,
  recordTexts,
  state,
  untilFrames,
  untilLearning,
  untilSaved,
  untilStill,
} from "./lab.mjs";
import { press } from "./press.mjs";

/** A small run of the control lab, which solves its task within seconds. */
const SMALL = "#/control?seed=3&worlds=32&horizon=64&epochs=6&minibatches=16";

/** Opens a run and the tool. */
async function openCompare(path = SMALL, host = hosts.isolated, options = {}) {
  const page = await openPage(host, path, options);
  await untilLearning(page);
  await openTool(page, "Compare");
  await page.getByRole("heading", { name: "Runs side by side" }).waitFor();
  return page;
}

/** Adds a run with another value of a setting. */
async function addWith(page, setting, value) {
  const form = page.locator("#compare-add");
  if (!(await form.isVisible())) await press(page, "Add with another setting…");
  await page.locator("#compare-setting").selectOption(setting);
  await page.locator("#compare-value").fill(value);
  await form.getByRole("button", { name: "Add" }).click();
}

/** The texts of a row of the table by its heading, one for each run. */
function row(page, heading) {
  return page
    .locator(".compare-table")
    .first()
    .evaluate((table, heading) => {
      const rows = [...table.querySelectorAll("tbody tr")];
      const found = rows.find((each) => each.querySelector("th").textContent === heading);
      return found ? [...found.querySelectorAll("td")].map((cell) => cell.title || cell.textContent) : null;
    }, heading);
}

/** Records these rows of the table in the page whenever it changes, because training is over within seconds. */
function recordRows(page, headings) {
  return page.evaluate((headings) => {
    globalThis.recordedRows = [];
    const texts = (heading) => {
      const rows = [...(document.querySelector(".compare-table")?.querySelectorAll("tbody tr") ?? [])];
      const found = rows.find((each) => each.querySelector("th").textContent === heading);
      return found ? [...found.querySelectorAll("td")].map((cell) => cell.title || cell.textContent) : [];
    };
    const record = () => globalThis.recordedRows.push(headings.map(texts));
    new MutationObserver(record).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
  }, headings);
}

/** Waits until nothing trains any more. */
const untilEnded = (page) => page.getByRole("button", { name: "Train again" }).first().waitFor();

test("runs train side by side in step, and the first to the goal is marked", async () => {
  const page = await openCompare();
  assert.ok(await page.getByRole("button", { name: "Train", exact: true }).isDisabled(), "there is nothing to train");
  await press(page, "Add this run as it is set");
  await addWith(page, "learning_rate", "0.00001");
  await press(page, "Add another seed");
  const titles = page.locator(".compare-title");
  assert.deepEqual(await titles.allTextContents(), ["Common settings", "Learning rate 0.00001", "Seed 4"]);
  await page.locator("#compare-last").fill("60");
  await page.locator("#compare-last").blur();
  await recordRows(page, ["Iteration", "Goal reached in iteration"]);
  const untilSaid = await recordTexts(page, ".compare-hold");
  // The runs may have ended before one looks whether the open run waits.
  await page.evaluate(() => {
    globalThis.hasWaited = false;
    globalThis.learnery.on("progress", ({ running }) => (globalThis.hasWaited ||= !running));
  });
  await press(page, "Train");
  await untilSaid("Your own run is paused while this tool computes, and goes on afterwards.");
  await until("the open run is paused", () => page.evaluate(() => globalThis.hasWaited));
  await untilEnded(page);
  // No run is more than a unit ahead of another that still trains.
  const inStep = (await page.evaluate(() => globalThis.recordedRows))
    .map(([units, reached]) => units.map(Number).filter((each, i) => each > 0 && reached[i] === "–"))
    .filter((active) => active.length === 3);
  assert.ok(inStep.length >= 3, `${inStep.length} moments at which all three trained`);
  for (const active of inStep) {
    assert.ok(Math.max(...active) - Math.min(...active) <= 1, `in step: ${active.join(" ")}`);
  }
  await page.getByText(/^[AC] was first to the goal, by iterations: iteration \d+\. This is one seed each/).waitFor();
  assert.equal(await page.locator(".compare-lane.is-first").count(), 1);
  assert.deepEqual(await row(page, "Learning rate"), ["0.001", "0.00001", "0.001"]);
  assert.deepEqual(await row(page, "Seed"), ["3", "3", "4"]);
  assert.equal((await row(page, "Iteration"))[1], "60", "it ended at the last iteration exactly");
  assert.equal((await row(page, "Goal reached in iteration"))[1], "–");
  // Each has a picture with something on it, and there is a chart.
  const drawn = () =>
    page
      .locator(".compare-lane canvas")
      .evaluateAll((canvases) =>
        canvases.map((canvas) =>
          canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean),
        ),
      );
  await until("three pictures are drawn", async () => (await drawn()).join() === "true,true,true");
  await page.locator(".compare-chart canvas").first().waitFor();
  await until("the open run goes on", async () => (await state(page)).running);
  await page.getByRole("button", { name: /^Remove run B/ }).click();
  assert.deepEqual(await titles.allTextContents(), ["Seed 3", "Seed 4"]);
  await page.assertNoErrors();
});

test("compared run has the fingerprint of the open run, on fewer threads too", async () => {
  const page = await openPage(hosts.isolated, `${SMALL}&units=5`);
  await until("the open run has stopped", async () => (await state(page)).units === 5 && !(await state(page)).running);
  await openTool(page, "Compare");
  await press(page, "Add this run as it is set");
  await press(page, "Add this run as it is set");
  await page.locator("#compare-last").fill("5");
  await page.locator("#compare-last").blur();
  await press(page, "Train");
  await untilEnded(page);
  await press(page, "Compute fingerprints");
  const fingerprints = await until("fingerprints", async () => {
    const found = await row(page, "Fingerprint");
    return found?.every((each) => each !== "–") && found;
  });
  await openTool(page, "Share and save");
  await press(page, "Compute the fingerprint");
  const field = page.getByRole("textbox", { name: "Fingerprint of the run" });
  const own = await until("the open run's fingerprint", () => field.inputValue());
  assert.deepEqual(fingerprints, [`iteration 5: ${own}`, `iteration 5: ${own}`]);
  await page.assertNoErrors();
});

test("saved run goes on to the bits of the same run from its start", async () => {
  const page = await openPage(hosts.isolated, `${SMALL}&units=5`);
  await until("the open run has stopped", async () => (await state(page)).units === 5 && !(await state(page)).running);
  await untilSaved(page);
  await openTool(page, "Runs");
  await page.getByRole("button", { name: /^Compare/ }).click();
  await press(page, "Add this run as it is set");
  await page.locator("#compare-goal").uncheck();
  await page.locator("#compare-last").fill("8");
  await page.locator("#compare-last").blur();
  await press(page, "Train");
  await untilEnded(page);
  assert.deepEqual(await row(page, "Starts from"), ["a saved run", "nothing"]);
  assert.deepEqual(await row(page, "Iteration"), ["8", "8"]);
  await press(page, "Compute fingerprints");
  const [saved, anew] = await until("fingerprints", async () => {
    const found = await row(page, "Fingerprint");
    return found?.every((each) => each !== "–") && found;
  });
  assert.equal(saved, anew);
  await page.assertNoErrors();
});

test("runs pause, go on, stop, and train one after the other", async () => {
  const page = await openCompare("#/control?seed=1&worlds=32&horizon=64");
  await press(page, "Add this run as it is set");
  await press(page, "Add another seed");
  await page.locator("#compare-goal").uncheck();
  await press(page, "Train");
  await until("they train", async () => Number((await row(page, "Iteration"))?.[1]) > 1);
  await press(page, "Pause");
  await until("the open run goes on", async () => (await state(page)).running);
  const paused = await untilStill(page, () => row(page, "Iteration"), 10);
  await untilFrames(page, 15);
  assert.deepEqual(await row(page, "Iteration"), paused);
  await press(page, "Continue");
  await until("they go on", async () => Number((await row(page, "Iteration"))?.[0]) > Number(paused[0]));
  await press(page, "Stop");
  await untilEnded(page);
  assert.match(await page.locator(".compare-state").first().textContent(), /: stopped$/);

  // One after the other, without anything that ends a run, says so.
  await page.getByRole("button", { name: "one after the other" }).click();
  await press(page, "Train again");
  await page.getByText("It has no goal to reach, so the next run would never start.").first().waitFor();
  await untilEnded(page);
  await page.locator("#compare-last").fill("4");
  await page.locator("#compare-last").blur();
  const untilSaid = await recordTexts(page, ".compare-state");
  await press(page, "Train again");
  await untilSaid("Waits for its turn");
  await untilEnded(page);
  assert.deepEqual(await row(page, "Iteration"), ["4", "4"]);
  await page.assertNoErrors();
});

test("value that a setting does not take is refused in a sentence", async () => {
  const page = await openCompare();
  await addWith(page, "worlds", "0");
  await page.getByText("“0” is not allowed for worlds; it takes a whole number from 1 to 65536.").waitFor();
  assert.equal(await page.locator(".compare-lane").count(), 0);
  await page.locator("#compare-last").fill("none");
  await page.locator("#compare-last").blur();
  await page.getByText(/^It takes a whole number from 1 to 4,294,967,295\.$/).waitFor();
  for (let i = 0; i < 4; i++) await press(page, "Add another seed");
  assert.ok(await page.getByRole("button", { name: "Add another seed" }).isDisabled(), "four at most");
  await page.assertNoErrors();
});

test("worker that cannot be loaded is a sentence in its run, and the others train", async () => {
  const page = await openCompare();
  await press(page, "Add this run as it is set");
  await press(page, "Add another seed");
  // The open run has its bundle already. The first of the new workers does not get it.
  let asked = 0;
  await page.context().route(/\.wasm$/, (route) => (asked++ === 0 ? route.abort() : route.continue()));
  await press(page, "Train");
  await page.getByText("Its files could not be loaded. Check the connection and start again.").waitFor();
  await until("the other trains", async () => (await row(page, "Iteration"))?.some((units) => Number(units) > 2));
  // It may have reached its goal meanwhile, which ends the training too.
  const again = page.getByRole("button", { name: "Train again", exact: true });
  const stop = page.getByRole("button", { name: "Stop", exact: true });
  await until("the training has ended", async () => {
    if (await again.isVisible()) return true;
    // "Stop" disappears when the training ends by itself, so the click may find nothing.
    await stop.click({ timeout: 1_000 }).catch(() => undefined);
    return false;
  });
  await again.click();
  await until("both train", async () => (await row(page, "Iteration"))?.every((units) => Number(units) > 0));
  await page.forget(); // the file that did not arrive
});

test("seeds train to the goal, with a band, statistics and files", async () => {
  const page = await openCompare();
  const section = page.locator(".compare-part", {
    has: page.getByRole("heading", { name: "Same settings, many seeds" }),
  });
  await page.locator("#seeds-count").fill("3");
  await page.locator("#seeds-count").blur();
  await press(page, "Train all seeds");
  assert.ok(await page.getByRole("button", { name: "Measure the speedup" }).isDisabled(), "one thing at a time");
  await section.getByText("3 of 3 reached the goal.").waitFor();
  await section.getByText(/^Iterations to the goal: median [\d.]+, quartiles [\d.]+ and [\d.]+$/).waitFor();
  await section.getByText(/^Time to the goal: median [\d.]+ seconds, quartiles/).waitFor();
  await section.locator("canvas").waitFor();
  const ofRuns = "Settings of these runs: worlds 32, horizon 64, epochs 6, minibatches 16. Seeds 3 to 5.";
  await section.getByText(ofRuns, { exact: true }).waitFor();
  assert.equal(await section.getByText(/^goal in iteration \d+$/).count(), 3);
  await until("the open run goes on", async () => (await state(page)).running);
  const results = await downloaded(page, () => press(page, "Results as CSV"));
  const lines = readFileSync(results.path, "utf8").trim().split("\n");
  const settings = "worlds=32-horizon=64-epochs=6-minibatches=16";
  assert.equal(results.name, `learnery-control-seeds3-5-${settings}-results.csv`);
  assert.equal(
    lines[0],
    "Seed,Goal reached,Goal reached in iteration,Iteration,World steps,Time (s),Test score (fresh episodes),Outcome," +
      "Worlds,Horizon,Epochs,Minibatches",
  );
  assert.deepEqual(
    lines.slice(1).map((line) => line.split(",").slice(0, 2).join(" ")),
    ["3 yes", "4 yes", "5 yes"],
  );
  const band = await downloaded(page, () => press(page, "Band as CSV"));
  assert.match(
    readFileSync(band.path, "utf8"),
    /^Iteration,Median of test score \(fresh episodes\),Lower quartile of .*,Runs,Worlds,Horizon,Epochs,Minibatches\n\d+,/,
  );
  // A sweep can be interrupted.
  await section.getByRole("button", { name: "Train again" }).click();
  await section.getByRole("button", { name: "Stop" }).click();
  await section.getByText(/^Stopped after \d of 3\./).waitFor();
  await page.assertNoErrors();
});

test("everything ends when the visitor leaves the lab", async () => {
  const page = await openCompare();
  await press(page, "Add this run as it is set");
  await press(page, "Add another seed");
  await page.locator("#compare-goal").uncheck(); // so that they do not end before
  await press(page, "Train");
  await until("they train", async () => Number((await row(page, "Iteration"))?.[1]) > 0);
  const before = page.workers().length;
  assert.ok(before >= 3);
  await page.evaluate(() => (location.hash = "#/"));
  await page.locator(".front-card").first().waitFor();
  // The worker of the open run and the threads of its pool remain.
  await until("their workers are gone", () => page.workers().length < before);
  await page.assertNoErrors();
});

test("tool fits a phone, with targets for fingers", async () => {
  const page = await openCompare(SMALL, hosts.isolated, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  for (let i = 0; i < 4; i++) await press(page, "Add another seed");
  await press(page, "Train");
  await until("they train", async () => Number((await row(page, "Iteration"))?.[3]) > 0);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  const small = await page
    .locator(".compare :is(button, select, input[type=text]):visible")
    .evaluateAll((controls) =>
      controls
        .filter((control) => control.getBoundingClientRect().height < 44)
        .map((control) => `${control.getBoundingClientRect().height} ${control.outerHTML}`),
    );
  assert.deepEqual(small, []);
  await page.assertNoErrors();
});

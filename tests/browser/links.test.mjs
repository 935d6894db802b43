// Links and recipe files of runs in which something changed: they are repeated with each change at its unit (training
// iteration), and the result is compared with the recorded fingerprint, in a tab and in a terminal.
//
// Uses: www/core/replay.ts

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { program, test } from "./command-line.mjs";
import { hosts, openPage, temporaryFolder, until } from "./harness.mjs";
import { downloaded, openTool, state, untilLearning, untilSaved, untilUnits, untilViews } from "./lab.mjs";

/** A small run, whose units take a few milliseconds. */
const SMALL = "#/control?seed=3&worlds=16&horizon=16&eval_every=0";

const line = (page) => page.locator(".replay-line");
const finishUnit = (page) => page.evaluate(() => globalThis.learnery.finishUnit());

/** Opens the run, moves a dial and changes the seed, and returns the link that stops at the present unit. */
async function changedRun() {
  const page = await openPage(hosts.isolated, `${SMALL}&units=4`);
  await line(page).getByText("Replayed to iteration 4.").waitFor();
  await openTool(page, "Settings");
  const rate = page.getByRole("textbox", { name: "learning rate" });
  await rate.fill("0.002");
  await rate.press("Enter");
  await until("the setting is applied", async () => (await state(page)).config.learning_rate === 0.002);
  await finishUnit(page);
  await untilUnits(page, 5);
  await page.evaluate(() => globalThis.learnery.reseed(11));
  await until("the seed is another", async () => (await state(page)).seed === 11);
  await finishUnit(page);
  await untilUnits(page, 6);
  await openTool(page, "Share and save");
  await page.locator("#share-stop").check();
  const field = page.locator("#share-link");
  const link = await until("the link has a fingerprint", async () => {
    const value = await field.inputValue();
    return value.includes("&bits=") && value;
  });
  return { page, link };
}

test("run with changes is the same for whoever opens its link, in a tab and in a terminal", async () => {
  const { page, link } = await changedRun();
  const hash = new URL(link).hash;
  const start = SMALL.replace("?", "\\?");
  // The last parameter is the class of bits (how the machine rounds), and the beginning of the fingerprint.
  const changes = "&change=4:learning_rate=0.002&change=5:seed=11&units=6&bits=fused:[0-9a-f]{16}";
  assert.match(hash, new RegExp(`^${start}${changes}$`));
  assert.equal(await page.locator("#share-command").inputValue(), `cargo run --release -- train --recipe '${hash}'`);
  // The address has no last unit, because the run can go on.
  assert.match(page.url(), /&change=4:learning_rate=0.002&change=5:seed=11$/);

  const other = await openPage(hosts.isolated, hash);
  await line(other).getByText("Same result, bit for bit, at iteration 6.").waitFor();
  const [first, second] = [await state(page), await state(other)];
  assert.deepEqual(second.config, first.config);
  assert.deepEqual([second.units, second.seed, second.running], [6, 11, false]);
  await openTool(other, "Share and save");
  await other.locator("#share-stop").check();
  await until("it has the same link", async () => (await other.locator("#share-link").inputValue()) === link);

  const work = temporaryFolder();
  const args = ["train", "--recipe", link, "--out", join(work, "run"), "--json"];
  const { stdout } = await promisify(execFile)(program, args, { cwd: work });
  const done = JSON.parse(stdout.trim().split("\n").at(-1));
  assert.deepEqual([done.event, done.unit], ["done", 6]);
  assert.ok(done.fingerprint.startsWith(/[0-9a-f]{16}$/.exec(link)[0]));

  // A run that comes back after a reload still knows its changes.
  await untilSaved(other);
  await other.reload();
  await untilLearning(other);
  assert.match(other.url(), /&change=4:learning_rate=0.002&change=5:seed=11$/);
  await page.assertNoErrors();
  await other.assertNoErrors();
});

test("link without a last unit makes its changes and runs on", async () => {
  const page = await openPage(hosts.isolated, `${SMALL}&change=2:clip=0.1,learning_rate=0.001`);
  await untilUnits(page, 5);
  const { config, running } = await state(page);
  assert.deepEqual([config.clip, config.learning_rate, running], [0.1, 0.001, true]);
  const changes = await page.evaluate(() => globalThis.learnery.changes.map(({ unit }) => unit));
  assert.deepEqual(changes, [2]);
  assert.equal(await line(page).count(), 0);
  await page.assertNoErrors();
});

test("replay can be stopped, and a different result is reported", async () => {
  const page = await openPage(hosts.isolated, `${SMALL}&units=1000000&bits=fused:0123456789abcdef`);
  await line(page).getByText("Replaying", { exact: true }).waitFor();
  await until("it counts", async () => /\d+ of 1000000/.test(await line(page).textContent()));
  await line(page).getByRole("button", { name: "Stop" }).press("Enter");
  await line(page)
    .getByText(/^Replay stopped at iteration \d+ of 1000000\.$/)
    .waitFor();
  const { units } = await state(page);
  await untilViews(page, 10);
  assert.ok((await state(page)).units <= units + 1, "it does not go on");
  // The focus stays in the line.
  await page.keyboard.press("Enter");
  await until("the line is closed", async () => (await line(page).count()) === 0);

  await page.goto(page.address(`${SMALL}&units=3&bits=fused:0123456789abcdef`));
  await line(page).getByText("Different result at iteration 3: the fingerprint here is").waitFor();
  await page.goto(page.address(`${SMALL}&units=3&bits=plain:0123456789abcdef`));
  await line(page).getByText("which round differently").waitFor();
  // Whoever changes something during a replay has a run of their own.
  await page.goto(page.address(`${SMALL}&units=1000000`));
  await line(page).getByText("Replaying", { exact: true }).waitFor();
  await page.evaluate(() => globalThis.learnery.configure({ clip: 0.15 }));
  await until("the replay has ended", async () => (await line(page).count()) === 0);
  await page.assertNoErrors();
});

test("recipe file repeats a run, and a wrong one is refused where it was chosen", async () => {
  const { page } = await changedRun();
  const file = await downloaded(page, () => page.getByRole("button", { name: "Save recipe" }).click());
  assert.equal(file.name, "learnery-control-seed3-6-recipe.json");
  const recipe = JSON.parse(readFileSync(file.path, "utf8"));
  assert.deepEqual(
    [recipe.recipe, recipe.seed, recipe.units, recipe.changes.map(({ unit }) => unit)],
    [1, 3, 6, [4, 5]],
  );

  const other = await openPage(hosts.isolated, "#/control?seed=8");
  await untilLearning(other);
  await openTool(other, "Share and save");
  const choose = async (name, content) => {
    const [chooser] = await Promise.all([
      other.waitForEvent("filechooser"),
      other.getByRole("button", { name: "Open a file…" }).click(),
    ]);
    await chooser.setFiles({ name, mimeType: "application/json", buffer: Buffer.from(content) });
  };
  const message = other.locator(".file-message");
  await choose("wrong.json", JSON.stringify({ ...recipe, lab: "chess" }));
  await message
    .getByText("wrong.json cannot be opened: its lab is called “chess”, and there is no such lab here.")
    .waitFor();
  assert.equal((await state(other)).seed, 8, "the open run goes on");
  await choose("run.json", JSON.stringify(recipe));
  await line(other).getByText("Same result, bit for bit, at iteration 6.").waitFor();
  assert.equal((await state(other)).seed, 11);
  await page.assertNoErrors();
  await other.assertNoErrors();
});

// Runs are saved and restored: by reload, file, another tab, and link.
//
// Uses: www/core/replay.ts

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { hosts, openPage, test, until } from "./harness.mjs";
import {
  anotherRun,
  downloaded,
  enterSetting,
  KEEP_NOTICES,
  openTool,
  setFullSpeed,
  setRunning,
  state,
  untilLearning,
  untilSaved,
  untilTold,
  untilUnits,
  untilViews,
} from "./lab.mjs";

for (const host of [hosts.isolated, hosts.plain]) {
  test(`reload continues the run: ${host.name} host`, async () => {
    const page = await openPage(host, "#/control?seed=7&epochs=8", KEEP_NOTICES);
    await untilLearning(page);
    await setFullSpeed(page);
    await untilUnits(page, 3);
    await setRunning(page, false);
    const savedUnits = await untilSaved(page);
    await page.reload();
    await untilTold(page, /^Continued from iteration/);
    // The focus keeps the notice, however long the rest takes.
    await page.getByRole("button", { name: "Start a new run" }).focus();
    await untilLearning(page);
    const now = await state(page);
    assert.ok(now.units >= savedUnits, `continued at ${now.units}, saved at ${savedUnits}`);
    assert.equal(now.seed, 7);
    assert.equal(now.config.epochs, 8);

    const fresh = await anotherRun(page, () => page.getByRole("button", { name: "Start a new run" }).click());
    assert.deepEqual([fresh.units, fresh.seed], [0, 7]);
    await page.assertNoErrors();
  });
}

test("saved file opens in another tab, by button and by drop", async () => {
  const page = await openPage(hosts.isolated, "#/control?seed=5");
  await untilLearning(page);
  await setRunning(page, false);
  const file = await downloaded(page, () => page.keyboard.press("s"));
  const units = Number(/^learnery-control-seed5-(\d+)\.safetensors$/.exec(file.name)?.[1]);
  assert.ok(units > 0, file.name);

  const other = await openPage(hosts.isolated, "#/control?seed=9", { context: page.context() });
  await untilLearning(other);
  await openTool(other, "Share and save");
  const [chooser] = await Promise.all([
    other.waitForEvent("filechooser"),
    other.getByRole("button", { name: "Open a file…" }).click(),
  ]);
  await chooser.setFiles(file.path);
  await until("the file is open", async () => (await state(other)).seed === 5);
  assert.equal((await state(other)).units, units);

  const bytes = [...readFileSync(file.path)];
  const third = await openPage(hosts.isolated, "#/control?seed=9", { context: page.context() });
  await untilLearning(third);
  await drop(third, bytes, "run.safetensors");
  await until("the dropped file is open", async () => (await state(third)).seed === 5);

  // A damaged file is refused in a sentence, and the present run continues. One bit of a number is flipped.
  bytes[bytes.length - 5] ^= 1;
  await drop(third, bytes, "damaged.safetensors");
  await third.getByText("The file is damaged").or(third.getByText("the file is damaged")).first().waitFor();
  assert.equal((await state(third)).seed, 5);
  await page.assertNoErrors();
});

/** Drops a file with these bytes on the page. */
function drop(page, bytes, name) {
  return page.evaluate(
    ([bytes, name]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
      dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    },
    [bytes, name],
  );
}

test("link is written as it was read", async () => {
  const page = await openPage(hosts.isolated, "#/control?seed=4294967295&worlds=96&learning_rate=0.00037&clip=0.3");
  await untilLearning(page);
  const first = await state(page);
  assert.deepEqual(
    [first.seed, first.config.worlds, first.config.learning_rate, first.config.clip],
    [4294967295, 96, 0.00037, 0.3],
  );
  await openTool(page, "Share and save");
  const link = await page.locator("#share-link").inputValue();
  const command = await page.locator("#share-command").inputValue();
  assert.equal(
    command,
    "cargo run --release -- train control --seed 4294967295 --set worlds=96 --set learning_rate=0.00037 --set clip=0.3",
  );
  // The other visitor's tab shows the front until it has read the link.
  const other = await openPage(hosts.isolated, "", {});
  await other.goto(link);
  await until("the link is followed", async () => (await state(other)).seed === first.seed);
  await untilLearning(other);
  const second = await state(other);
  assert.deepEqual(second.config, first.config);
  await openTool(other, "Share and save");
  assert.equal(await other.locator("#share-link").inputValue(), link);
});

test("link with a unit runs to it and pauses there, with the same outcome", async () => {
  const scores = [];
  for (let visit = 0; visit < 2; visit++) {
    const page = await openPage(hosts.isolated, "#/control?seed=3&units=4");
    await untilUnits(page, 4);
    await untilViews(page, 10); // in which a run that does not pause would go on
    const now = await state(page);
    assert.equal(now.units, 4);
    assert.equal(now.running, false);
    scores.push(now.score);
  }
  assert.equal(scores[0], scores[1]);
});

for (const [host, bits] of [
  [hosts.isolated, "fused"],
  [hosts.plain, "plain"],
]) {
  test(`fingerprint is shown with the command that checks it: ${bits} bits`, async () => {
    /** Opens the run at its fourth unit, and returns the page and the fingerprint that it shows. */
    const fingerprintOfRun = async () => {
      const page = await openPage(host, "#/control?seed=3&units=4&worlds=16");
      await untilUnits(page, 4);
      await until("it is paused", async () => !(await state(page)).running);
      await openTool(page, "Share and save");
      await page.getByRole("button", { name: "Compute the fingerprint" }).click();
      await page.getByText("Fingerprint at iteration 4.").waitFor();
      return { page, fingerprint: await page.locator("#share-fingerprint").inputValue() };
    };
    const { page, fingerprint } = await fingerprintOfRun();
    assert.match(fingerprint, /^[0-9a-f]{64}$/);
    const expected =
      "cargo run --release -- train control --seed 3 --set worlds=16 --units 4 " +
      `--bits ${bits} --expect ${fingerprint}`;
    assert.equal(await page.locator("#share-check").inputValue(), expected);
    assert.equal((await fingerprintOfRun()).fingerprint, fingerprint, "another visitor's");
    // With a changed live setting the fingerprint is another.
    await enterSetting(page, "learning rate", "0.002");
    await until("the setting is applied", async () => (await state(page)).config.learning_rate === 0.002);
    await openTool(page, "Share and save");
    await page.getByRole("button", { name: "Compute the fingerprint" }).click();
    const changed = page.locator("#share-fingerprint");
    await until("there is another fingerprint", async () => (await changed.inputValue()) !== fingerprint);
    // The command of a run with changes has its link.
    const link = "#/control?seed=3&worlds=16&change=4:learning_rate=0.002&units=4";
    assert.equal(
      await page.locator("#share-check").inputValue(),
      `cargo run --release -- train --recipe '${link}&bits=${bits}:${(await changed.inputValue()).slice(0, 16)}'`,
    );
    await page.assertNoErrors();
  });
}

test("link that makes no sense gives sentences and defaults", async () => {
  const page = await openPage(hosts.isolated, "#/control?worlds=1e9&zap=1&seed=-4&gamma=0.9&clip=");
  await untilLearning(page);
  const text = await untilTold(page, /zap/);
  for (const part of [
    "a whole number from 1 to 65536",
    "no setting called “zap”",
    "“-4” is not allowed for seed; it takes a whole number",
    "not allowed for clip",
  ]) {
    assert.ok(text.includes(part), `“${part}” is missing in: ${text}`);
  }
  const { config } = await state(page);
  assert.deepEqual([config.worlds, config.gamma, config.clip], [128, 0.9, 0.2]);
  await page.goto(page.address("#/nosuchlab?x=%E0%A4%A"));
  await untilTold(page, /There is no lab called “nosuchlab”/);
  await page.assertNoErrors();
});

test("restart by mistake can be taken back", async () => {
  const page = await openPage(hosts.isolated, "#/control?seed=11", KEEP_NOTICES);
  await untilLearning(page);
  await setFullSpeed(page);
  await untilUnits(page, 4);
  await setRunning(page, false);
  const savedUnits = await untilSaved(page);
  const saidWhenOpened = page.evaluate(
    () =>
      new Promise((resolve) => {
        const end = globalThis.learnery.on("opened", () => {
          end();
          resolve(document.querySelector(".status-saved").textContent);
        });
      }),
  );
  const [said] = await Promise.all([saidWhenOpened, page.locator(".dock .restart").click()]);
  assert.equal(said, "", "the new run is not said to be saved");
  await page.getByText("A new run has started.").waitFor();
  // Without the pointer: where it rests, a notice stays (on a slow machine that of a challenge), and the next one
  // waits.
  await page.getByRole("button", { name: "Go back" }).evaluate((button) => button.click());
  await untilTold(page, /^Continued from iteration/);
  assert.ok((await state(page)).units >= savedUnits);
  await page.assertNoErrors();
});

test("notice that leads back to the earlier run goes when that run is opened in the library", async () => {
  const page = await openPage(hosts.isolated, "#/control?seed=11&worlds=16");
  await untilLearning(page);
  await setFullSpeed(page);
  await untilUnits(page, 4);
  await setRunning(page, false);
  await untilSaved(page);
  await page.evaluate(() => globalThis.history.replaceState(null, "", "#/control?seed=12&worlds=16"));
  await page.reload();
  const notice = page.locator("[data-notice=earlier]", { hasText: "This link started a new run." });
  await notice.waitFor();
  await untilLearning(page);
  await openTool(page, "Runs");
  const open = page.locator(".run").getByRole("button", { name: "Open CartPole, worlds 16, seed 11" });
  const { seed } = await anotherRun(page, () => open.click());
  assert.equal(seed, 11);
  await until("the notice has gone", async () => (await notice.count()) === 0);
  await untilTold(page, /^Opened CartPole, .*, seed 11 at iteration/);
  await page.assertNoErrors();
});

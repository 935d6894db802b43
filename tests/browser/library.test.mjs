// The library of runs: restarting loses nothing, and every run can be opened, renamed, pinned, deleted, exported,
// imported and drawn over the chart.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hosts, openPage, root, test, until } from "./harness.mjs";
import {
  anotherRun,
  downloaded,
  KEEP_NOTICES,
  openTool,
  setFullSpeed,
  setRunning,
  state,
  untilLearning,
  untilSaved,
  untilText,
  untilTold,
  untilUnits,
} from "./lab.mjs";

const golden = (name) => join(root, `tests/golden/runs/${name}.safetensors`);

/** Opens the control lab, lets it learn for some units at max speed, and pauses and saves it. */
async function openSavedRun(hash, units = 4) {
  const page = await openPage(hosts.isolated, hash, KEEP_NOTICES);
  await untilLearning(page);
  await setFullSpeed(page);
  await learnAndPause(page, units);
  return page;
}

async function learnAndPause(page, units) {
  await untilUnits(page, units);
  if ((await state(page)).running) await setRunning(page, false);
  await untilSaved(page);
}

/** The fingerprint of the open run, and the unit that it belongs to: the save completes one that was paused midway. */
function fingerprintOf(page) {
  return page.evaluate(async () => {
    const { units, fingerprint } = await globalThis.learnery.save({ fingerprint: true });
    return { units, fingerprint };
  });
}

/** The id of the open run. */
const openId = (page) => page.evaluate(() => globalThis.learnery.note.id);

const rows = (page) => page.locator(".run");

/** The row of a run by its name, which need not be whole. */
const rowOf = (page, name) => rows(page).filter({ has: page.getByRole("heading", { name }) });

async function untilRows(page, count) {
  await until(`${count} runs are listed`, async () => (await rows(page).count()) === count);
}

/** Starts a new run and lets it learn. */
async function restart(page, units) {
  await anotherRun(page, () => page.locator(".dock .restart").click());
  await learnAndPause(page, units);
}

/** Adds files to the library by its button. */
async function importFiles(page, files) {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Import…" }).click(),
  ]);
  await chooser.setFiles(files);
}

test("restarting twice loses nothing: the first run opens with the same bits, also after a reload", async () => {
  const page = await openSavedRun("#/control?seed=11&worlds=16");
  const [id, first] = [await openId(page), await fingerprintOf(page)];
  await restart(page, 4);
  await restart(page, 4);
  const third = await openId(page);
  await openTool(page, "Runs");
  await untilRows(page, 3);
  await untilText(page.locator(".kept-runs-total"), /^3 runs, [\d.]+ [kM]B of at most 500 MB$/);
  assert.match(await rows(page).nth(2).locator(".run-goal").textContent(), /^test score \(fresh episodes\) · goal 490/);
  await rows(page).nth(2).getByRole("button", { name: "Open CartPole, worlds 16, seed 11" }).click();
  await untilTold(page, /^Opened CartPole, .*, seed 11 at iteration \d+\./);
  // The focus keeps the notice, however long the rest takes.
  await page.getByRole("button", { name: "Go back to the run before" }).focus();
  assert.equal(await openId(page), id);
  const { units, running } = await state(page);
  assert.deepEqual([units, running], [first.units, false]);
  assert.deepEqual(await fingerprintOf(page), first);
  // The run before was kept, and one click leads back.
  await page.getByRole("button", { name: "Go back to the run before" }).click();
  await until("the third run is open", async () => (await openId(page)) === third);

  await page.reload();
  await untilLearning(page);
  await setRunning(page, false);
  await openTool(page, "Runs");
  await untilRows(page, 3);
  await rows(page).nth(2).getByRole("button", { name: /^Open/ }).click();
  await until("the first run is open", async () => (await openId(page)) === id);
  assert.deepEqual(await fingerprintOf(page), first);
  // The fingerprint of a run that is not open is computed from its file.
  const other = rows(page).nth(1);
  await other.getByRole("button", { name: /^Details/ }).click();
  await other.getByRole("button", { name: "Compute the fingerprint" }).click();
  await until("its fingerprint", async () => /^[0-9a-f]{64}$/.test(await other.locator(".copyable").inputValue()));
  await page.assertNoErrors();
});

test("run is renamed, pinned, deleted and taken back, by keyboard", async () => {
  const page = await openSavedRun("#/control?seed=1&worlds=16");
  await restart(page, 4);
  await openTool(page, "Runs");
  await untilRows(page, 2);
  const old = rows(page).nth(1);
  await old.getByRole("button", { name: /^Details/ }).press("Enter");
  await old.getByRole("button", { name: /^Rename/ }).press("Enter");
  await page.keyboard.type("My  first <b>run</b>");
  await page.keyboard.press("Enter");
  const name = "My first <b>run</b>";
  await rowOf(page, name).waitFor();
  await untilText(page.locator(":focus"), /^Rename$/);
  await rowOf(page, name)
    .getByRole("button", { name: `Pin ${name}` })
    .press("Enter");
  await until("it is on top", async () => (await rows(page).first().locator("h3").textContent()) === name);
  await untilText(page.locator(":focus"), /^Pin$/); // the focus stays

  await page.reload();
  await untilLearning(page);
  await setRunning(page, false);
  await openTool(page, "Runs");
  await untilRows(page, 2);
  assert.equal(await rows(page).first().locator("h3").textContent(), name);

  // Deleted, and taken back.
  await rowOf(page, name)
    .getByRole("button", { name: /^Details/ })
    .click();
  await rowOf(page, name)
    .getByRole("button", { name: `Delete ${name}` })
    .press("Enter");
  await untilRows(page, 1);
  await page.locator(".run :focus").waitFor(); // the focus is on the neighbour
  const notice = page.locator(".notice", { hasText: `Deleted ${name}.` });
  await notice.getByRole("button", { name: "Undo" }).click();
  await untilRows(page, 2);
  // Deleted for good, once the notice has gone.
  await rowOf(page, name)
    .getByRole("button", { name: /^Details/ })
    .click();
  await rowOf(page, name)
    .getByRole("button", { name: `Delete ${name}` })
    .click();
  await untilRows(page, 1);
  assert.equal((await storedRuns(page)).length, 2, "still there while it can be taken back");
  await notice.getByRole("button", { name: "Dismiss" }).click();
  await until("it is deleted", async () => (await storedRuns(page)).length === 1);
  // The open run cannot be deleted.
  await rows(page)
    .first()
    .getByRole("button", { name: /^Details/ })
    .click();
  assert.equal(
    await rows(page)
      .first()
      .getByRole("button", { name: /^Delete/ })
      .count(),
    0,
  );
  await page.assertNoErrors();
});

/** The ids of the runs of the control lab in the browser's storage. */
function storedRuns(page) {
  return page.evaluate(async () => {
    const top = await (await navigator.storage.getDirectory()).getDirectoryHandle("learnery");
    const runs = await (await top.getDirectoryHandle("control")).getDirectoryHandle("runs");
    return Array.fromAsync(runs.keys());
  });
}

test("files are exported and imported, also those of another lab, and wrong ones are refused", async () => {
  const page = await openSavedRun("#/control?seed=5&worlds=16");
  await openTool(page, "Runs");
  await untilRows(page, 1);
  await rows(page)
    .first()
    .getByRole("button", { name: /^Details/ })
    .click();
  const exported = () => downloaded(page, () => page.getByRole("button", { name: /^Export/ }).click());
  const { units } = await state(page);
  assert.equal((await exported()).name, `learnery-control-seed5-${units}.safetensors`);
  // The name that the visitor gives a run goes with its file.
  await page.getByRole("button", { name: /^Rename/ }).click();
  await page.keyboard.type("Is it 50%?");
  await page.keyboard.press("Enter");
  await rowOf(page, "Is it 50%?").waitFor();
  const file = await exported();
  assert.equal(file.name, `learnery-control-seed5-${units} Is it 50%25%3F.safetensors`);
  const content = { name: file.name, mimeType: "", buffer: readFileSync(file.path) };
  await importFiles(page, [content]);
  await until("there are two runs of this name", async () => (await rowOf(page, "Is it 50%?").count()) === 2);
  await importFiles(page, [golden("control-pendulum"), golden("cube-davi"), join(root, "README.md")]);
  await page.getByRole("button", { name: "Open Cube" }).focus();
  await untilRows(page, 3);
  const message = page.locator(".kept-runs .file-message.wrong");
  await message.waitFor();
  assert.equal(
    await message.textContent(),
    "Imported 1 run. 1 run of another lab is now in Cube. README.md cannot be imported: it is not a safetensors file.",
  );
  await rowOf(page, "control-pendulum").getByText("2 iterations").waitFor();
  assert.equal((await state(page)).units, units, "the open run is as it was");

  // The other lab's library has the file.
  await page.getByRole("button", { name: "Open Cube" }).click();
  await until("the cube is open", () => page.evaluate(() => globalThis.learnery.lab?.about.id === "cube"));
  await untilLearning(page);
  assert.equal(await page.getByRole("tab", { name: "Runs" }).getAttribute("aria-selected"), "true");
  await rowOf(page, "cube-davi").getByRole("button", { name: /^Open/ }).click();
  await untilTold(page, /^Opened cube-davi at iteration 3\./);
  assert.equal((await state(page)).units, 3);
  // A drop on the list adds a file too, and opens nothing.
  await page.evaluate(
    (bytes) => {
      const dataTransfer = new DataTransfer();
      for (const name of ["one.safetensors", "two.safetensors"])
        dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
      const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector(".run-list").dispatchEvent(event);
    },
    [...readFileSync(golden("cube-dqn"))],
  );
  await rowOf(page, "two").waitFor();
  assert.equal(await page.locator(".drop-message").count(), 0);
  // A file that only the learner finds wrong is refused when it is opened, and the open run goes on.
  const damaged = readFileSync(golden("cube-davi")); // with a bit changed near its end
  damaged[damaged.length - 5] ^= 1;
  await importFiles(page, [{ name: "damaged.safetensors", mimeType: "", buffer: damaged }]);
  const before = await openId(page);
  await rowOf(page, "damaged").getByRole("button", { name: /^Open/ }).click();
  await untilTold(page, /^The saved run cannot be continued/);
  assert.deepEqual([await openId(page), (await state(page)).units], [before, 3]);
  await page.assertNoErrors();
});

test("curve of a run is drawn over the chart, and the run is added to the comparison", async () => {
  const page = await openSavedRun("#/control?seed=2&worlds=16", 8);
  await restart(page, 4);
  await openTool(page, "Runs");
  await untilRows(page, 2);
  const overlay = rows(page)
    .nth(1)
    .getByRole("button", { name: /^Overlay/ });
  /** How many pixels of the chart have about the colour of the first overlay. */
  const painted = () =>
    page.evaluate(() => {
      const style = getComputedStyle(document.documentElement).getPropertyValue("--other-1").trim();
      const [r, g, b] = [1, 3, 5].map((at) => parseInt(style.slice(at, at + 2), 16));
      const canvas = document.querySelector(".chart.large canvas");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4)
        if (Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 12 && data[i + 3] > 200)
          count++;
      return count;
    });
  await until("the chart is drawn", () => page.evaluate(() => document.querySelector(".chart.large canvas") !== null));
  assert.equal(await painted(), 0);
  await overlay.click();
  await page.evaluate(() => scrollTo(0, 0)); // a chart out of sight is not drawn
  await until("the curve is drawn", async () => (await painted()) > 50);
  assert.equal(await overlay.getAttribute("aria-pressed"), "true");
  await page.getByRole("button", { name: /^Take CartPole, .* off the chart$/ }).click();
  await until("the curve is gone", async () => (await painted()) === 0);
  assert.equal(await overlay.getAttribute("aria-pressed"), "false");
  await rows(page)
    .nth(1)
    .getByRole("button", { name: /^Compare/ })
    .click();
  assert.equal(await page.getByRole("tab", { name: "Compare" }).getAttribute("aria-selected"), "true");
  await page.assertNoErrors();
});

test("second tab sees the runs and opens them, and says that it does not save", async () => {
  const page = await openSavedRun("#/control?seed=3&worlds=16");
  await restart(page, 4);
  const other = await openPage(hosts.isolated, "#/control?seed=4&worlds=16", { context: page.context() });
  await untilLearning(other);
  await openTool(other, "Runs");
  await untilRows(other, 2);
  await other.getByText("Another tab saves the runs of this lab.").waitFor();
  assert.ok(await rows(other).first().getByRole("button", { name: /^Pin/ }).isDisabled());
  await rows(other).nth(1).getByRole("button", { name: /^Open/ }).click();
  await until("it is open", async () => (await state(other)).seed === 3);
  await setFullSpeed(other);
  await setRunning(other, true);
  await untilUnits(other, (await state(other)).units + 3);
  await setRunning(other, false);
  await other.getByText("not saved here: another tab saves this lab").waitFor();
  assert.equal((await storedRuns(page)).length, 2);
  // What the first tab does is seen in the second.
  await openTool(page, "Runs");
  await rows(page).nth(1).getByRole("button", { name: /^Pin/ }).click();
  await until("the second tab sees it", async () =>
    (await rows(other).first().locator(".run-state").textContent()).includes("pinned"),
  );
  await page.assertNoErrors();
  await other.assertNoErrors();
});

test("full disk: old runs go, then it is said that nothing more can be saved, and the last save stays", async () => {
  const page = await openSavedRun("#/control?seed=6&hidden=128");
  const first = await openId(page);
  const client = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  const setFree = async (bytes) => {
    const { usage } = await page.evaluate(() => navigator.storage.estimate());
    await client.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: usage + bytes });
  };
  await restart(page, 4);
  await setFree(1000);
  const second = await openId(page);
  // There is no room for another save of the open run, so the older one goes.
  await setRunning(page, true);
  await untilTold(page, /^The browser's storage was full, so the oldest run that is not pinned was removed: CartPole/);
  await learnAndPause(page, 6);
  assert.deepEqual(await storedRuns(page), [second]);
  assert.notEqual(first, second);
  const saved = Number(/saved at iteration (\d+)/.exec(await page.locator(".status-saved").textContent())[1]);
  await setFree(1000);
  await setRunning(page, true);
  await untilTold(page, /^The browser's storage is full, so nothing more of this run can be saved/);
  await untilText(page.locator(".status-saved"), /^not saved: the browser's storage is full$/);
  await page.reload();
  await untilLearning(page);
  assert.equal(await openId(page), second);
  await untilTold(page, new RegExp(`^Continued from iteration ${saved},`));
  await client.send("Storage.overrideQuotaForOrigin", { origin });
  await page.assertNoErrors();
});

test("hundred runs are listed by their metadata alone", async () => {
  const page = await openSavedRun("#/control?seed=8&worlds=16");
  await page.evaluate(async () => {
    const top = await (await navigator.storage.getDirectory()).getDirectoryHandle("learnery");
    const runs = await (await top.getDirectoryHandle("control")).getDirectoryHandle("runs");
    const [id] = await Array.fromAsync(runs.keys());
    const source = await runs.getDirectoryHandle(id);
    const files = await Promise.all(
      ["run.safetensors", "run.json"].map(async (name) => (await source.getFileHandle(name)).getFile()),
    );
    for (let copy = 0; copy < 99; copy++) {
      const folder = await runs.getDirectoryHandle(`copy${copy}`, { create: true });
      for (const file of files) {
        const writable = await (await folder.getFileHandle(file.name, { create: true })).createWritable();
        await writable.write(file);
        await writable.close();
      }
    }
    const read = Blob.prototype.arrayBuffer;
    globalThis.bytesRead = 0;
    Blob.prototype.arrayBuffer = function () {
      globalThis.bytesRead += this.size;
      return read.call(this);
    };
  });
  await openTool(page, "Runs");
  await untilRows(page, 100);
  await untilText(page.locator(".kept-runs-total"), /^100 runs, /);
  assert.equal(await page.evaluate(() => globalThis.bytesRead), 0, "no checkpoint was read");
  await page.assertNoErrors();
});

test("runs that earlier versions saved in slots are found in the library", async () => {
  const bytes = [...readFileSync(golden("control-ppo"))];
  const page = await openPage(hosts.isolated, "");
  await page.evaluate(async (bytes) => {
    const top = await (await navigator.storage.getDirectory()).getDirectoryHandle("learnery", { create: true });
    const folder = await top.getDirectoryHandle("control", { create: true });
    const write = async (name, content) => {
      const writable = await (await folder.getFileHandle(name, { create: true })).createWritable();
      await writable.write(content);
      await writable.close();
    };
    for (const slot of ["latest", "previous"]) {
      await write(`${slot}.safetensors`, new Uint8Array(bytes));
      await write(`${slot}.json`, JSON.stringify({ seconds: 5, solvedSeconds: null, solvedWork: null }));
    }
  }, bytes);
  await page.goto(page.address("#/control"));
  await untilTold(page, /^Continued from iteration 3,/);
  assert.equal((await state(page)).seed, 7);
  await openTool(page, "Runs");
  await untilRows(page, 2);
  await page.assertNoErrors();
});

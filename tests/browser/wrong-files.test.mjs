// Files that are not what the page needs: what is wrong is said where the file was dropped or chosen, and the open run
// goes on as if nothing had happened.

import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hosts, openPage, root, temporaryFolder, test, until } from "./harness.mjs";
import { downloaded, openTool, setRunning, state, untilLearning, untilTold, untilUnits } from "./lab.mjs";

/** The files of a test. */
let folder;

test.beforeEach(() => void (folder = temporaryFolder()));

/** Writes a file and returns its path. */
function file(name, content) {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

/** A safetensors file with another header, whose length stands in front of it. */
function withHeader(bytes, change) {
  const length = Number(bytes.readBigUInt64LE(0));
  const header = Buffer.from(change(bytes.subarray(8, 8 + length).toString()));
  const start = Buffer.alloc(8);
  start.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([start, header, bytes.subarray(8 + length)]);
}

/** Drops files on the page as a visitor does, at a point of the window. */
async function drop(page, paths, [x, y] = [300, 250]) {
  const client = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"])
    await client.send("Input.dispatchDragEvent", { type, x, y, data });
  await client.detach();
}

/** Lets the visitor choose a file with the button. */
async function choose(page, path) {
  await openTool(page, "Share and save");
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Open a file…" }).click(),
  ]);
  await chooser.setFiles(path);
}

/** The runs that are kept in the browser's storage. */
const keptRuns = (page) =>
  page.evaluate(async () => {
    const root = await (await navigator.storage.getDirectory()).getDirectoryHandle("learnery", { create: true });
    const found = [];
    for await (const [lab, folder] of root)
      for await (const id of (await folder.getDirectoryHandle("runs", { create: true })).keys())
        found.push(`${lab}/${id}`);
    return found;
  });

test("wrong file is refused where it was dropped, and the open run stays as it is", async () => {
  const page = await openPage(hosts.isolated, "#/control?seed=7");
  await untilLearning(page);
  await untilUnits(page, 3);
  await until("the run is kept", async () => (await keptRuns(page)).length === 1);
  await setRunning(page, false);
  const good = readFileSync((await downloaded(page, () => page.keyboard.press("s"))).path);
  await openTool(page, "Share and save");
  const network = await downloaded(page, () => page.getByRole("button", { name: "Save network only" }).click());
  copyFileSync(network.path, join(folder, "network.safetensors"));
  const flipped = Buffer.from(good); // with a bit changed near its end
  flipped[flipped.length - 5] ^= 1;
  mkdirSync(join(folder, "a folder"));
  const cases = {
    "a folder": [[join(folder, "a folder")], "a folder is a folder. Drop a single file."],
    "several files": [[file("1.txt", "1"), file("2.txt", "2")], "Only one file can be opened at a time."],
    "an empty file": [[file("empty.safetensors", "")], "empty.safetensors cannot be opened: the file is empty."],
    "a text": [[file("text.safetensors", "To be, or not to be")], "cannot be opened: it is not a safetensors file."],
    "random bytes": [[file("noise.bin", Buffer.alloc(5000, 0xa7))], "cannot be opened: it is not a safetensors file."],
    "half a file": [
      [file("half.safetensors", good.subarray(0, good.length / 2))],
      `cannot be opened: it is incomplete: it has ${good.length / 2} bytes, and ${good.length} are needed.`,
    ],
    "half a header": [[file("head.safetensors", good.subarray(0, 300))], "it is incomplete: it has 300 bytes"],
    "a flipped bit": [[file("flipped.safetensors", flipped)], "the file is damaged (its checksum does not match)."],
    "another program's file": [
      [join(root, "tests/golden/nn_mlp.safetensors")],
      "it is a safetensors file, but not a run that Learnery has saved.",
    ],
    "an unknown lab": [
      [
        file(
          "lab.safetensors",
          withHeader(good, (text) => text.replace('lab\\":\\"control', 'lab\\":\\"chess')),
        ),
      ],
      "its lab is called “chess”, and there is no such lab here.",
    ],
    "a newer format": [
      [
        file(
          "newer.safetensors",
          withHeader(good, (text) => text.replace(/format\\":\d+/, 'format\\":99')),
        ),
      ],
      "it was written by a newer version (format 99",
    ],
    "only a network": [[join(folder, "network.safetensors")], "it holds only the network"],
  };
  const before = await state(page);
  const keptBefore = await keptRuns(page);
  const link = page.url();
  for (const [name, [paths, text]] of Object.entries(cases)) {
    await drop(page, paths);
    const message = page.locator(".drop-message.wrong");
    await message.waitFor();
    const said = await message.locator("span").textContent();
    assert.ok(said.includes(text), `${name}: “${said}”`);
    assert.doesNotMatch(said, /checkpoint: |resume|\.\.$/, name);
    const box = await message.boundingBox();
    assert.ok(Math.abs(box.x + box.width / 2 - 300) < 60 && Math.abs(box.y + box.height / 2 - 250) < 60, name);
    assert.deepEqual(await state(page), before, `${name}: the run is unchanged`);
    assert.equal(page.url(), link);
    await message.getByRole("button", { name: "Close" }).click();
  }
  assert.deepEqual(await keptRuns(page), keptBefore, "no run was added or removed");
  assert.equal(await page.locator(".notice.wrong").count(), 0);

  // The same by the button: the message stands beside it.
  await choose(page, join(folder, "flipped.safetensors"));
  await page.locator(".file-message.wrong", { hasText: "flipped.safetensors cannot be opened" }).waitFor();
  assert.deepEqual(await state(page), before);
  // A run that goes on is not even paused.
  await setRunning(page, true);
  await drop(page, [join(folder, "flipped.safetensors")], [5, 5]);
  await page.locator(".drop-message.wrong").waitFor();
  assert.ok((await page.locator(".drop-message").boundingBox()).x > 0, "the message is within the window");
  await until("it goes on", async () => (await state(page)).units > before.units);
  // The message is gone on another screen, where it would cover something else.
  await page.getByRole("link", { name: "Learnery" }).click();
  await until("the message is gone", async () => (await page.locator(".drop-message").count()) === 0);
  await page.goBack();
  await page.locator(".dock").waitFor();

  // A good file is opened as a run of its own, and the open run stays in the library.
  await drop(page, [file("good.safetensors", good)]);
  await untilTold(page, new RegExp(`^Opened good\\.safetensors at iteration ${before.units}\\.`));
  await page.locator(".drop-message").waitFor({ state: "detached" });
  await untilTold(page, /^Another run is open\. The previous one/);
  assert.ok((await keptRuns(page)).includes(keptBefore[0]));
  assert.equal((await state(page)).running, false);
  await page.assertNoErrors();
});

test("file of gigabytes is judged by its header alone", async () => {
  const page = await openPage(hosts.plain, "#/control");
  await untilLearning(page);
  await page.evaluate(() => {
    const real = Blob.prototype.arrayBuffer;
    globalThis.sizesRead = [];
    Blob.prototype.arrayBuffer = function () {
      globalThis.sizesRead.push(this.size);
      return real.call(this);
    };
    const metadata = { learnery: JSON.stringify({ header: { lab: "control", config: {}, seed: 1, units: 1 } }) };
    const header = new TextEncoder().encode(
      JSON.stringify({ __metadata__: metadata, w: { dtype: "U8", shape: [3e9], data_offsets: [0, 3e9] } }),
    );
    const length = new Uint8Array(new BigUint64Array([BigInt(header.length)]).buffer);
    const megabyte = new Blob([new Uint8Array(1e6)]);
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([length, header, ...Array(3000).fill(megabyte)], "huge.safetensors"));
    dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  });
  const text = "huge.safetensors cannot be opened: it has 3000 megabytes, and at most 400 fit into a tab.";
  await page.getByText(text).waitFor();
  const read = await page.evaluate(() => globalThis.sizesRead);
  assert.ok(read.length > 0 && read.every((size) => size < 1000), `${read} bytes were read`);
  await page.assertNoErrors();
});

test("file of a lab that cannot be loaded is refused, and the open run goes on", async () => {
  const page = await openPage(hosts.plain, "#/control?seed=4");
  await untilLearning(page);
  // The part of the page that opens files has to be there.
  await drop(page, [file("no-file-of-ours.safetensors", "nothing")]);
  await page.locator(".drop-message.wrong").getByRole("button", { name: "Close" }).click();
  await page.setNetwork(false);
  await drop(page, [join(root, "tests/golden/runs/cube-dqn.safetensors")]);
  const text = "cannot be opened: its lab is not stored on this device and there is no network.";
  await page.locator(".drop-message.wrong", { hasText: text }).waitFor();
  const { units, seed } = await state(page);
  assert.equal(seed, 4);
  await untilUnits(page, units + 1);
});

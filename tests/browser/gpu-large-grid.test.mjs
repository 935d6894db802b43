// The large grid of the logic lab, computed and drawn by the page's own WebGPU device: its steps are those of the
// exported circuit, it is panned, zoomed and damaged, and where there is no WebGPU a sentence says so. Chromium
// computes WebGPU on its software adapter, SwiftShader.

import assert from "node:assert/strict";
import { hosts, openPage, test, until } from "./harness.mjs";
import { untilFrames, untilLearning, untilStill } from "./lab.mjs";

test.use({ browserArguments: ["--enable-unsafe-webgpu"] }); // without it, headless Chromium has no adapter

const SMALLEST = 512;

const press = (page, name) => page.locator(".logic-large").getByRole("button", { name, exact: true }).click();
const status = (page) => page.locator(".logic-large .remark").textContent();

async function openGrid(page, hash = "#/logic") {
  await page.goto(page.address(hash));
  await untilLearning(page);
  await page.getByRole("button", { name: "Large grid" }).click();
  await until("the grid is shown", async () => /Step/.test(await status(page)));
}

/** The circuit, the size and the steps of the grid. */
const grid = (page) =>
  page.evaluate(() => {
    const { circuit, size, steps } = document.querySelector(".logic-large").grid;
    return { circuit, size, steps };
  });

/** The cells of the grid, channel after channel, one byte each. */
async function cells(page) {
  const { size, circuit } = await grid(page);
  const words = await page.evaluate(async () => Array.from(await document.querySelector(".logic-large").grid.read()));
  assert.equal(words.length, (circuit.channels * size * size) / 32);
  const bits = new Uint8Array(circuit.channels * size * size);
  for (let i = 0; i < bits.length; i++) bits[i] = (words[i >> 5] >>> (i & 31)) & 1;
  return bits;
}

const isEqual = (a, b) => a.length === b.length && a.every((cell, i) => cell === b[i]);

/** One step of the circuit, cell by cell. */
function stepCells({ channels, periodic, gates, outputs }, size, before) {
  const after = new Uint8Array(before.length);
  const wires = new Uint8Array(9 * channels + gates.length);
  const plane = size * size;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      for (let k = 0; k < 9; k++) {
        const [nearX, nearY] = [x + (k % 3) - 1, y + Math.floor(k / 3) - 1];
        const inside = nearX >= 0 && nearY >= 0 && nearX < size && nearY < size;
        const at = ((nearY + size) % size) * size + ((nearX + size) % size);
        for (let c = 0; c < channels; c++) wires[9 * c + k] = inside || periodic ? before[c * plane + at] : 0;
      }
      // `kind` is a truth table: bit 3 is the output for the inputs 0 and 0, bit 0 that for 1 and 1.
      gates.forEach(([kind, a, b], i) => (wires[9 * channels + i] = (kind >> (3 - 2 * wires[a] - wires[b])) & 1));
      outputs.forEach((wire, channel) => (after[channel * plane + y * size + x] = wires[wire]));
    }
  }
  return after;
}

/** The picture, as text, once the device has done what it was given and nothing changes any more. */
const picture = (page) =>
  untilStill(page, () =>
    page.evaluate(async () => {
      await document.querySelector(".logic-large").grid.read();
      return document.querySelector(".logic-large-canvas").toDataURL();
    }),
  );

test("steps of the large grid are those of the circuit, with edges that end and that wrap around", async () => {
  for (const hash of ["#/logic", "#/logic?experiment=life"]) {
    // With reduced motion the grid waits at its initial state. A circuit that has learned nothing may soon erase it.
    const page = await openPage(hosts.isolated, hash, { reducedMotion: "reduce" });
    await openGrid(page, hash);
    const { circuit, size } = await grid(page);
    assert.equal(size, SMALLEST);
    assert.equal(circuit.periodic, hash.includes("life"));
    let expected = await cells(page);
    assert.ok(expected.includes(1) && expected.includes(0), "it begins at random");
    for (let i = 0; i < 2; i++) {
      await press(page, "One step");
      expected = stepCells(circuit, size, expected);
      assert.ok(isEqual(await cells(page), expected), `${hash}, step ${i + 1}`);
    }
    await page.assertNoErrors();
  }
});

test("large grid runs, is panned, zoomed and damaged, and stands still where the device is slow", async () => {
  const viewport = { width: 1280, height: 1000 };
  const page = await openPage(hosts.isolated, "#/logic", { viewport, reducedMotion: "reduce" });
  await openGrid(page);
  const canvas = page.locator(".logic-large-canvas");
  const box = await canvas.boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const before = await cells(page);
  await page.mouse.click(x, y);
  const after = await cells(page);
  // The damage is a disc with a radius of 24 pixels; the whole grid fills 90 % of the picture.
  const radius = (24 * SMALLEST) / (0.9 * Math.min(box.width, box.height));
  const fromMiddle = (i) => {
    const [column, row] = [i % SMALLEST, Math.floor(i / SMALLEST) % SMALLEST];
    return Math.hypot(column + 0.5 - SMALLEST / 2, row + 0.5 - SMALLEST / 2);
  };
  // Two cells, because the middle of the canvas may be between pixels.
  const isRight = (cell, i) => {
    const distance = fromMiddle(i);
    if (distance < radius - 2) return cell === 0;
    return distance > radius + 2 ? cell === before[i] : cell <= before[i];
  };
  assert.ok(!isEqual(after, before) && after.every(isRight), "a disc is erased in all channels, and nothing else");

  const all = await picture(page);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -1500); // `wheel` returns before the page has handled it
  await until("the wheel enlarges", async () => (await picture(page)) !== all);
  const enlarged = await picture(page);
  await canvas.focus();
  await page.keyboard.press("ArrowRight");
  await until("an arrow key moves", async () => (await picture(page)) !== enlarged);
  const panned = await picture(page);
  await press(page, "Move");
  const still = await cells(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 120, y + 60, { steps: 4 });
  await page.mouse.up();
  await until("dragging moves", async () => (await picture(page)) !== panned);
  assert.ok(isEqual(await cells(page), still), "moving damages nothing");
  await page.keyboard.press("0");
  await until("the key 0 shows the whole grid", async () => (await picture(page)) === all);
  await press(page, "+");
  await until("the button + enlarges", async () => (await picture(page)) !== all);
  await press(page, "−");
  await until("the button − undoes it", async () => (await picture(page)) === all);
  await press(page, "+");
  await press(page, "All");
  await until("the whole grid is shown again", async () => (await picture(page)) === all);

  await page.emulateMedia({ reducedMotion: "no-preference" });
  await press(page, "Start again");
  await until("it moves", async () => (await grid(page)).steps > 2);
  await press(page, "Pause the large grid");
  const { steps } = await grid(page);
  await untilFrames(page, 30);
  assert.equal((await grid(page)).steps, steps, "it is paused");
  await press(page, "Run the large grid");
  await until("it goes on", async () => (await grid(page)).steps > steps);

  await press(page, "4096");
  await until("the largest grid", async () => (await grid(page)).size === 4096);
  await untilFrames(page, 30);
  assert.equal((await grid(page)).steps, 0, "it stands still on a software adapter");
  await press(page, "One step");
  await until("a step", async () => /Step 1: 4,096 × 4,096 cells/.test(await status(page)));
  await press(page, "Close");
  await until("it is closed", async () => (await page.locator(".logic-large").count()) === 0);
  await page.assertNoErrors();
});

test("where there is no WebGPU, a sentence says so", async () => {
  const page = await openPage(hosts.isolated, "#/logic");
  await page.addInitScript(() => delete Object.getPrototypeOf(navigator).gpu);
  await page.reload();
  await untilLearning(page);
  await page.getByRole("button", { name: "Large grid" }).click();
  await until("the reason", async () => /This browser has no WebGPU/.test(await status(page)));
  assert.equal(await page.locator(".logic-large canvas").count(), 0);
  await press(page, "Close");
  await page.assertNoErrors();
});

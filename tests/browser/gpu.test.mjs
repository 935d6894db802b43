// Labs on a GPU, mostly the language lab: by a link, by the switch and back, saved and reloaded, and when the GPU
// fails. Chromium computes WebGPU on its software adapter, SwiftShader, so the networks are tiny.
//
// Uses: www/move-run.ts, www/core/device-trial.ts

import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { hosts, openPage, test, until } from "./harness.mjs";
import { openTool, recordTexts, setRunning, state, untilSaved, untilText, untilUnits } from "./lab.mjs";

test.use({ browserArguments: ["--enable-unsafe-webgpu"] }); // without it, headless Chromium has no adapter

const TINY = "#/language?source=copy&size=3&width=16&layers=1&heads=2&batch=8&updates=2&judge_every=4&judge_size=20";

const device = (page) => page.evaluate(() => globalThis.learnery.device);
const gpu = (page) => page.evaluate(() => globalThis.learnery.gpu);
const deviceButton = (page, name) => page.locator(".device-switch").getByRole("button", { name, exact: true });
const deviceText = (page) => page.locator(".device-about").textContent();

/** Waits until the run computes on the GPU. */
const untilOnGpu = (page) => until("the GPU is open", async () => (await gpu(page)) !== null);

test("link lets a run learn on the GPU: it is drawn, pauses, steps, and goes on after a reload", async () => {
  const page = await openPage(hosts.isolated, `${TINY}&seed=3&device=gpu`);
  await until("the lab is shown", () => page.evaluate(() => globalThis.learnery?.open));
  await untilOnGpu(page);
  const { name, software, operationsPerSecond } = await gpu(page);
  console.log(`the adapter is ${name}`);
  assert.ok(operationsPerSecond > 1e7, `${operationsPerSecond} operations a second`);
  assert.match(await deviceText(page), software ? /in software, slower than the CPU, peak/ : /peak/);
  assert.equal(await deviceButton(page, "GPU").getAttribute("aria-pressed"), "true");
  assert.match(page.url(), /device=gpu/);
  await openTool(page, "Share and save");
  assert.match(await page.locator("#share-command").inputValue(), /--device gpu/);
  await page.evaluate(() => {
    globalThis.views = 0;
    globalThis.learnery.on("view", () => globalThis.views++);
  });
  const { units: atFirst } = await state(page);
  // A picture out of sight is not drawn, and on a busy machine the page may still be scrolling to the tool.
  await until("the picture is drawn", () =>
    page.evaluate(() => {
      scrollTo(0, 0);
      return globalThis.views > 5;
    }),
  );
  await untilUnits(page, atFirst + 3); // and the GPU works meanwhile

  await setRunning(page, false);
  const units = await untilSaved(page); // for which it completes its unit
  await page.evaluate(() => globalThis.learnery.finishUnit());
  await until("a unit more", async () => (await state(page)).units === units + 1);

  await page.reload();
  await until("the run is open again", async () => (await state(page)).units > units);
  await untilOnGpu(page);
  await untilUnits(page, units + 3);
  await page.assertNoErrors();
});

test("switch moves a run to the GPU and back, and another lab computes on the CPU", async () => {
  const page = await openPage(hosts.isolated, `${TINY}&seed=4`);
  await until("it learns", async () => (await state(page)).units > 2);
  await deviceButton(page, "GPU").click();
  await untilOnGpu(page);
  assert.equal((await state(page)).bundle, "gpu");
  const { units } = await state(page);
  assert.ok(units > 2, "the run goes on where it was");
  await untilUnits(page, units + 2);
  assert.ok((await state(page)).running);

  await deviceButton(page, "CPU").click();
  await until("it is back", async () => (await device(page)) === "cpu");
  assert.ok((await state(page)).units >= units + 2, "and keeps what the GPU learned");
  await untilUnits(page, units + 20);
  assert.doesNotMatch(page.url(), /device/);

  await deviceButton(page, "GPU").click();
  await untilOnGpu(page);
  await page.goto(page.address("#/backgammon"));
  await until("backgammon's lab learns", async () => (await state(page)).units > 0 && (await device(page)) === "cpu");
  assert.equal(await page.locator(".device-switch").count(), 0);
  await page.assertNoErrors();
});

test("control, cube and logic learn on the GPU too", async () => {
  const links = [
    "#/control?worlds=64&horizon=16&epochs=2&minibatches=2&eval_every=2&eval_episodes=8&seed=3&device=gpu",
    "#/cube?puzzle=3x3x3&learner=davi&hidden_1=12&hidden_2=8&batch=70&updates=2&scramble=7&judge_every=2&evaluate_states=1&evaluate_beam=8&evaluate_scramble=1&seed=3&device=gpu",
    "#/logic?experiment=life&epochs=1&seed=3&device=gpu",
  ];
  for (const link of links) {
    const page = await openPage(hosts.isolated, link);
    await until("the lab is shown", () => page.evaluate(() => globalThis.learnery?.open));
    await untilOnGpu(page);
    await untilUnits(page, 2);
    await untilSaved(page);
    const { units } = await state(page);
    await deviceButton(page, "CPU").click();
    await until(
      "it goes on on the CPU",
      async () => (await device(page)) === "cpu" && (await state(page)).units > units,
    );
    await page.assertNoErrors();
    await page.close();
  }
});

/** A world in which the agent learns to hold a key. */
const DOT = `world "Dot"
param gain = 1 from 0 to 4
state x = 0
action go: left, none, right
x' = x + gain * (go - 1)
reward x
limit 40 steps
observe x scale 3
draw circle at (x, 0) radius 0.5
`;

test("world of one's own learns on the GPU, with other values and another text in mid-run", async () => {
  const world = (text, parameters) => ({ type: "world", name: "dot.world", text, parameters });
  const data = deflateRawSync(JSON.stringify(world(DOT))).toString("base64url");
  const sizes = "worlds=64&horizon=16&epochs=2&minibatches=2&eval_every=2&eval_episodes=8";
  const page = await openPage(hosts.isolated, `#/control?world=own&${sizes}&seed=3&device=gpu&data=0:${data}`);
  await until("the lab is shown", () => page.evaluate(() => globalThis.learnery?.open));
  await untilOnGpu(page);
  assert.equal((await state(page)).bundle, "gpu");
  await untilUnits(page, 2);
  const changeTo = (command) =>
    page.evaluate(
      (command) =>
        globalThis.learnery.setData(command).then(
          () => "",
          ({ message }) => message,
        ),
      command,
    );
  for (const command of [world(DOT, { gain: 3 }), world(DOT.replace("reward x", "reward -x"))]) {
    assert.equal(await changeTo(command), "");
    const { units } = await state(page);
    await untilUnits(page, units + 2); // an evaluation among them
    assert.deepEqual([await device(page), (await gpu(page)) !== null], ["gpu", true]);
  }
  assert.match(
    await changeTo(world(DOT.replace("40", "500000"))),
    /episodes of 500000 steps; on a GPU at most 20000 are/,
  );
  const { units } = await state(page);
  await untilUnits(page, units + 1);
  await deviceButton(page, "CPU").click();
  await until("it goes on on the CPU", async () => (await device(page)) === "cpu" && (await state(page)).units > units);
  const changes = await page.evaluate(() => globalThis.learnery.changes.map(({ data }) => data.command.text));
  assert.deepEqual([changes.length, changes.at(-1).includes("reward -x")], [3, true]);
  await page.assertNoErrors();
});

/**
 * What is put before the program of a worker: its adapter looks like hardware, and while `isSlow`, no pipeline of a
 * world's rules is ever ready, and the worker's clock goes on by a quarter of a second whenever it is read.
 */
function compileSlowly(isSlow) {
  const { GPUAdapterInfo, GPUDevice, performance } = globalThis;
  if (!GPUDevice) return;
  for (const [name, value] of [
    ["description", "Some hardware"],
    ["isFallbackAdapter", false],
  ])
    Object.defineProperty(GPUAdapterInfo.prototype, name, { get: () => value });
  globalThis.isSlow = isSlow;
  let [pending, ahead] = [0, 0];
  const now = performance.now.bind(performance);
  performance.now = () => now() + (pending > 0 ? (ahead += 250) : ahead);
  const { createComputePipelineAsync } = GPUDevice.prototype;
  GPUDevice.prototype.createComputePipelineAsync = function (descriptor) {
    if (!globalThis.isSlow) return createComputePipelineAsync.call(this, descriptor);
    pending++;
    return new Promise(() => {});
  };
}

test("world whose rules are not compiled within ten seconds is learned on the CPU, and the page says so", async () => {
  const world = (text) => ({ type: "world", name: "dot.world", text });
  const data = deflateRawSync(JSON.stringify(world(DOT))).toString("base64url");
  const sizes = "worlds=64&horizon=16&epochs=2&minibatches=2&eval_every=2&eval_episodes=8";
  for (const isSlowAtFirst of [true, false]) {
    const prepare = (page) =>
      page.context().route(/\/assets\/worker-[^/]*\.js$/, async (route) => {
        const response = await route.fetch();
        const program = await response.text();
        await route.fulfill({ response, body: `(${compileSlowly})(${isSlowAtFirst});\n${program}` });
      });
    const link = `#/control?world=own&${sizes}&seed=3&device=gpu&data=0:${data}`;
    const page = await openPage(hosts.isolated, link, { prepare });
    await until("the lab is shown", () => page.evaluate(() => globalThis.learnery?.open));
    if (!isSlowAtFirst) {
      await untilOnGpu(page);
      await untilUnits(page, 2);
      // From now on another text is compiled slowly.
      for (const worker of page.workers()) await worker.evaluate(() => void (globalThis.isSlow = true));
      await page.evaluate(
        (command) => globalThis.learnery.setData(command),
        world(DOT.replace("reward x", "reward -x")),
      );
    }
    const said = page.locator(".notice", { hasText: "The GPU is not used" });
    await said.waitFor();
    assert.match(
      await said.textContent(),
      /The GPU's compiler takes longer than 10 seconds for the rules of this world; the run continues on the CPU\./i,
    );
    await until("it is on the CPU", async () => (await device(page)) === "cpu" && (await state(page)).bundle !== "gpu");
    assert.equal(await deviceButton(page, "CPU").getAttribute("aria-pressed"), "true");
    const { units } = await state(page);
    await untilUnits(page, units + 2);
    const texts = await page.evaluate(() => globalThis.learnery.changes.map(({ data }) => data.command.text));
    assert.equal(texts.at(-1).includes("reward -x"), !isSlowAtFirst, "it learns the text that it was given last");
    await page.assertNoErrors();
    await page.close();
  }
});

test("trial measures both devices with copies of the run, which waits and then goes on", async () => {
  const page = await openPage(hosts.isolated, `${TINY}&seed=8`);
  await until("it learns", async () => (await state(page)).units > 2);
  const trial = page.locator(".device-trial");
  const said = page.locator(".device-trial-result");
  // Whether the run trains, each time that the trial says something.
  await page.evaluate(() => {
    globalThis.ran = [];
    const record = () => globalThis.ran.push(globalThis.learnery.progress.running);
    new MutationObserver(record).observe(document.querySelector(".device-trial-result"), {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  const untilSaid = await recordTexts(page, ".device-trial-result");
  await trial.click();
  await untilSaid("measuring the CPU");
  await untilSaid("measuring the GPU");
  const { units } = await state(page);
  await said.getByText(/the CPU trains this run [\d.,]+ times as fast as the GPU/).waitFor();
  await untilText(trial, /^Measure both$/);
  assert.equal(await device(page), "cpu");
  assert.ok(
    (await page.evaluate(() => globalThis.ran)).slice(0, 2).every((ran) => !ran),
    "the run waits",
  );
  await until("it learns on", async () => (await state(page)).units > units);

  await trial.click();
  await said.getByText("measuring the CPU").waitFor();
  await trial.click();
  await until("it is stopped", async () => (await trial.textContent()) === "Measure both");
  assert.equal(await said.textContent(), "");
  await until("it learns on", async () => (await state(page)).running);
  await page.assertNoErrors();
});

test("trial of a run on the GPU offers the CPU, which is faster than a GPU in software", async () => {
  const page = await openPage(hosts.isolated, `${TINY}&seed=9&device=gpu`);
  await until("the lab is shown", () => page.evaluate(() => globalThis.learnery?.open));
  await untilOnGpu(page);
  const move = page.locator(".device-move");
  assert.ok(await move.isHidden());
  await page.locator(".device-trial").click();
  await page.getByText(/the CPU trains this run [\d.,]+ times as fast as the GPU/).waitFor();
  await untilText(move, /^Train on the CPU$/);
  await move.click();
  await until("it is on the CPU", async () => (await device(page)) === "cpu");
  assert.ok(await move.isHidden());
  await page.assertNoErrors();
});

test("visitor who changes their mind keeps the run on the CPU, running", async () => {
  const page = await openPage(hosts.isolated, `${TINY}&seed=6`);
  await until("it learns", async () => (await state(page)).units > 2);
  // Both in one task, so that the move cannot be over before.
  await page.evaluate(() => {
    const button = (device) => document.querySelector(`.device-switch [data-value=${device}]`);
    button("gpu").click();
    button("cpu").click();
  });
  const { units } = await state(page);
  await until("it learns on", async () => (await state(page)).units > units + 5);
  await page.waitForTimeout(1000); // in which the move would have ended
  assert.deepEqual([await device(page), (await state(page)).bundle], ["cpu", "threads"]);
  assert.equal(await deviceButton(page, "CPU").getAttribute("aria-pressed"), "true");
  assert.doesNotMatch(page.url(), /device/);
  await page.assertNoErrors();
});

test("failed GPU leaves the last save, which goes on on the CPU", async () => {
  const page = await openPage(hosts.isolated, `${TINY}&seed=5&device=gpu`);
  await until("the lab is shown", () => page.evaluate(() => globalThis.learnery?.open));
  await untilOnGpu(page);
  await untilUnits(page, 2);
  await setRunning(page, false);
  const saved = await untilSaved(page);
  await setRunning(page, true);
  // From now on no result of the GPU can be read.
  await page.workers()[0].evaluate(() => {
    globalThis.GPUBuffer.prototype.mapAsync = () => Promise.reject(new Error("the device is lost"));
  });
  const card = page.locator(".card.failure");
  await card.waitFor();
  assert.match(await card.textContent(), /The GPU failed.*from its last save, on the processor/s);
  // It may have been saved once more before the GPU failed.
  const back = card.getByRole("button", { name: /^Go back to iteration \d+/ });
  const last = Number(/iteration (\d+)/.exec(await back.textContent())[1]);
  assert.ok(last >= saved, `the last save is at ${last}, an earlier one at ${saved}`);
  await back.click();
  await until("it goes on", async () => {
    const { running, units } = await state(page);
    return running && units > last;
  });
  assert.equal(await device(page), "cpu");
  await page.assertNoErrors();
});

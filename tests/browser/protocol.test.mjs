// Tests of the session worker without the page around it (bare/main.ts), on all three kinds of host: the choice of
// bundle, its answers, its failures, and a checkpoint that goes from the tab to the command line and back.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { ask, openBare } from "./bare.mjs";
import { program, test } from "./command-line.mjs";
import { hosts, temporaryFolder, until } from "./harness.mjs";

const NO_HEADERS =
  "One thread: this web server does not allow more, because it sends no cross-origin isolation headers.";
/** As many threads as www/core/bundle.ts takes at most. */
const MAX_THREADS = 16;

const settings = { worlds: 16, horizon: 16, epochs: 2, minibatches: 2, eval_episodes: 2 };

for (const host of Object.values(hosts)) {
  test(`bundle that fits the host is chosen, loaded and explained: ${host.name}`, async () => {
    const page = await openBare(host);
    const { choice, loading, ready } = await page.evaluate(() => ({
      choice: globalThis.bare.choice,
      loading: globalThis.bare.received.filter(({ type }) => type === "loading"),
      ready: globalThis.bare.received.at(-1),
    }));
    assert.equal(ready.type, "ready", JSON.stringify(ready));
    assert.equal(choice.name, host.bundle);
    assert.equal(ready.build.threads, choice.threads);
    const cores = Math.min(await page.evaluate(() => navigator.hardwareConcurrency), MAX_THREADS);
    assert.equal(choice.threads, host.bundle === "threads" ? cores : 1);
    assert.equal(ready.build.simd, host.bundle === "threads" ? "simd128 + relaxed" : "simd128");
    const threads = cores === 1 ? "One thread: this machine has one core." : `${cores} threads.`;
    assert.equal(choice.reason, host.bundle === "threads" ? threads : NO_HEADERS);
    assert.equal(loading.at(-1).loaded, loading.at(-1).total, "loading was announced to its end");
    assert.ok(loading.every(({ loaded, total }) => loaded <= total));
    await page.assertNoErrors();
  });

  test(`worker learns while views are drawn: ${host.name}`, async () => {
    const page = await openBare(host);
    await ask(page, { type: "start", lab: "control", settings: {}, seed: 7 }, "opened");
    await ask(page, { type: "run", stepsPerSecond: null }, "progress");
    const { views } = await page.evaluate(() => globalThis.bare.solve());
    assert.ok(views > 10, `only ${views} views`);
    await ask(page, { type: "pause" }, "progress");
    // One more progress message may arrive before the answer to the pause.
    const last = () => globalThis.bare.received.findLast(({ type }) => type === "progress").progress.running;
    await until("it is paused", async () => !(await page.evaluate(last)));
    await page.assertNoErrors();
  });

  test(`failures of every kind are told apart, and a new worker takes over: ${host.name}`, async () => {
    const page = await openBare(host);
    for (const [how, kind, words] of [
      ["panic", "panic", "this panic was asked for"],
      ["poolPanic", "panic", "this panic in the pool was asked for"],
      ["memory", "memory", "there is not enough memory"],
    ]) {
      const failed = await ask(page, { type: "fail", how }, "failed");
      assert.equal(failed.kind, kind, JSON.stringify(failed));
      assert.ok(failed.message.includes(words), failed.message);
      assert.ok(!/\/(root|home|Users)\//.test(failed.message), "no path of the machine that built it");
      await page.evaluate(() => globalThis.bare.replace());
      await page.waitForFunction(() => globalThis.bare.received.some(({ type }) => type === "ready"));
    }
    await ask(page, { type: "start", lab: "control", settings, seed: 1 }, "opened");
    assert.equal(await page.evaluate(() => globalThis.bare.received.filter(({ type }) => type === "failed").length), 0);
  });
}

test("request that cannot be carried out is refused in words", async () => {
  const page = await openBare(hosts.isolated);
  const refused = await ask(page, { type: "start", lab: "control", settings: { worlds: 0 }, seed: 1 }, "refused");
  assert.match(refused.message, /`worlds`.*from 1 to/);
  assert.equal((await ask(page, { type: "pause" }, "refused")).message, "no run is open");
  await page.assertNoErrors();
});

test("checkpoint travels from the tab to the command line and back", async () => {
  const work = temporaryFolder();
  const page = await openBare(hosts.isolated);
  await ask(page, { type: "start", lab: "control", settings, seed: 11 }, "opened");
  for (let unit = 0; unit < 3; unit++) await ask(page, { type: "step", unit: true }, "progress");
  const file = join(work, "tab.safetensors");
  writeFileSync(file, await savedBytes(page));

  const out = join(work, "run");
  await promisify(execFile)(program, ["train", "--resume", file, "--units", "2", "--out", out, "--json"], {
    cwd: work,
  });
  const continued = checkpointsUnder(out).at(-1);
  assert.ok(continued, "the command line left a checkpoint");

  const bytes = [...readFileSync(continued)];
  const opened = await page.evaluate(
    (bytes) => globalThis.bare.ask({ type: "resume", bytes: new Uint8Array(bytes) }, "opened", "refused"),
    bytes,
  );
  assert.equal(opened.type, "opened", opened.message);
  assert.equal(opened.progress.units, 5);
  assert.equal(opened.run.seed, 11);
  assert.deepEqual(opened.metrics.units, [1, 2, 3, 4, 5]);
  assert.equal((await ask(page, { type: "step", unit: true }, "progress")).progress.units, 6);
  // An unchanged run is saved to the same bytes.
  await page.evaluate(
    (bytes) => globalThis.bare.ask({ type: "resume", bytes: new Uint8Array(bytes) }, "opened"),
    bytes,
  );
  assert.ok((await savedBytes(page)).equals(Buffer.from(bytes)), "the file changed on its way");
});

/** The checkpoint of the run in the page's worker. */
async function savedBytes(page) {
  return Buffer.from(
    await page.evaluate(async () => {
      const saved = await globalThis.bare.ask(
        { type: "save", networkOnly: false, wait: false, fingerprint: false },
        "saved",
      );
      return [...saved.bytes];
    }),
  );
}

/** The checkpoints of a run's folder in order, the latest last. */
function checkpointsUnder(out) {
  const files = readdirSync(out, { recursive: true }).filter((name) => name.endsWith(".safetensors"));
  return files.map((name) => join(out, name)).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

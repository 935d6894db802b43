// Every lab and learner computes in a tab the bits that it computes in a terminal: each golden run is started anew and
// continued from its checkpoint, in every bundle, and its fingerprints are compared with those that the Rust test
// `fingerprints` checks natively.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ask, openBare, untilReady } from "./bare.mjs";
import { hosts, root, test } from "./harness.mjs";

const folder = join(root, "tests/golden/runs");
const read = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));
const runs = read("runs.json");
const fingerprints = read("fingerprints.json");

/** The bundles of each class of bits, with numbers of threads to try. */
const BUNDLES = {
  fused: [
    ["threads", 1],
    ["threads", 3],
  ],
  plain: [
    ["threads-plain", 3],
    ["simple", 1],
  ],
};

for (const [bits, bundles] of Object.entries(BUNDLES)) {
  for (const lab of new Set(runs.map(({ lab }) => lab))) {
    test(`${lab} computes the recorded ${bits} bits`, async () => {
      const page = await openBare(hosts.isolated);
      const fuses = (await page.evaluate(() => globalThis.bare.choice.name)) === "threads";
      test.skip(!fuses && bits === "fused", "this browser does not fuse the multiply-add");
      for (const [bundle, threads] of bundles) await assertBits(page, { lab, bits, bundle, threads });
      await page.assertNoErrors();
    });
  }
}

/** Computes the golden runs of a lab in a bundle. */
async function assertBits(page, { lab, bits, bundle, threads }) {
  await page.evaluate((wanted) => globalThis.bare.replace(...wanted), [lab, bundle, threads]);
  await untilReady(page);
  const { choice, ready } = await page.evaluate(() => ({
    choice: globalThis.bare.choice.name,
    ready: globalThis.bare.received.at(-1),
  }));
  assert.equal(choice, bundle);
  assert.equal(ready.type, "ready", JSON.stringify(ready));
  assert.equal(ready.build.threads, threads);
  for (const { name, settings, seed, units, more } of runs.filter((run) => run.lab === lab)) {
    const what = `${name}, ${bundle}, threads: ${threads}`;
    const expected = fingerprints[name][bits];
    await ask(page, { type: "start", lab, settings, seed }, "opened", "refused");
    assert.equal(await advanced(page, units), expected.started, `${what}, started`);
    const bytes = readFileSync(join(folder, `${name}.safetensors`)).toString("base64");
    await page.evaluate(async (bytes) => {
      const decoded = Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0));
      await globalThis.bare.ask({ type: "resume", bytes: decoded }, "opened", "refused");
    }, bytes);
    assert.equal(await advanced(page, more), expected.continued, `${what}, continued`);
  }
}

/** Trains for some units and returns the fingerprint of the run. */
async function advanced(page, units) {
  for (let unit = 0; unit < units; unit++) await ask(page, { type: "step", unit: true }, "progress");
  return page.evaluate(async () => {
    const request = { type: "save", networkOnly: false, wait: false, fingerprint: true };
    return (await globalThis.bare.ask(request, "saved")).fingerprint;
  });
}

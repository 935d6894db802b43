// Every lab and learner computes in a tab the bits that it computes in a terminal: each golden run is started anew and
// continued from its checkpoint, in every bundle, and its fingerprints are compared with those that the Rust test
// `fingerprints` checks natively. So is a run of each example of a world of the user's own.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ask, openBare, openProgram } from "./bare.mjs";
import { hosts, root, test } from "./harness.mjs";

const folder = join(root, "tests/golden/runs");
const read = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));
const runs = read("runs.json");
const fingerprints = read("fingerprints.json");
const ownWorlds = read("own-worlds.json");

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

/** The programs with which the golden runs are computed: those of the labs, and the one with the rules of worlds. */
const OWN_WORLDS = "control-own-worlds";
const PROGRAMS = [...new Set(runs.map(({ lab }) => lab)), OWN_WORLDS];

for (const [bits, bundles] of Object.entries(BUNDLES)) {
  for (const program of PROGRAMS) {
    test(`${program} computes the recorded ${bits} bits`, async () => {
      const page = await openBare(hosts.isolated);
      const fuses = (await page.evaluate(() => globalThis.bare.choice.name)) === "threads";
      test.skip(!fuses && bits === "fused", "this browser does not fuse the multiply-add");
      for (const [bundle, threads] of bundles) {
        await openProgram(page, program, bundle, threads);
        const what = `${bundle}, threads: ${threads}`;
        if (program === OWN_WORLDS) await assertBitsOfOwnWorlds(page, bits, what);
        else await assertBits(page, program, bits, what);
      }
      await page.assertNoErrors();
    });
  }
}

/** Computes the golden runs of a lab. */
async function assertBits(page, lab, bits, what) {
  for (const { name, settings, seed, units, more } of runs.filter((run) => run.lab === lab)) {
    const expected = fingerprints[name][bits];
    await ask(page, { type: "start", lab, settings, seed }, "opened", "refused");
    assert.equal(await advanced(page, units), expected.started, `${name}, ${what}, started`);
    const bytes = readFileSync(join(folder, `${name}.safetensors`)).toString("base64");
    await page.evaluate(async (bytes) => {
      const decoded = Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0));
      await globalThis.bare.ask({ type: "resume", bytes: decoded }, "opened", "refused");
    }, bytes);
    assert.equal(await advanced(page, more), expected.continued, `${name}, ${what}, continued`);
  }
}

/** Learns each example world, then saves the run and continues it. */
async function assertBitsOfOwnWorlds(page, bits, what) {
  const { settings, seed, units, more } = ownWorlds;
  for (const [name, expected] of Object.entries(ownWorlds.fingerprints)) {
    const text = readFileSync(join(root, `crates/world-rules/examples/${name}.world`), "utf8");
    await ask(page, { type: "start", lab: "control", settings, seed }, "opened", "refused");
    const command = { type: "world", name: `${name}.world`, text };
    await ask(page, { type: "command", command }, "configured", "refused");
    assert.equal(await advanced(page, units), expected[bits].started, `${name}, ${what}, started`);
    await page.evaluate(async () => {
      const request = { type: "save", networkOnly: false, wait: false, fingerprint: false };
      const { bytes } = await globalThis.bare.ask(request, "saved");
      await globalThis.bare.ask({ type: "resume", bytes }, "opened", "refused");
    });
    assert.equal(await advanced(page, more), expected[bits].continued, `${name}, ${what}, continued`);
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

// Links and commands of runs: what is written can be read again, and hostile links do no harm. What single links ask
// for is tested by files (links.test.ts).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { commandLine } from "../../www/core/command-line";
import { changedSettings, readLink, sameRun, settingText, writeLink, type Settings } from "../../www/core/link";
import { LABS } from "../../www/generated/labs";

/** An entry of runs.json: a saved run that the repository keeps, with its link and its command. */
interface SavedRun {
  name: string;
  lab: string;
  seed: number;
  units: number;
  command: string;
  link: string;
  settings: Settings;
}

const RUNS = JSON.parse(readFileSync(new URL("../golden/runs/runs.json", import.meta.url), "utf8")) as SavedRun[];

/** Reads a link that asks for a run, not for the front. */
async function readRun(link: string) {
  const { request, problems } = await readLink(link, LABS);
  assert.ok(request, `${link} asks for no run`);
  return { request, problems };
}

for (const run of RUNS) {
  test(`link of ${run.name} is read, and written again as it was`, async () => {
    const { request, problems } = await readRun(run.link);
    assert.deepEqual(problems, []);
    assert.equal(request.lab.about.id, run.lab);
    assert.equal(request.seed, run.seed);
    assert.equal(request.units, run.units);
    assert.ok(request.explicit);
    // The entry names all settings that were given, also those that equal their defaults.
    assert.deepEqual(request.settings, changedSettings(request.lab, run.settings));
    const written = writeLink(request.lab, request.settings, request.seed, request.units);
    assert.deepEqual((await readRun(written)).request, request);
    assert.ok(sameRun(request.lab, request, run));
  });

  test(`command of ${run.name} names the same settings as its link`, async () => {
    const { request } = await readRun(run.link);
    const command = commandLine(request.lab, request.settings, request.seed, request.units);
    assert.match(command, new RegExp(`train ${run.lab} --seed ${run.seed} .*--units ${run.units}$`));
    for (const [, name, value] of command.matchAll(/--set (\w+)=(\S+)/g)) {
      assert.equal(value, settingText(run.settings[name as string] ?? null), name);
    }
  });
}

test("link with minus zero asks for zero", async () => {
  const { request, problems } = await readRun("#/control?seed=-0&units=-0");
  assert.deepEqual(problems, []);
  assert.ok(Object.is(request.seed, 0) && Object.is(request.units, 0));
});

test("link with many problems reports the first ones and how many others there are", async () => {
  const { problems } = await readRun(`#/control?${Array.from({ length: 500 }, (_, i) => `zap${i}=1`).join("&")}`);
  // Seven of the 500 problems, and a sentence about the others.
  assert.deepEqual([problems.length, problems.at(-1)], [8, "The link has 493 more problems"]);
});

const HOSTILE = [
  "#/nosuchlab?x=%E0%A4%A",
  "#/control?__proto__=1&constructor=2&toString=3",
  "#/control?worlds=NaN&gamma=Infinity&clip=",
  "#/control?seed=1e999&units=-0x10",
  "#/%3Cscript%3E?<script>=<img%20onerror=alert(1)>",
  `#/control?${"a=1&".repeat(5000)}`,
  `#/${"x".repeat(100_000)}`,
  "#////???&&&===",
];

for (const link of HOSTILE) {
  test(`hostile link gives a run with defaults: ${link.slice(0, 40)}`, async () => {
    const { request } = await readRun(link);
    assert.equal(Object.getPrototypeOf(request.settings), Object.prototype);
    assert.deepEqual(request.settings, {});
    assert.ok(Number.isInteger(request.seed));
    assert.ok(request.units === null || request.units >= 0);
  });
}

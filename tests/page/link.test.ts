// Links and commands of runs: what is written can be read again, and hostile links do no harm.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  changedSettings,
  commandLine,
  readLink,
  sameRun,
  settingText,
  writeLink,
  type Settings,
} from "../../www/core/link";
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

test("link names a setting by its title too, and is written with its key", async () => {
  const { request, problems } = await readRun("#/logic?local_search=3&change=5:restart_after=7&units=9");
  assert.deepEqual([problems, request.settings], [[], { mend: 3 }]);
  assert.deepEqual(
    request.changes.map(({ settings }) => settings),
    [{ anew_after: 7 }],
  );
  assert.match(writeLink(request.lab, request.settings, request.seed, request.units), /&mend=3/);
});

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

test("bare link leads to the front, and one with settings but no lab to the first lab", async () => {
  for (const bare of ["", "#", "#/", "#/labs"]) assert.equal((await readLink(bare, LABS)).request, null, bare);
  assert.equal((await readLink("#/?seed=7", LABS)).request?.seed, 7);
  const { request } = await readLink(`#/${LABS[0]?.id}`, LABS);
  assert.equal(request?.lab.about.id, LABS[0]?.id);
  assert.equal(request?.explicit, false);
});

test("link with values out of range keeps the defaults and explains itself", async () => {
  const { request, problems } = await readRun("#/control?worlds=0&gamma=2&world=moon&seed=-1&units=1.5&zap=1");
  assert.deepEqual(request.settings, {});
  assert.equal(request.seed, 0);
  assert.equal(request.units, null);
  assert.equal(problems.length, 6);
  for (const [i, name] of ["worlds", "gamma", "world", "seed", "units", "zap"].entries()) {
    assert.ok(problems[i]?.includes(name), problems[i]);
  }
});

test("link accepts a decimal comma and keeps the largest seed", async () => {
  const { request, problems } = await readRun("#/control?gamma=0,9&seed=4294967295");
  assert.deepEqual(problems, []);
  assert.equal(request.settings["gamma"], 0.9);
  assert.equal(request.seed, 4294967295);
});

test("link with minus zero asks for zero", async () => {
  const { request, problems } = await readRun("#/control?seed=-0&units=-0");
  assert.deepEqual(problems, []);
  assert.ok(Object.is(request.seed, 0) && Object.is(request.units, 0));
});

test("link that repeats a key asks for its last value, or for the default if that is not allowed", async () => {
  assert.equal((await readRun("#/control?worlds=64&worlds=32")).request.settings["worlds"], 32);
  const { request, problems } = await readRun("#/control?worlds=64&worlds=0&seed=3&seed=x&units=5&units=");
  assert.deepEqual([request.settings, request.seed, request.units], [{}, 0, null]);
  assert.equal(problems.length, 3);
});

test("link with long or strange texts quotes them briefly, on one line", async () => {
  const { problems } = await readRun(`#/control?world=${"long".repeat(100)}&gamma=a%0A%0Ab%E2%80%AEc&zap=1&zap=1`);
  assert.equal(problems.length, 3, "a repeated problem is reported once");
  assert.ok(problems[0]?.startsWith(`“${"long".repeat(10)}…” is not allowed for world; it takes one of`), problems[0]);
  assert.ok(problems[1]?.startsWith("“a b c” is not allowed for gamma"), problems[1]);
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

test("device is read from a link and written to it, and asks for no particular run", async () => {
  const { request, problems } = await readRun("#/language?device=gpu");
  assert.deepEqual([request.device, request.explicit, problems], ["gpu", false, []]);
  assert.match(writeLink(request.lab, {}, 7, null, "gpu"), /^#\/language\?seed=7&device=gpu$/);
  assert.match(commandLine(request.lab, {}, 7, 3, "gpu"), /--seed 7 --units 3 --device gpu$/);
  assert.equal((await readRun("#/language?seed=3")).request.device, null);

  const unknown = await readRun("#/language?device=tpu");
  assert.equal(unknown.request.device, null);
  assert.match(unknown.problems.join(), /“tpu” is not allowed for device; it takes cpu or gpu/);
  const without = await readRun("#/backgammon?device=gpu");
  assert.equal(without.request.device, null);
  assert.match(without.problems.join(), /does not compute on a GPU in a browser/);
});

test("challenge and what is to be shown are read as they stand in the link, and ask for no particular run", async () => {
  const { request, problems } = await readRun("#/backgammon?show=-b:1%3A31&challenge=A%20title~games>=10");
  assert.deepEqual([request.show, request.challenge, request.explicit], ["-b:1:31", "A title~games>=10", false]);
  assert.deepEqual(problems, []);
  assert.equal(writeLink(request.lab, request.settings, 7), "#/backgammon?seed=7", "they are no part of the run");
  assert.equal((await readRun("#/backgammon?seed=7")).request.show, null);
  // The view decides what it makes of a text, also of one that makes no sense.
  assert.equal((await readRun("#/control?show=a&show=")).request.show, "");
});

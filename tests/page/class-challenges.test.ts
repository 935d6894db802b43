// Challenges in the results of a class: what a code holds of them, which are refused, how the teacher's page names
// them, and that a run has to have done them; and results that a check has found to differ.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { Checks } from "../../www/class/checks";
import { readCode, writeCode, type ReadResult, type Result } from "../../www/class/code";
import { checksum } from "../../www/class/code-text";
import { doneBy, isDone, keyOf, ownChallenges, readable } from "../../www/class/done-challenges";
import { challengeTexts, entryOf, resultsTable, seatEntry } from "../../www/class/entries";
import { keepRefuted } from "../../www/class/store";
import { challengeIn, taskOf } from "../../www/class/task";
import { writeChallenge, type Challenge } from "../../www/core/challenge";
import { writeLink } from "../../www/core/link";
import type { Run } from "../../www/core/run";
import { Series } from "../../www/core/series";
import { LABS } from "../../www/generated/labs";
import { LAB } from "../../www/generated/labs/control";
import { challenges as own } from "../../www/labs/control/challenges";

const METRIC = "examReturn";
const BITS = "fused:0123456789abcdef";

const resultWith = (rest: Partial<Result> = {}): Result => ({
  name: "Ada",
  link: writeLink(LAB, { worlds: 64 }, 7, 500, "cpu", { bits: BITS }).slice(2),
  metric: METRIC,
  target: 475,
  curve: { units: [100, 500], values: [20, 480] },
  answers: [{ question: "Why?", text: "So." }],
  ...rest,
});
const readWell = async (code: string | null): Promise<ReadResult> => {
  const read = await readCode(code ?? "", LABS);
  assert.ok(!("problem" in read), JSON.stringify(read));
  return read;
};
const codeWith = async (done: Result["done"]) => writeCode(resultWith({ ...(done && { done }) }));

/** A run as challenges are judged: with these values of the lab's test in units 1, 2, 3 and so on. */
function runWith(values: number[], rest: Partial<Run> = {}): Run {
  const series = new Series(LAB.about.metrics);
  const columns = LAB.about.metrics.map(({ name }) => (name === METRIC ? values : values.map(() => 0)));
  series.append({ units: values.map((_, i) => i + 1), values: columns });
  const settings = Object.fromEntries(LAB.fields.map((field) => [field.name, field.default]));
  return { lab: LAB, settings, changes: [], series, ...rest } as unknown as Run;
}

const taskWith = async (query: string) => {
  const task = await taskOf(`#/control?${query}`, "", LABS);
  assert.ok(!("problem" in task), JSON.stringify(task));
  return task;
};

test("a code holds what its run has done of the lab's challenges and of the class's, each once", async () => {
  const task = await taskWith(`worlds=64&challenge=${encodeURIComponent("Quick & good~examReturn>=400&units<=5")}`);
  const balance = own.find(({ title }) => title === "CartPole: balance the pole") as Challenge;
  const same = await taskWith(`challenge=${encodeURIComponent(writeChallenge(balance))}`);
  const all = [task.challenge, same.challenge, ...own] as Challenge[];
  const run = runWith([9, 410, 480, 300, 490]);
  run.settings["worlds"] = 64;
  const done = await readable(doneBy(run, all, 5), LAB);
  const keys = [
    "worlds=64&challenge=~examReturn%3E%3D400%26units%3C%3D5",
    "world=cartpole&challenge=~examReturn%3E%3D475",
    "world=cartpole&challenge=~examReturn%3E%3D475~examReturn%3C%3D350~examReturn%3E%3D475",
  ];
  assert.deepEqual(done, [
    [keys[0], 2],
    [keys[1], 3],
    [keys[2], 5],
  ]);
  assert.deepEqual(doneBy(run, all, 2), [[keys[0], 2]], "up to the unit of the code");
  run.settings["worlds"] = 32;
  assert.equal(doneBy(run, all, 5).length, 2, "with the settings that the run has");
  const code = await codeWith(done);
  assert.ok((code?.length ?? 0) < 600, `${code?.length} characters`);
  const { challenges, answers } = await readWell(code);
  assert.deepEqual(
    challenges.map(({ key, unit, isOwn }) => [key, unit, isOwn]),
    [
      [keys[0], 2, false],
      [keys[1], 3, true],
      [keys[2], 5, true],
    ],
  );
  assert.deepEqual(answers, resultWith().answers);
  for (const each of challenges) assert.equal(keyOf(each.challenge), each.key);
});

test("codes without challenges are those of older versions, and every challenge of a lab has a key that can be read", async () => {
  const old = await codeWith(undefined);
  assert.equal(old, await codeWith([]));
  assert.deepEqual((await readWell(old)).challenges, []);
  for (const { load } of LABS) {
    const lab = await load();
    const listed = await ownChallenges(lab);
    assert.ok(listed.length > 2, lab.about.id);
    const pairs = listed.map((challenge): [string, number] => [keyOf(challenge), 1]);
    assert.equal(new Set(pairs.map(([key]) => key)).size, listed.length, lab.about.id);
    assert.deepEqual(await readable(pairs, lab), pairs);
  }
});

test("a class's link to a challenge of the lab asks for all that it asks, also for settings with their defaults", async () => {
  const mountain = own.find(({ settings }) => settings["shaping"] === 0);
  assert.ok(mountain);
  const text = encodeURIComponent(writeChallenge(mountain));
  const task = await taskWith(`${writeLink(LAB, mountain.settings, 0).split("?seed=0&")[1]}&challenge=${text}`);
  assert.equal(task.challenge && keyOf(task.challenge), keyOf(mountain));
  const run = runWith([-200, -100]);
  Object.assign(run.settings, { world: "mountaincar", shaping: 10 });
  assert.deepEqual(doneBy(run, [task.challenge as Challenge], 2), []);
  run.settings["shaping"] = 0;
  assert.equal(doneBy(run, [task.challenge as Challenge], 2).length, 1);
});

test("hostile challenges in a code are refused in one sentence", async () => {
  const code = (await codeWith([["challenge=~examReturn%3E%3D475", 40]])) ?? "";
  const body = JSON.parse(inflateRawSync(Buffer.from(code.split(".")[2] ?? "", "base64url")).toString()) as unknown[];
  const with_ = (done: unknown, ...more: unknown[]) => {
    const packed = deflateRawSync(JSON.stringify([...body.slice(0, -1), done, ...more])).toString("base64url");
    return readCode(`LC1.${checksum(packed)}.${packed}`, LABS);
  };
  assert.ok(!("problem" in (await with_(body.at(-1)))));
  const key = "challenge=~examReturn%3E%3D475";
  const hostile: unknown[] = [
    [key],
    [[key]],
    [[key, 40, 1]],
    [[key, -1]],
    [[key, 1.5]],
    [[key, "40"]],
    [[key, 501]], // after the end of the run
    [
      [key, 40],
      [key, 41],
    ],
    [[5, 40]],
    [["", 40]],
    [["challenge=", 40]],
    [["challenge=~", 40]],
    [["challenge=A%20title~examReturn%3E%3D475", 40]],
    [["challenge=~examReturn>=475", 40]], // the same, written otherwise
    [["challenge=~nosuchmetric%3E%3D475", 40]],
    [["challenge=~__proto__%3E%3D475", 40]],
    [["worlds=-3&challenge=~examReturn%3E%3D475", 40]],
    [["nosuch=3&challenge=~examReturn%3E%3D475", 40]],
    [["seed=3&challenge=~examReturn%3E%3D475", 40]],
    [["show=nosuch&challenge=~examReturn%3E%3D475", 40]], // begins with something that is not the lab's
    [[`challenge=~${"examReturn%3E%3D475%26".repeat(200)}examReturn%3E%3D475`, 40]],
    Array.from({ length: 13 }, (_, i) => [`challenge=~examReturn%3E%3D${i}`, 40]),
    [null],
    [[[key], 40]],
  ];
  for (const done of hostile) {
    const found = await with_(done);
    assert.ok("problem" in found, JSON.stringify(done).slice(0, 100));
    assert.match(found.problem, /^A challenge in this result code cannot be read\. Perhaps another version .*\.$/);
  }
  for (const found of [await with_({ 0: [key, 40] }), await with_([[key, 40]], "q", "a"), await with_([], [])])
    assert.ok("problem" in found, "not where a code has them");
});

test("a challenge is done only by a run that has reached it in that unit, in the world of the challenge", async () => {
  const read = async (key: string, unit: number) => {
    const [done] = (await readWell(await codeWith([[key, unit]]))).challenges;
    assert.ok(done);
    return done;
  };
  const balance = "challenge=~examReturn%3E%3D475";
  const run = runWith([9, 410, 480, 300, 490]);
  assert.ok(isDone(await read(balance, 3), run, 5));
  assert.ok(!isDone(await read(balance, 2), run, 5), "earlier than it was");
  assert.ok(!isDone(await read(balance, 5), run, 5), "later");
  assert.ok(isDone(await read(balance, 5), run, 5_000), "of a long run, pages have every second row");
  assert.ok(!isDone(await read(balance, 2), run, 5_000));
  assert.ok(!isDone(await read("worlds=8&challenge=~examReturn%3E%3D475", 3), run, 5), "with other settings");
  // That of the lab which begins with a world, in a run that has another one.
  const [pole] = own.filter(({ show }) => show === "challenge.pole");
  const inOwn = runWith([480], { settings: { ...run.settings, world: "own" } });
  assert.ok(pole && !isDone(await read(keyOf(pole), 1), inOwn, 5));
});

test("teacher's page calls challenges by titles that it knows, the class's first, and others by their goals", async () => {
  const { challenge, ...task } = await taskWith(`worlds=64&challenge=${encodeURIComponent("Quick~examReturn>=400")}`);
  const ofClass = challengeIn({ ...task, challenge });
  assert.ok(ofClass && challenge);
  const balance = "world=cartpole&challenge=~examReturn%3E%3D475";
  const other = "worlds=64&challenge=~units%3E%3D1";
  const code = await codeWith([
    [other, 1],
    [balance, 1200 / 3],
    [ofClass.key, 38],
  ]);
  const result = await readWell(code);
  const entry = await entryOf(result);
  assert.equal(
    challengeTexts(entry, ofClass),
    "Quick (iteration 38); another goal: not before iteration 1, worlds 64 (iteration 1); CartPole: balance the pole (iteration 400)",
  );
  assert.match(challengeTexts(entry, null), /another goal: test score .* at least 400.*, worlds 64 \(iteration 38\)/);
  assert.ok(!challengeTexts(entry, { ...ofClass, lab: "cube" }).includes("Quick"), "that of another lab");
  // What only the tab tells is told apart as soon as there is a code.
  const seat = { seat: 1, seed: 7, name: "Ada", answers: [], progress: null, challenge: 12 };
  const told = await seatEntry(seat, null, LAB, "control?worlds=64");
  assert.equal(challengeTexts(told.entry, ofClass), "Quick (iteration 12)");
  const without = await seatEntry(seat, await readWell(await codeWith([])), LAB, "control?worlds=64");
  assert.equal(challengeTexts(without.entry, ofClass), "Quick (iteration 12, only the tab says so)");
  const both = await seatEntry(seat, result, LAB, "control?worlds=64");
  assert.match(challengeTexts(both.entry, ofClass), /^Quick \(iteration 38\); another/);
  const [heads, row] = resultsTable([entry], ofClass, () => "not checked").split("\n");
  assert.match(heads ?? "", /,Settings,Challenges done,Check$/);
  assert.match(row ?? "", /,control\?worlds=64,"Quick \(iteration 38\); .*",not checked$/);
});

test("a result that a check has found to differ is known after a reload, until a check says otherwise", async (t) => {
  const usual = { name: "simple", bits: "plain", threads: 1, reason: "" } as const;
  const [mallory, ada] = [
    await readWell(await codeWith([])),
    await readWell(await writeCode(resultWith({ name: "Bo" }))),
  ];
  keepRefuted(mallory.code, "metrics");
  t.after(() => keepRefuted(mallory.code, null));
  const checks = new Checks(usual, true);
  assert.deepEqual([checks.isRefuted(mallory), checks.isRefuted(ada)], [true, false]);
  assert.deepEqual(checks.stateOf(mallory), { kind: "differs", what: "metrics" });
  keepRefuted(mallory.code, null);
  assert.ok(!new Checks(usual, true).isRefuted(mallory));
  keepRefuted(mallory.code, "nonsense");
  assert.ok(!new Checks(usual, true).isRefuted(mallory));
});

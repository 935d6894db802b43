// A class beyond its codes: what the teacher's page collects and keeps, what it takes of a pupil's tab, and how pages
// and server find each other again.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test, type TestContext } from "node:test";
import { replayOf } from "../../www/core/replay-apart";
import { readCode, writeCode, type ReadResult, type Result } from "../../www/class/code";
import { Collection } from "../../www/class/collection";
import { progressOf, PupilConnection } from "../../www/class/connection";
import { hasBegun, largestGroup, seatEntry } from "../../www/class/entries";
import { ClassServer, readState, ServerProblem, waitAfter, type Progress } from "../../www/class/server";
import { keepCodes, keptCodes } from "../../www/class/store";
import { isPlainText, MAX_NAME, shownText } from "../../www/class/text";
import { Emitter } from "../../www/core/events";
import { writeLink } from "../../www/core/link";
import type { ReplayEvents } from "../../www/core/replay";
import type { Run } from "../../www/core/run";
import type { RunEvents } from "../../www/core/run-events";
import { Series } from "../../www/core/series";
import { LABS } from "../../www/generated/labs";
import { LAB } from "../../www/generated/labs/control";
import { replaceStorage } from "./fake-storage";
import { settled } from "./settled";

const METRIC = LAB.about.charts[0] as string;
const RECIPE = "control?worlds=64";

const resultOf = async (seed: number, rest: Partial<Result> = {}): Promise<ReadResult> => {
  const link = writeLink(LAB, { worlds: 64 }, seed, 500, "cpu", { bits: "fused:0123456789abcdef" }).slice(2);
  const curve = { units: [100, 500], values: [seed, seed + 1] };
  const code = await writeCode({
    name: `Pupil ${seed}`,
    link,
    metric: METRIC,
    target: 475,
    curve,
    answers: [],
    ...rest,
  });
  const read = await readCode(code ?? "", LABS);
  assert.ok(!("problem" in read), JSON.stringify(read));
  return read;
};
const read = (code: string) => readCode(code, LABS);
const codesOf = (...seeds: number[]) => Promise.all(seeds.map(async (seed) => (await resultOf(seed)).code));

/** A storage for the codes of one test. */
function storageOfCodes(t: TestContext) {
  // What is kept is forgotten at the end, because the page also remembers what it could not write.
  t.after(() => {
    fake.isFull = false;
    keepCodes([]);
  });
  const fake = replaceStorage(t, "localStorage");
  return fake;
}

test("a code that is added while the kept ones are read erases none of them", async (t) => {
  storageOfCodes(t);
  const [a, b, c, d] = (await codesOf(1, 2, 3, 4)) as [string, string, string, string];
  keepCodes([a, b, c]);
  const collection = new Collection(read);
  const loaded = collection.load();
  const added = await collection.add([d, b, "LC1.00000000.AA"]);
  await loaded;
  assert.deepEqual(
    [added.items.map(({ name }) => name), added.known, [...added.problems.values()]],
    [["Pupil 4"], 1, [[3]]],
  );
  assert.deepEqual(keptCodes(), [a, b, c, d]);
  assert.deepEqual([...collection.entries.keys()], [a, b, c, d]);
  collection.remove(b);
  assert.deepEqual(keptCodes(), [a, c, d]);
  // Another tab has removed one and added one.
  keepCodes([a, d, b]);
  await collection.load();
  assert.deepEqual([...collection.entries.keys()].sort(), [a, b, d].sort());
});

test("kept codes that cannot be read stay kept", async (t) => {
  storageOfCodes(t);
  const [a, b, c] = (await codesOf(1, 2, 3)) as [string, string, string];
  const unknown = "LC1.0123abcd.another-version";
  keepCodes([a, unknown, b]);
  let isOffline = true;
  const collection = new Collection((code) =>
    code === a && isOffline ? Promise.reject(new Error("chunk")) : read(code),
  );
  await collection.load();
  assert.deepEqual([...collection.entries.keys()], [b]);
  await collection.add([c]);
  collection.remove(b);
  assert.deepEqual(keptCodes(), [a, unknown, c]);
  assert.match([...(await collection.add([a])).problems.keys()].join(), /^A part of the page could not be loaded\./);
  isOffline = false;
  assert.deepEqual(
    (await collection.add([a])).items.map(({ name }) => name),
    ["Pupil 1"],
  );
  assert.deepEqual(keptCodes(), [a, unknown, c]);
});

test("codes that have not changed are looked for once, and another tab's are found", async (t) => {
  const fake = storageOfCodes(t);
  const [a, b] = (await codesOf(1, 2)) as [string, string];
  keepCodes([a]);
  const kept = keptCodes();
  assert.deepEqual(kept, [a]);
  assert.equal(keptCodes(), kept);
  fake.setItem("learnery:class:codes", `${b}\n${a}`);
  assert.deepEqual(keptCodes(), [b, a]);
  assert.equal(keptCodes(), keptCodes());
  assert.deepEqual(kept, [a]);
});

test("what could not be written is newer than what is in the storage", async (t) => {
  const fake = storageOfCodes(t);
  const [a, b] = (await codesOf(1, 2)) as [string, string];
  keepCodes([a]);
  fake.isFull = true;
  keepCodes([a, b]);
  assert.deepEqual(keptCodes(), [a, b]);
  fake.isFull = false;
  keepCodes([b]);
  assert.deepEqual(keptCodes(), [b]);
});

const progress = (rest: Partial<Progress> = {}): Progress => ({
  recipe: RECIPE,
  seed: 2,
  metric: METRIC,
  target: 475,
  units: 500,
  bits: "fused",
  curve: { units: [500], values: [499] },
  challenge: null,
  ...rest,
});

test("row of a result that was handed in is what its code says, and not what the tab says", async () => {
  const said = progress({ units: 9_000, bits: "plain" });
  const seat = { seat: 2, seed: 2, name: "Ada", answers: [], progress: said, challenge: null };
  const before = await seatEntry(seat, null, LAB, RECIPE);
  assert.deepEqual([before.entry.units, before.entry.bits, before.notes], [9_000, "plain", []]);
  const honest = await resultOf(2, { name: "Ada" });
  const { entry, notes } = await seatEntry(seat, honest, LAB, RECIPE);
  assert.deepEqual([entry.units, entry.bits, entry.curve, entry.recipe], [500, "fused", honest.curve, RECIPE]);
  assert.deepEqual([entry.id, entry.name, notes], ["2", "Ada", []]);
  const restarted = { ...seat, progress: progress({ seed: 11 }) };
  const anew = await seatEntry(restarted, null, LAB, RECIPE);
  assert.deepEqual(
    [anew.entry.seed, anew.notes],
    [11, ["another seed than this pupil was given (2)"]],
    "the run that goes on",
  );
  const later = await seatEntry(restarted, honest, LAB, RECIPE);
  assert.deepEqual([later.entry.seed, later.notes], [2, ["its tab trains with seed 11 now"]]);
  const other = await seatEntry(seat, await resultOf(7), LAB, "control?worlds=16");
  assert.equal(other.entry.seed, 7);
  assert.equal(other.entry.recipe, RECIPE, "so it cannot be compared with those of the class");
  assert.match(other.notes.join(", "), /^another seed .* \(2\), .* name “Pupil 7”, its tab trains with seed 2 now$/);
  const hidden = await seatEntry(seat, await resultOf(7), LAB, RECIPE, true);
  assert.match(hidden.notes.join(", "), /, its code has another name, /);
});

test("pupils who have not begun do not decide what is comparable", async () => {
  const seats = [null, null, progress()].map((said, i) => ({
    seat: i,
    seed: i,
    name: "A",
    answers: [],
    progress: said,
    challenge: null,
  }));
  const entries = await Promise.all(seats.map(async (seat) => (await seatEntry(seat, null, LAB, RECIPE)).entry));
  assert.deepEqual(entries.map(hasBegun), [false, false, true]);
  assert.equal(largestGroup(entries, RECIPE)?.bits, "fused");
  assert.equal(largestGroup(entries.slice(0, 2), RECIPE), null);
});

test("a tab tells when its run has done the challenge of the class, and a class reads it", async () => {
  const run = new FakeRun();
  const settings = { worlds: 64 };
  const challenge = { title: "Five", hint: "", settings, stages: [[{ metric: "units", is: ">=" as const, value: 5 }]] };
  const told = async (units: number[], settings: object) => {
    run.series = new Series(LAB.about.metrics);
    const values = Object.fromEntries(LAB.about.metrics.map(({ name }) => [name, units.map(() => 1)]));
    run.series.append({ units, values } as unknown as Parameters<Series["append"]>[0]);
    run.progress.units = units.at(-1) ?? 0;
    return (await progressOf({ ...run, settings, changes: [] } as unknown as Run, challenge))?.challenge;
  };
  assert.equal(await told([1, 2, 3], settings), null);
  assert.equal(await told([1, 3, 6, 9], settings), 6);
  assert.equal(await told([1, 3, 6, 9], { worlds: 8 }), null, "with other settings than it asks for");
  const { pupils } = readState({
    code: "K7QM",
    pupils: [6, null, "6", -Infinity].map((challenge, seat) => ({ seat, seed: seat, name: "A", challenge })),
  });
  assert.deepEqual(
    pupils.map(({ challenge }) => challenge),
    [6, null, null, null],
  );
});

/** As much of a run as a replay and a connection use. */
class FakeRun extends Emitter<RunEvents & ReplayEvents> {
  open = true;
  lab = LAB;
  goal = { metric: METRIC, target: 475 };
  device = "cpu";
  bundle = { bits: "fused" };
  note = { id: "run" };
  progress = { units: 0, running: false };
  series = new Series(LAB.about.metrics);
  origin = () => ({ settings: { worlds: 64 }, seed: 1, changes: [] });
  setReplaying(): void {}
  finishUnit(): void {
    this.open = false;
    this.emit("failed", { message: "out of memory" } as RunEvents["failed"]);
  }
}

test("a crash during a check is no stop by the visitor", async () => {
  const run = new FakeRun() as unknown as Run;
  const { replay, ended } = replayOf(run, { changes: [], units: 5, bits: "fused:0123456789abcdef" });
  replay.start();
  await assert.rejects(ended, /out of memory/);
  const other = replayOf(new FakeRun() as unknown as Run, { changes: [], units: 5, bits: null });
  other.replay.stop();
  assert.deepEqual(await other.ended, { kind: "stopped" });
});

test("names are taken and refused as the server does", () => {
  const text = readFileSync(new URL("../../crates/class/tests/names.json", import.meta.url), "utf8");
  const { taken, refused } = JSON.parse(text) as { taken: string[]; refused: string[] };
  assert.ok(taken.length > 9 && refused.length > 20);
  for (const name of taken) {
    assert.ok(isPlainText(name, MAX_NAME), name);
    assert.equal(shownText(name, MAX_NAME), name);
  }
  for (const name of [...refused, "\ud800", "x\udfff", `${"x".repeat(23)}🤖🤖`]) {
    assert.ok(!isPlainText(name, MAX_NAME), JSON.stringify(name));
    assert.ok(isPlainText(shownText(name, MAX_NAME), MAX_NAME), JSON.stringify(name));
  }
  assert.equal(shownText("A\u202ed\ne", MAX_NAME), "A\ufffdd\ufffde");
});

test("no pupil is left out of the class for its name", () => {
  const pupils = ["Ada", "\u0378", `e${"\u0301".repeat(9)}`, 5].map((name, seat) => ({ seat, seed: seat, name }));
  const { pupils: shown } = readState({ code: "K7QM", address: "", task: null, pupils });
  assert.deepEqual(
    shown.map(({ name }) => name),
    ["Ada", "\ufffd", "e\u0301\u0301\u0301\u0301", "\ufffd"],
  );
});

/** Answers requests with these in turn, and then with the last one again. Returns the paths that were asked for. */
function answering(t: TestContext, ...answers: (() => Response)[]): string[] {
  const asked: string[] = [];
  Object.defineProperty(globalThis, "location", { value: { href: "http://a/" }, configurable: true });
  t.after(() => Reflect.deleteProperty(globalThis, "location"));
  t.mock.method(globalThis, "fetch", (url: URL) => {
    asked.push(url.pathname.split("/").pop() ?? "");
    return Promise.resolve((answers.length > 1 ? answers.shift() : answers[0])?.());
  });
  return asked;
}
const json = (value: object, status = 200) => new Response(JSON.stringify(value), { status });

test("only the server's own word ends the connection with it", async (t) => {
  answering(
    t,
    () => new Response("<h1>Bad gateway</h1>", { status: 502 }),
    () => json({ problem: "Something of a proxy." }, 503),
    () => new Response("<h1>Not found</h1>", { status: 404 }),
    () => new Response("<h1>Log in</h1>", { status: 401 }),
    () => new Response("<h1>Welcome</h1>"),
    () => json({ problem: "Wait a moment." }, 429),
    () => json({ problem: "Join again." }, 401),
  );
  const failures: [string, boolean][] = [];
  for (let i = 0; i < 7; i++)
    await assert.rejects(new ClassServer("t").here(), (error) => {
      assert.ok(error instanceof ServerProblem);
      return failures.push([error.message, error.isFinal]) > 0;
    });
  assert.deepEqual(
    failures.map(([, isFinal]) => isFinal),
    [false, false, false, false, false, false, true],
  );
  for (const [sentence] of failures) assert.match(sentence, /^[A-Z].*\.$/);
  assert.equal(failures[6]?.[0], "Join again.");
  assert.deepEqual(
    [0, 1, 2, 9].map((count) => waitAfter(count, 1_500)),
    [1_500, 3_000, 6_000, 30_000],
  );
});

test("tab tells of its run again when the server no longer has it, and waits longer after each failure", async (t) => {
  const standing = (told: boolean) => () => json({ task: null, pupils: 1, units: null, value: null, told });
  const trouble = () => new Response("", { status: 502 });
  const told = standing(true);
  const asked = answering(t, told, told, standing(false), told, trouble, trouble, told, told);
  let now = 0;
  t.mock.method(performance, "now", () => now);
  t.mock.timers.enable({ apis: ["setInterval"] });
  for (const name of ["addEventListener", "removeEventListener"])
    if (!(name in globalThis)) {
      Object.defineProperty(globalThis, name, { value: () => {}, configurable: true });
      t.after(() => Reflect.deleteProperty(globalThis, name));
    }
  const said: string[] = [];
  const connection = new PupilConnection(
    new FakeRun() as unknown as Run,
    "t",
    RECIPE,
    () => said.push("heard"),
    () => said.push("failed"),
  );
  /** Lets some seconds pass, and returns what was asked for. */
  const after = async (seconds: number) => {
    now += seconds * 1_000;
    t.mock.timers.tick(2_000);
    for (let i = 0; i < 100; i++) await Promise.resolve();
    await settled();
    return asked.splice(0).join();
  };
  assert.equal(await after(0), "progress");
  assert.equal(
    await after(2),
    "here",
    "soon, because the server may have taken the first message for one of an earlier page",
  );
  assert.equal(await after(2), "", "nothing has changed");
  assert.equal(await after(8), "here", "which says that the progress is gone");
  assert.equal(await after(2), "progress", "though the run has stopped");
  assert.equal(await after(10), "here", "fails");
  assert.equal(await after(1), "");
  assert.equal(await after(10), "here", "fails");
  assert.equal(await after(3), "", "waits four seconds now");
  assert.equal(await after(7), "here");
  now += 10_000;
  t.mock.timers.tick(2_000);
  connection.close();
  assert.equal(await after(0), "here", "is answered after the end, which nobody is told");
  assert.deepEqual(said, ["heard", "heard", "heard", "heard", "failed", "failed", "heard"]);
});
